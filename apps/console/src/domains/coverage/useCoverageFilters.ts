import { useTranslation } from '#i18n';
import type { Filter } from '../../ui/filter/filter.ts';
import type { Shared } from './coverage.ts';

/** The period, the carrier and the technology as filters. */
export function useCoverageFilters(
  { days, carrier, technology }: Shared,
  known: { readonly carriers: readonly string[]; readonly technologies: readonly string[] } | undefined,
): readonly Filter[] {
  const { t } = useTranslation();
  const named = (all: string, names: readonly string[]) => [
    { value: '', label: all },
    ...names.map((value) => ({ value, label: value })),
  ];
  return [
    {
      name: 'days',
      label: t('coverage.days.label'),
      value: days,
      options: [
        { value: '', label: t('coverage.days.d30') },
        { value: '7', label: t('coverage.days.d7') },
        { value: '90', label: t('coverage.days.d90') },
      ],
    },
    {
      name: 'carrier',
      label: t('coverage.carrier'),
      value: carrier,
      options: named(t('coverage.allCarriers'), known?.carriers ?? []),
    },
    {
      name: 'technology',
      label: t('coverage.technology'),
      value: technology,
      options: named(t('coverage.allTechnologies'), known?.technologies ?? []),
    },
  ];
}
