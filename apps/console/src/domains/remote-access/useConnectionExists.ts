import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import { chooseAction } from '../../ui/dialogs.ts';
import { toast } from '../../ui/toasts.ts';
import { cancelConnection, connectionQuery } from './remote-access.api.ts';
import { useConnectionError } from './useConnectionError.ts';

/** The dialog 'Connection Exists': whose connection it is, and the offer to cancel it (RMT-04). */
export function useConnectionExists(device: string): () => Promise<void> {
  const { t } = useTranslation();
  const client = useQueryClient();
  const showError = useConnectionError();
  const { queryKey } = connectionQuery(device);
  const refresh = () => client.invalidateQueries({ queryKey });
  return async () => {
    await refresh();
    const active = client.getQueryData(queryKey)?.result;
    const whose = active?.own === false ? { warning: t('remote.exists.whose', { who: active.by }) } : {};
    const choice = await chooseAction({
      title: t('remote.exists.title'),
      text: t('remote.exists.text'),
      ...whose,
      choices: [
        { id: 'close', label: t('ui.close') },
        { id: 'cancel', label: t('remote.cancel.action'), primary: true },
      ],
    });
    if (choice !== 'cancel') return;
    try {
      await cancelConnection(device);
      toast(t('remote.cancel.done'));
    } catch (error) {
      await showError(error);
    } finally {
      await refresh();
    }
  };
}
