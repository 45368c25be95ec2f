import { failures } from '@highline/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, displayed } from './errors.ts';
import type { ErrorMessages } from './errors.en-US.ts';

/** Key of the catalogue for a failure key: its dots would read as levels there. */
function messageKey(key: string): keyof ErrorMessages {
  return key.replaceAll('.', '_') as keyof ErrorMessages;
}

/** True when the server said no more than the contract says of this failure: then our own words may stand for it. */
function isStandard(error: ApiError): boolean {
  if (error.key === undefined) return false;
  return (
    error.key === 'network' || (failures as Readonly<Record<string, { message: string }>>)[error.key]?.message === error.message
  );
}

/** How many characters a field takes that was given too many; undefined when that is not what is wrong. */
function mostOf({ key, detail }: ApiError): number | undefined {
  if (key !== 'request.invalid' || !Array.isArray(detail)) return undefined;
  const [first] = detail as readonly { readonly most?: unknown }[];
  return typeof first?.most === 'number' ? first.most : undefined;
}

/** Says an error in the person's language; where the server is more precise than the catalogue, in its words (SHR-01). */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown) => {
      if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
      const most = mostOf(error);
      if (most !== undefined) return t('ui.tooLong', { most });
      return error.key !== undefined && isStandard(error) ? t(`errors.${messageKey(error.key)}`) : displayed(error.message);
    },
    [t],
  );
}
