import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, endsSession } from '../../api/errors.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { showMessage } from '../../ui/dialogs.ts';

/** Explain in a dialog titled 'Connection Error' why there is no connection, translated or with the server's message (RMT-05). */
export function useConnectionError(): (error: unknown) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useCallback(
    async (error: unknown) => {
      // The page is being left for the sign-in page; a dialog would only flash.
      if (error instanceof ApiError && endsSession(error.message)) return;
      await showMessage({ title: t('remote.errorTitle'), text: errorText(error) });
    },
    [t, errorText],
  );
}
