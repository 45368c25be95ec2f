import { useTranslation } from '#i18n';
import type { Filter } from './filter.ts';

/** The chip of a case-insensitive search; it is set when a search found nothing, and removed like any filter. */
export function useLetterCase(ignoreCase: 'true' | undefined): Filter {
  const { t } = useTranslation();
  return { name: 'ignoreCase', label: t('ui.filter.letterCase'), options: [], value: ignoreCase, shown: t('ui.filter.ignored') };
}
