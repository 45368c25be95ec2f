import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import { ApiError, displayed } from './errors.ts';
import { isStandardMessage, keyOfMessage } from './standard-messages.ts';

/** Key of the catalogue for a failure: its dots would read as levels there. */
const messageKey = (key: string) => `errors.${key.replaceAll('.', '_')}` as 'errors.network';

/** The maximum length of a field whose value is too long; undefined for other faults. */
function mostOf({ key, detail }: ApiError): number | undefined {
  if (key !== 'request.invalid' || !Array.isArray(detail)) return undefined;
  const [first] = detail as readonly { readonly most?: unknown }[];
  return typeof first?.most === 'number' ? first.most : undefined;
}

/** The message of an error in the user's language; a more precise server message is shown as it is (SHR-01). */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (error: unknown) => {
      // Messages of the browser and of libraries name files; they stay in its console (ATT-05).
      if (!(error instanceof ApiError)) return t('errors.unexpected');
      const most = mostOf(error);
      if (most !== undefined) return t('ui.tooLong', { most });
      const { key, message } = error;
      const isOurs = key !== undefined && i18n.exists(messageKey(key)) && (key === 'network' || isStandardMessage(key, message));
      return isOurs ? t(messageKey(key)) : displayed(message);
    },
    [t, i18n],
  );
}

/** A sentence of the server about a row of a file, in the user's language where it is the one of a failure; others are shown as they are (SHR-01). */
export function useMessageText(): (message: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (message: string) => {
      const key = keyOfMessage(message);
      return key !== undefined && i18n.exists(messageKey(key)) ? t(messageKey(key)) : message;
    },
    [t, i18n],
  );
}
