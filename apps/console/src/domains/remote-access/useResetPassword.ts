import { useState } from 'react';
import { useTranslation } from '#i18n';
import { ApiError, endsSession } from '../../api/errors.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { confirmAction, showMessage } from '../../ui/dialogs.ts';
import { resetPassword, type Target } from './remote-access.api.ts';
import { useConnectionError } from './useConnectionError.ts';

/** Nothing was tried: the reason alone is shown. */
const PLAIN: ReadonlySet<string> = new Set(['remote.no_subscription', 'remote.reset_impossible', 'remote.reset_unsupported']);

/** Reset PWD: confirms, resets the router's own sign-in to its default, and reports the result (RMT-05, RMT-06). */
export function useResetPassword({ serial, name }: Target): { readonly run: () => void; readonly busy: boolean } {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const showConnectionError = useConnectionError();
  const [busy, setBusy] = useState(false);
  const title = t('remote.resetting.title');

  const explain = async (error: unknown): Promise<void> => {
    const isPlain = error instanceof ApiError && PLAIN.has(error.key ?? '');
    if (!(error instanceof ApiError) || endsSession(error.message) || isPlain) return showConnectionError(error);
    const text = t('remote.resetting.failed');
    const why = errorText(error);
    await showMessage({ title, text, ...(why === text ? {} : { warning: why }) });
  };
  const reset = async (): Promise<void> => {
    setBusy(true);
    try {
      await resetPassword(serial);
    } catch (error) {
      setBusy(false);
      return explain(error);
    }
    setBusy(false);
    await showMessage({ title, text: t('remote.resetting.done') });
  };
  const confirm = async (): Promise<void> => {
    const question = {
      text: t('remote.resetting.question', { name }),
      warning: t('remote.resetting.warning'),
      yes: t('remote.resetting.yes'),
      no: t('ui.cancel'),
    };
    if (await confirmAction({ title, effect: 'disruptive', ...question })) await reset();
  };
  return { run: () => void confirm(), busy };
}
