import { useBlocker } from '@tanstack/react-router';
import { type RefObject, useRef } from 'react';
import { useTranslation } from '#i18n';
import { chooseAction, confirmAction } from '../dialogs.ts';
import { usePauseRefresh } from '../refresh.ts';

/** What is shown at an address: its path, and the tab where a page has tabs. */
const pageOf = ({ pathname, search }: { readonly pathname: string; readonly search: object }) =>
  `${pathname} ${'tab' in search ? String(search.tab) : ''}`;

interface LeaveOptions {
  /** Saves before leaving; false = it could not be saved, and the user stays. Left out: it only asks. */
  readonly save?: (() => Promise<boolean>) | undefined;
  /** `whole`: the address identifies the form's record, so each other address leaves it. */
  readonly address?: 'path' | 'whole';
  /** True as soon as the changes are saved, before the form is rendered without them. */
  readonly isSaved?: RefObject<boolean>;
  /** The user leaves without the changes: what is kept of them is to be dropped. */
  readonly onDiscard?: () => void;
}

/**
 * Warn before leaving a form with changes (SHR-06). `leave` asks 'There are unsaved changes. Do you want to leaving?' with
 * Yes and No; `save` asks 'There are unsaved changes. Do you want to save them before leaving?' with Discard and Save.
 * The address may change within the page: only another path or tab leaves it, unless it is `whole`.
 * @returns true from the moment a user saves in order to leave: a form that navigates by itself after a save must not do so then
 */
export function useUnsavedChanges(
  dirty: boolean,
  { save, address = 'path', isSaved, onDiscard }: LeaveOptions = {},
): RefObject<boolean> {
  const { t } = useTranslation();
  const leaving = useRef(false);
  usePauseRefresh(dirty);
  useBlocker({
    disabled: !dirty,
    enableBeforeUnload: () => dirty && isSaved?.current !== true,
    shouldBlockFn: async ({ current, next }) => {
      if (isSaved?.current === true || (address === 'path' && pageOf(current) === pageOf(next))) return false;
      const title = t('ui.unsaved.title');
      if (save === undefined) {
        const leaves = await confirmAction({ title, text: t('ui.unsaved.leave'), effect: 'ordinary' });
        if (leaves) onDiscard?.();
        return !leaves;
      }
      const choice = await chooseAction({
        title,
        text: t('ui.unsaved.save'),
        choices: [
          { id: 'discard', label: t('ui.unsaved.discard') },
          { id: 'save', label: t('ui.save'), primary: true },
        ],
      });
      if (choice === 'discard') {
        onDiscard?.();
        return false;
      }
      if (choice !== 'save') return true;
      leaving.current = true;
      leaving.current = await save();
      return !leaving.current;
    },
  });
  return leaving;
}
