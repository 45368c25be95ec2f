import { coverage as calls } from '@highline/contract';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { formatPlace } from '../../entities/places/place-address.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import type { Filter } from '../../ui/filter/filter.ts';
import type { Column } from '../../ui/table/column.ts';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { LevelText } from './CellTable.tsx';
import { fetchZones, fetchZonesFile } from './coverage.api.ts';
import { zoneList } from './coverage.lists.ts';
import { searchOutages, type sharedQuery } from './coverage.ts';
import { usePlaceName } from './usePlaceName.ts';

type Zone = calls.DeadZone;

function zoneColumns(t: TFunction, placeName: ReturnType<typeof usePlaceName>): readonly Column<Zone>[] {
  const number = (id: 'minutes' | 'drops' | 'samples', sort?: string): Column<Zone> => ({
    id,
    header: t(`coverage.column.${id}`),
    width: 150,
    numeric: true,
    text: (row) => String(row[id]),
    cell: (row) => formatNumber(row[id]),
    ...(sort !== undefined && { sort }),
  });
  return [
    {
      id: 'rank',
      header: t('coverage.column.rank'),
      width: 80,
      numeric: true,
      text: ({ rank }) => String(rank),
      cell: ({ rank }) => rank,
    },
    {
      id: 'cell',
      header: t('coverage.column.place'),
      width: 280,
      text: placeName,
      cell: (row) => (
        <Link
          to="/coverage"
          search={((before: object) => ({ ...before, tab: undefined, cell: row.cell, at: formatPlace(row) })) as never}
        >
          {placeName(row)}
        </Link>
      ),
    },
    number('minutes', 'minutes'),
    {
      ...number('drops', 'drops'),
      cell: ({ cell, drops }) => (
        <Link
          to="/outages"
          search={searchOutages(cell)}
          aria-label={t('coverage.outagesOf', { count: drops, shown: formatNumber(drops) })}
        >
          {formatNumber(drops)}
        </Link>
      ),
    },
    {
      id: 'rsrp',
      header: t('coverage.column.signal'),
      width: 210,
      text: ({ rsrp }) => String(rsrp ?? ''),
      cell: ({ rsrp }) => (
        <>
          <LevelText rsrp={rsrp} /> {rsrp !== null && `${formatNumber(rsrp)} dBm`}
        </>
      ),
    },
    {
      id: 'rsrq',
      header: 'RSRQ',
      width: 110,
      numeric: true,
      text: ({ rsrq }) => String(rsrq ?? ''),
      cell: ({ rsrq }) => (rsrq === null ? NOT_REPORTED : `${formatNumber(rsrq)} dB`),
    },
    number('samples'),
  ];
}

export interface TableTabProps {
  readonly query: ReturnType<typeof sharedQuery>;
  readonly filters: readonly Filter[];
}

/** Where connections were lost, the most minutes first. */
export function ZonesTab({ query, filters }: TableTabProps): ReactNode {
  const { t } = useTranslation();
  const placeName = usePlaceName();
  const columns = useMemo(() => zoneColumns(t, placeName), [t, placeName]);
  const list = useList({
    spec: zoneList,
    topics: [],
    key: [query],
    fetchPage: ({ sort, limit, offset }, signal) => fetchZones({ ...query, sort, limit, offset }, signal),
  });
  const { change, clear } = list.state;
  return (
    <ListPage
      list={list}
      isPart
      title={t('coverage.tab.zones')}
      count={(count, shown) => t('coverage.zones', { count, shown })}
      actions={
        <DownloadButton
          fileName="coverage_dead_zones.csv"
          list={{ id: zoneList.id, columns, known: calls.deadZoneColumns }}
          hasWorkbook
          fetchFile={(language, shown, format) =>
            fetchZonesFile({ ...query, sort: list.state.search.sort, language, columns: shown, format })
          }
        />
      }
      caption={t('coverage.tab.zones')}
      columns={columns}
      rowId={({ cell }) => cell}
      tools={
        <FilterBar filters={filters} onFilter={(name, value) => change({ [name]: value })} onClear={clear}>
          <ColumnChooser id={zoneList.id} columns={columns} />
        </FilterBar>
      }
    />
  );
}
