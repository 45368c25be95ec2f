import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import type { Filter } from '../../ui/filter/filter.ts';
import { tagsQuery } from './devices.api.ts';

/** The filter by a tag in use; one that is no longer in use stays selected (BLK-02). @param org chosen by the main account */
export function useTagFilter(value: string | undefined, org?: string): Filter {
  const { t } = useTranslation();
  const tags = useQuery(tagsQuery(org)).data ?? [];
  const known = value === undefined || tags.includes(value) ? tags : [value, ...tags];
  return {
    name: 'tag',
    label: t('ui.tags.label'),
    value,
    options: [{ value: '', label: t('devices.filter.allTags') }, ...known.map((tag) => ({ value: tag, label: tag }))],
  };
}
