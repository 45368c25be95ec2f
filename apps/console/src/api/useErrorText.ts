import { failuresOfPeople } from '@highline/contract';
import { useCallback } from 'react';
import { useTranslation } from '#i18n';
import { ApiError, displayed } from './errors.ts';
import type { ErrorMessages } from './errors.en-US.ts';

/** Key of the catalogue for a failure key: its dots would read as levels there. */
function messageKey(key: string): keyof ErrorMessages {
  return key.replaceAll('.', '_') as keyof ErrorMessages;
}

/** True when the server sent only the contract's message of this failure, so the catalogue's message can replace it. */
function isStandard(error: ApiError): boolean {
  if (error.key === undefined) return false;
  return (
    error.key === 'network' ||
    (failuresOfPeople as Readonly<Record<string, { message: string }>>)[error.key]?.message === error.message
  );
}

/** The maximum length of a field whose value is too long; undefined for other faults. */
function mostOf({ key, detail }: ApiError): number | undefined {
  if (key !== 'request.invalid' || !Array.isArray(detail)) return undefined;
  const [first] = detail as readonly { readonly most?: unknown }[];
  return typeof first?.most === 'number' ? first.most : undefined;
}

/** The message of an error in the user's language; a more precise server message is shown as it is (SHR-01). */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown) => {
      // Messages of the browser and of libraries name files; they stay in its console (ATT-05).
      if (!(error instanceof ApiError)) return t('errors.unexpected');
      const most = mostOf(error);
      if (most !== undefined) return t('ui.tooLong', { most });
      return error.key !== undefined && isStandard(error) ? t(`errors.${messageKey(error.key)}`) : displayed(error.message);
    },
    [t],
  );
}
