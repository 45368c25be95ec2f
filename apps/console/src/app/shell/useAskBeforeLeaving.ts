import { useBlocker } from '@tanstack/react-router';
import { confirmLoss, openLosses } from '../../ui/losses.ts';
import { useStore } from '../../ui/store.ts';

/** Asks before the page below a dialog is left that has something to lose: by Back and Forward, or by a link in the dialog. */
export function useAskBeforeLeaving(): void {
  const hasLosses = useStore(openLosses).length > 0;
  useBlocker({
    disabled: !hasLosses,
    enableBeforeUnload: false,
    shouldBlockFn: async ({ action, current, next }) => {
      const { loss, close } = openLosses.get().at(-1)?.current ?? {};
      if (loss === undefined) return false;
      const isOfPage = action === 'PUSH' || action === 'REPLACE';
      // A form opens another page once it is saved, and lists correct their address behind a dialog.
      if (isOfPage && (loss.kind !== 'secret' || current.pathname === next.pathname)) return false;
      if (!(await confirmLoss(loss))) return true;
      close?.();
      return false;
    },
  });
}
