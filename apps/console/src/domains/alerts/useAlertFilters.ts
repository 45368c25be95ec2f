import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#i18n';
import { filterOf } from '../../api/ListTools.tsx';
import { useSession } from '../../api/session.ts';
import type { List } from '../../api/useList.ts';
import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import { useDeviceFilter } from '../../entities/devices/useDeviceFilter.ts';
import { useGroupChip } from '../../entities/groups/useGroupFilter.ts';
import type { Filter } from '../../ui/filter/filter.ts';
import { isAboutAll, rulesQuery } from './alerts.api.ts';
import { alertList } from './alerts.lists.ts';

/** What the list can be narrowed by. */
export function useAlertFilters(list: Pick<List<typeof alertList, never, unknown>, 'spec' | 'state'>): readonly Filter[] {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const { search } = list.state;
  const usualState = t(isAboutAll(search) ? 'alerts.filter.allStates' : 'alerts.state.open');
  const rules = useQuery({ ...rulesQuery, enabled: !isMain && search.rule !== undefined }).data ?? [];
  const device = useDeviceFilter(search.device, { label: t('alerts.filter.device'), unnamed: t('alerts.filter.oneDevice') });
  const group = useGroupChip(search.group, search.org);
  const organization = useOrganizationFilter(search.org);
  return [
    {
      name: 'state',
      label: t('alerts.column.state'),
      // Without a choice the list shows what is open, or everything about one thing.
      options: [
        { value: '', label: usualState },
        ...alertList.filters.state
          .map((value) => ({ value, label: t(value === 'all' ? 'alerts.filter.allStates' : `alerts.state.${value}`) }))
          .filter(({ label }) => label !== usualState),
      ],
      value: search.state,
      ...(search.state !== undefined && {
        shown: t(search.state === 'all' ? 'alerts.filter.allStates' : `alerts.state.${search.state}`),
      }),
    },
    filterOf(list, 'severity', {
      label: t('alerts.column.severity'),
      all: t('alerts.filter.allSeverities'),
      of: (severity) => t(`alerts.severity.${severity}`),
    }),
    filterOf(list, 'kind', {
      label: t('alerts.filter.kind'),
      all: t('alerts.filter.allKinds'),
      of: (kind) => t(`alerts.kind.${kind}`),
    }),
    {
      name: 'rule',
      label: t('alerts.column.rule'),
      options: [],
      value: search.rule,
      shown: rules.find(({ id }) => id === search.rule)?.name ?? search.rule,
    },
    {
      name: 'storm',
      label: t('alerts.filter.storm'),
      options: [],
      value: search.storm,
      shown: t('alerts.filter.oneStorm'),
    },
    device,
    group,
    organization,
  ];
}
