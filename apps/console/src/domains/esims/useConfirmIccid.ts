import type { esims } from '@highline/contract';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { chooseAction } from '../../ui/dialogs.ts';

/** The doubtful ICCID that a call was rejected for; undefined for any other failure. */
function doubtOf(error: unknown): esims.IccidDoubt | undefined {
  const isDoubt = error instanceof ApiError && (error.key === 'esim.iccid_check' || error.key === 'esim.iccid_longer');
  return isDoubt ? (error.detail as esims.IccidDoubt) : undefined;
}

/**
 * Ask which ICCID is right, if a call was rejected for a doubtful one.
 * @returns the number that the user has confirmed; undefined when none
 * @throws any other failure
 */
export function useConfirmIccid(): (error: unknown) => Promise<string | undefined> {
  const { t } = useTranslation();
  return async (error) => {
    const found = doubtOf(error);
    if (found === undefined) throw error;
    const { doubt, meant, typed } = found;
    const label = (iccid: string) => t('esims.iccid.use', { iccid });
    const chosen = await chooseAction({
      title: t('esims.iccid.title'),
      text: t(`esims.iccid.${doubt === 'check-digit' ? 'check' : 'longer'}`, { typed }),
      choices: [
        { id: 'none', label: t('esims.iccid.correct') },
        ...(typed === meant ? [] : [{ id: 'typed', label: label(typed) } as const]),
        { id: 'meant', label: label(meant), primary: true },
      ],
    });
    return chosen === 'typed' ? typed : chosen === 'meant' ? meant : undefined;
  };
}
