import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ListStatus } from '../../api/ListStatus.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { Choices } from '../../ui/chart/Choices.tsx';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import { useListState } from '../../ui/list/useListState.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatDay } from '../../ui/time/format.ts';
import { useNowEvery } from '../../ui/time/useNowEvery.ts';
import '../../entities/map/map.css';
import './coverage.css';
import { cellsQuery } from './coverage.api.ts';
import { coverageList } from './coverage.lists.ts';
import { sharedQuery } from './coverage.ts';
import { MapTab } from './MapTab.tsx';
import { useCoverageFilters } from './useCoverageFilters.ts';
import { VehiclesTab } from './VehiclesTab.tsx';
import { ZonesTab } from './ZonesTab.tsx';
import { MapPlaceholder } from '../../entities/map/MapPlaceholder.tsx';

const TICK_MS = 60_000;

/** Names of carriers and technologies are read without filters, so that each can be chosen. */
const unfiltered = ({ from, until }: ReturnType<typeof sharedQuery>) => ({ from, until });

/** /coverage: signal by place, where connections are lost, and vehicles with a worse signal than the others (POS-06). */
export function CoverageScreen(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const state = useListState(coverageList);
  const { tab, days, carrier, technology, cell, at } = state.search;
  const query = sharedQuery({ days, carrier, technology }, useNowEvery(TICK_MS));
  const known = useQuery(cellsQuery(unfiltered(query)));
  const all = useQuery(cellsQuery(query));
  const filters = useCoverageFilters({ days, carrier, technology }, known.data);
  const change = state.change as (part: Readonly<Record<string, string | undefined>>, replace?: boolean) => void;
  const tabs = ['map', 'zones', 'vehicles'] as const;
  return (
    <div className={tab === undefined ? 'page page--wide page--map' : 'page'} aria-busy={all.isPending}>
      <PageHeader
        title={t('coverage.title')}
        sub={
          all.data === undefined ? (
            <span>&nbsp;</span>
          ) : (
            <>
              {t('coverage.period', { from: formatDay(all.data.from), until: formatDay(all.data.until) })}
              {/* The lists of the other tabs say it themselves. */}
              {tab === undefined && (
                <>
                  {' · '}
                  <ListStatus updatedAt={all.dataUpdatedAt} />
                </>
              )}
            </>
          )
        }
        actions={
          <Choices
            label={t('coverage.tab.label')}
            options={tabs.map((value) => ({ value, label: t(`coverage.tab.${value}`) }))}
            value={tab ?? 'map'}
            onChange={(value) =>
              change({
                tab: value === 'map' ? undefined : value,
                cell: undefined,
                at: undefined,
                sort: undefined,
                search: undefined,
                field: undefined,
              })
            }
          />
        }
      />
      {tab === 'zones' && <ZonesTab query={query} filters={filters} />}
      {tab === 'vehicles' && <VehiclesTab query={query} filters={filters} />}
      {tab === undefined && (
        <>
          <FilterBar filters={filters} onFilter={(name, value) => change({ [name]: value })} onClear={state.clear} />
          {/* Where the map begins follows from the hexagons of these filters. */}
          {all.data !== undefined && !all.isPlaceholderData ? (
            <MapTab
              key={JSON.stringify(query)}
              query={query}
              all={all.data}
              isFiltered={state.filtered}
              selected={cell}
              at={at}
              onSelect={(chosen, place) => change({ cell: chosen, at: place }, true)}
            />
          ) : all.error === null ? (
            <div className="map-screen">
              <MapPlaceholder />
            </div>
          ) : (
            <ErrorState text={errorText(all.error)} onRetry={() => void all.refetch()} />
          )}
        </>
      )}
    </div>
  );
}
