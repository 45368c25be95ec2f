import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { toast } from '../../ui/toasts.ts';
import { cancelConnection, connectionQuery } from './remote-access.api.ts';

/** Cancel Connection: end the session of a router and confirm it (RMT-03). */
export function useCancel(device: string, onDone: () => void): { readonly run: () => void; readonly busy: boolean } {
  const { t } = useTranslation();
  const client = useQueryClient();
  const cancel = useAction<void, void>({
    run: () => cancelConnection(device),
    onDone: () => {
      void client.invalidateQueries({ queryKey: connectionQuery(device).queryKey });
      toast(t('remote.cancel.done'));
      onDone();
    },
  });
  return { run: () => cancel.run(), busy: cancel.busy };
}
