import { outages as calls } from '@highline/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { Choices } from '../../ui/chart/Choices.tsx';
import type { Filter } from '../../ui/filter/filter.ts';
import { useListState } from '../../ui/list/useListState.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { formatDay } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import { EachTab } from './EachTab.tsx';
import { useKeptSince } from './kept.ts';
import { outageList } from './outages.lists.ts';
import { daysOf, daysSince } from '../../ui/time/period.ts';
import { SumsTab } from './SumsTab.tsx';

/** /outages: times without a connection, each and added up (RPM-04, RPM-05). */
export function OutagesScreen(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const state = useListState(outageList);
  const { tab, period, kind, device, group, carrier, hexagon, org } = state.search;
  const [now] = useState(() => Date.now());
  const chosen = useMemo(() => daysOf(period, now, zone), [period, now, zone]);
  const kept = useKeptSince(now);
  const days = kept === undefined ? chosen : daysSince(chosen, kept, zone);
  const since = days.from === chosen.from ? undefined : kept;
  const query = {
    ...days,
    zone,
    ...(kind !== undefined && tab === undefined && { kind }),
    ...(device !== undefined && { device }),
    ...(group !== undefined && { group }),
    ...(carrier !== undefined && { carrier }),
    ...(hexagon !== undefined && { hexagon }),
    ...(org !== undefined && { org }),
  };
  const shared = { query, days, since, filters: useFilters(state.search, tab === undefined) };
  const change = state.change as (part: Readonly<Record<string, string | undefined>>) => void;
  const views = ['each', ...calls.outageSums] as const;
  return (
    <div className="page">
      <PageHeader
        title={t('outages.title')}
        sub={`${formatDay(days.from)} – ${formatDay(days.until)} · ${zone}`}
        actions={
          <Choices
            label={t('outages.view.label')}
            options={views.map((value) => ({ value, label: t(`outages.view.${value}`) }))}
            value={tab ?? 'each'}
            onChange={(value) =>
              change({ tab: value === 'each' ? undefined : value, sort: undefined, search: undefined, field: undefined })
            }
          />
        }
      />
      {tab === undefined ? <EachTab {...shared} /> : <SumsTab key={tab} by={tab} {...shared} />}
    </div>
  );
}

/** The period and the kind; what was chosen elsewhere is a chip that can be removed. */
function useFilters(
  { period, kind, device, group, carrier, hexagon, org }: ReturnType<typeof useListState<typeof outageList>>['search'],
  hasKinds: boolean,
): readonly Filter[] {
  const { t } = useTranslation();
  const only = { device, group, hexagon };
  const organization = useOrganizationFilter(org);
  return [
    {
      name: 'period',
      label: t('outages.period.label'),
      value: period,
      options: [
        { value: '', label: t('outages.period.d30') },
        { value: '7', label: t('outages.period.d7') },
        { value: '90', label: t('outages.period.d90') },
        { value: 'month', label: t('outages.period.month') },
        { value: 'last-month', label: t('outages.period.lastMonth') },
      ],
    },
    ...(hasKinds
      ? [
          {
            name: 'kind',
            label: t('outages.kindFilter'),
            value: kind,
            options: [
              { value: '', label: t('outages.kind.lost') },
              ...(['closed', 'server', 'parked', 'planned', 'all'] as const).map((value) => ({
                value,
                label: t(`outages.kind.${value}`),
              })),
            ],
          },
        ]
      : []),
    {
      name: 'carrier',
      label: t('outages.column.carrier'),
      options: [],
      value: carrier,
      shown: carrier,
    },
    ...(['device', 'group', 'hexagon'] as const).map((name) => ({
      name,
      label: t('outages.only.label'),
      options: [],
      value: only[name],
      shown: t(`outages.only.${name}`),
    })),
    organization,
  ];
}
