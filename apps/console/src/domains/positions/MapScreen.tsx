import type { devices } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { IconList, IconShare } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { ListStatus } from '../../api/ListStatus.tsx';
import { useErrorText } from '../../api/useErrorText.ts';
import { useSession, type Session } from '../../api/session.ts';
import { isPageOpen } from '../../routing/page-rights.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import type { Filter } from '../../ui/filter/filter.ts';
import { useOtherFields } from '../../api/useOtherFields.ts';
import { OtherFields } from '../../ui/table/OtherFields.tsx';
import { useLetterCase } from '../../ui/filter/useLetterCase.ts';
import { useListState } from '../../ui/list/useListState.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { formatNumber } from '../../ui/time/format.ts';
import { useZone } from '../../ui/time/zone.ts';
import { useNowEvery } from '../../ui/time/useNowEvery.ts';
import {
  attentionFilters,
  carrierFilter,
  expirationFilter,
  presenceFilter,
  serviceFilter,
} from '../../entities/devices/filters.ts';
import { geofencesQuery, type Geofence } from '../../entities/geofences/geofence.api.ts';
import { useGeofenceFilter } from '../../entities/geofences/useGeofenceFilter.ts';
import { useGroupFilter } from '../../entities/groups/useGroupFilter.ts';
import { useTagFilter } from '../../entities/devices/useTagFilter.ts';
import { useOrganizationFilter } from '../../entities/organizations/useOrganizationFilter.ts';
import '../../entities/map/map.css';
import { mapDataQuery, type MapData } from './positions.api.ts';
import { mapList, sharedSearch } from './positions.lists.ts';
import { VehicleCard } from './VehicleCard.tsx';
import { VehicleList } from './VehicleList.tsx';
import { mapTones, type ColorBy } from './vehicle.ts';
import { MapPlaceholder } from '../../entities/map/MapPlaceholder.tsx';

// The map library is large: the list is there before it.
/** Those of the device lists. */
const mainFields = ['any', 'serial', 'organization', 'vehicle'] as const;
const adminFields = ['any', 'serial', 'vehicle', 'group', 'config'] as const;

const loadMap = () => import('./VehicleMap.tsx');
const VehicleMap = lazy(async () => ({ default: (await loadMap()).VehicleMap }));

/** Load the map and its outlines while the vehicles are fetched. A failure shows when the map is drawn. */
async function loadAhead(): Promise<void> {
  const { prepareBaseMap } = await loadMap();
  await prepareBaseMap();
}

// With this file, not after the first frame of the page.
void loadAhead().catch(() => undefined);

const TICK_MS = 30_000;
const noFences: readonly Geofence[] = [];

/** The list of the same vehicles. */
const listOf = ({ role }: Session) => (role === 'main' ? '/devices/orgList' : '/devices/list');

type State = ReturnType<typeof useListState<typeof mapList>>;

function useFilters({ search }: State): readonly Filter[] {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const group = useGroupFilter(search.group, search.org);
  const tag = useTagFilter(search.tag, search.org);
  const organization = useOrganizationFilter(search.org);
  const inside = useGeofenceFilter(search.geofence, !isMain);
  const color: Filter = {
    name: 'color',
    label: t('positions.color.label'),
    value: search.color,
    options: [
      { value: '', label: t('positions.color.state') },
      { value: 'signal', label: t('positions.color.signal') },
      { value: 'alert', label: t('positions.color.alert') },
    ],
  };
  return [
    color,
    serviceFilter(t, search.service),
    presenceFilter(t, search.presence),
    ...attentionFilters(t, search),
    ...carrierFilter(t, search.carrier),
    ...(isMain || search.expiration !== undefined ? [expirationFilter(t, search.expiration)] : []),
    // Groups are those of one organization.
    ...(isMain && search.org === undefined && search.group === undefined ? [] : [group]),
    tag,
    ...inside,
    organization,
  ];
}

/** How many vehicles there are, and how many are not on the map, as links to lists of them. */
function Counts({ data, shared, updatedAt }: { data: MapData; shared: object; updatedAt: number }): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const list = listOf(session);
  const { vehicles, isCut, never, old, rejected } = data;
  const estimated = vehicles.filter(({ radius }) => radius !== null).length;
  const missing = (count: number, position: devices.PositionFilter) =>
    count > 0 && (
      <>
        {' · '}
        {isPageOpen(session, list) ? (
          <Link to={list} search={{ ...shared, position }}>
            {t(`positions.without.${position}`, { count, shown: formatNumber(count) })}
          </Link>
        ) : (
          t(`positions.without.${position}`, { count, shown: formatNumber(count) })
        )}
      </>
    );
  return (
    <>
      {t('positions.count', { count: vehicles.length, shown: formatNumber(vehicles.length) })}
      {isCut && ` (${t('positions.cut')})`}
      {estimated > 0 && ` · ${t('positions.estimatedCount', { count: estimated, shown: formatNumber(estimated) })}`}
      {missing(never, 'never')}
      {missing(old, 'old')}
      {missing(rejected, 'rejected')}
      {' · '}
      <ListStatus updatedAt={updatedAt} />
    </>
  );
}

function Legend({ by }: { by: ColorBy }): ReactNode {
  const { t } = useTranslation();
  return (
    <ul className="map-legend" aria-label={t('positions.legend.label')}>
      {(by === 'alert' ? (['ok', 'warn', 'bad'] as const) : mapTones).map((tone) => (
        <li key={tone}>
          <span className="vehicle-list__dot" data-tone={tone} aria-hidden="true" />
          {t(`positions.legend.${by}.${tone}`)}
        </li>
      ))}
    </ul>
  );
}

/** /map: every vehicle of the scope on a map and in a list, live, with the filters of the device list (POS-02, POS-03, POS-07). */
export function MapScreen(): ReactNode {
  const { t } = useTranslation();
  const session = useSession();
  const opensLinks = session.role !== 'user' && isPageOpen(session, '/links');
  const isMain = session.role === 'main';
  const list = listOf(session);
  const zone = useZone();
  const now = Math.floor(useNowEvery(TICK_MS) / 1_000);
  const state = useListState(mapList);
  const { search } = state;
  const shared = useMemo(() => sharedSearch(search), [search]);
  const query = useMemo(() => ({ ...sharedSearch(state.query), zone }), [state.query, zone]);
  const client = useQueryClient();
  const found = useQuery(mapDataQuery(query));
  const fences = useQuery({ ...geofencesQuery(), enabled: !isMain }).data ?? noFences;
  const errorText = useErrorText();
  const filters = useFilters(state);
  const letterCase = useLetterCase(search.ignoreCase);
  const change = state.change as (part: Readonly<Record<string, string | undefined>>, replace?: boolean) => void;
  const by: ColorBy = search.color ?? 'state';
  const { data } = found;
  const selected = data?.vehicles.find(({ device }) => device === search.vehicle);
  const select = (vehicle: string | undefined) => change({ vehicle }, true);
  const fields = isMain ? mainFields : adminFields;
  const otherFields = useOtherFields({
    enabled: search.search !== undefined && data?.vehicles.length === 0 && !found.isPlaceholderData,
    fields: fields.filter((field) => field !== (search.field ?? fields[0])),
    queryKey: mapDataQuery(query).queryKey,
    count: async (field) => (await client.fetchQuery(mapDataQuery({ ...query, field, ignoreCase: 'true' }))).vehicles.length,
    show: (field) => change({ field, ignoreCase: 'true' }),
  });

  return (
    <div className="page page--wide page--map" aria-busy={found.isPending}>
      <PageHeader
        title={t('positions.title')}
        sub={data === undefined ? <span>&nbsp;</span> : <Counts data={data} shared={shared} updatedAt={found.dataUpdatedAt} />}
        actions={
          <>
            {opensLinks && (
              <Button leftSection={<IconShare size={16} />} renderRoot={(props) => <Link to="/links" {...props} />}>
                {t('positions.links')}
              </Button>
            )}
            {isPageOpen(session, list) && (
              <Button
                leftSection={<IconList size={16} />}
                renderRoot={(props) => <Link to={list} search={shared as never} {...props} />}
              >
                {t('positions.asList')}
              </Button>
            )}
          </>
        }
      />
      <FilterBar
        search={{
          fields: fields.map((field) => ({
            value: field,
            label: t(`devices.field.${field}`),
            isListed: field !== mapList.unlisted,
          })),
          field: search.field ?? fields[0],
          value: search.search,
          onSearch: (field, text) => change({ field, search: text }, true),
        }}
        filters={[...filters, letterCase]}
        onFilter={(name, value) => change({ [name]: value })}
        onClear={state.clear}
      />
      {data === undefined && found.error !== null ? (
        <ErrorState text={errorText(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <div className="map-screen">
          <div className="map-screen__map">
            {data === undefined ? (
              <MapPlaceholder />
            ) : (
              <Suspense fallback={<MapPlaceholder />}>
                <VehicleMap {...{ by, now, selected, fences }} vehicles={data.vehicles} onSelect={select} view={data.view} />
              </Suspense>
            )}
            <Legend by={by} />
          </div>
          <div className="map-screen__side">
            {selected !== undefined && <VehicleCard vehicle={selected} onClose={() => select(undefined)} />}
            {data === undefined ? (
              <div className="vehicle-list__loading">
                <Skeleton lines={6} />
              </div>
            ) : data.vehicles.length === 0 ? (
              <EmptyState
                text={state.filtered ? t('positions.noMatch') : t('positions.none')}
                detail={state.filtered ? undefined : t('positions.noneHint')}
                action={
                  <OtherFields
                    found={otherFields.map(({ field, ...more }) => ({ ...more, label: t(`devices.field.${field}`) }))}
                  />
                }
              />
            ) : (
              <VehicleList {...{ by, now }} vehicles={data.vehicles} selected={search.vehicle} onSelect={select} />
            )}
          </div>
        </div>
      )}
    </div>
  );
}
