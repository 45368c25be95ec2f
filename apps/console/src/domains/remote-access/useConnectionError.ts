import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import { ApiError, endsSession } from '../../api/errors.ts';
import { useErrorText } from '../../api/useErrorText.ts';
import { showMessage } from '../../ui/dialogs.ts';

/** The dialog titled 'Connection Error' (RMT-05). */
export function showConnectionError(t: TFunction, text: string): Promise<void> {
  return showMessage({ title: t('remote.errorTitle'), text });
}

/** Explain in a dialog titled 'Connection Error' why there is no connection, translated or with the server's message (RMT-05). */
export function useConnectionError(): (error: unknown) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useCallback(
    async (error: unknown) => {
      // The page is being left for the sign-in page; a dialog would only flash.
      if (error instanceof ApiError && endsSession(error.message)) return;
      await showConnectionError(t, errorText(error));
    },
    [t, errorText],
  );
}
