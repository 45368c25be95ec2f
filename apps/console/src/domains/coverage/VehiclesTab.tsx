import { coverage as calls } from '@highline/contract';
import type { TFunction } from 'i18next';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { PageLink } from '../../routing/PageLink.tsx';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListPage } from '../../api/ListPage.tsx';
import { useList } from '../../api/useList.ts';
import { useSession } from '../../api/session.ts';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber, NOT_REPORTED } from '../../ui/time/format.ts';
import { fetchVehicles, fetchVehiclesFile } from './coverage.api.ts';
import { vehicleList } from './coverage.lists.ts';
import type { TableTabProps } from './ZonesTab.tsx';

type Vehicle = calls.CoverageVehicle;

/** A difference with its sign. */
const difference = (value: number | null) => (value === null ? NOT_REPORTED : `${value > 0 ? '+' : ''}${formatNumber(value)} dB`);

function resultOf(t: TFunction, { isSuspect, samples }: Vehicle): string {
  if (isSuspect) return t('coverage.result.suspect');
  return samples < calls.ANTENNA_SAMPLES ? t('coverage.result.few') : t('coverage.result.usual');
}

function vehicleColumns(t: TFunction, isMain: boolean): readonly Column<Vehicle>[] {
  const number = (id: 'samples' | 'cells', sort?: string): Column<Vehicle> => ({
    id,
    header: t(`coverage.column.${id === 'samples' ? 'compared' : 'cells'}`),
    width: 150,
    numeric: true,
    text: (row) => String(row[id]),
    cell: (row) => formatNumber(row[id]),
    ...(sort !== undefined && { sort }),
  });
  const decibels = (id: 'rsrp' | 'rsrq'): Column<Vehicle> => ({
    id,
    header: t(`coverage.column.${id}`),
    width: 160,
    numeric: true,
    sort: id,
    text: (row) => String(row[id] ?? ''),
    cell: (row) => difference(row[id]),
  });
  return [
    {
      id: 'name',
      header: t('coverage.column.vehicle'),
      pinned: true,
      width: 200,
      text: ({ name }) => name,
      cell: ({ device, name }) => (
        <PageLink to="/devices/setting" search={{ device }}>
          {name}
        </PageLink>
      ),
    },
    ...(isMain
      ? [
          {
            id: 'org',
            header: t('coverage.column.org'),
            width: 200,
            text: (row: Vehicle) => row.orgName,
          },
        ]
      : []),
    decibels('rsrp'),
    {
      id: 'suspect',
      header: t('coverage.column.result'),
      width: 240,
      text: (row) => resultOf(t, row),
      cell: (row) => (
        <span className="coverage-result" data-suspect={row.isSuspect || undefined}>
          {resultOf(t, row)}
        </span>
      ),
    },
    decibels('rsrq'),
    number('samples', 'samples'),
    number('cells'),
    {
      id: 'serial',
      header: t('coverage.column.serial'),
      width: 160,
      optional: true,
      text: ({ serial }) => serial,
      cell: ({ serial }) => <span className="mono">{serial}</span>,
    },
  ];
}

/** Vehicles against the median of the others, the worst first. */
export function VehiclesTab({ query, filters }: TableTabProps): ReactNode {
  const { t } = useTranslation();
  const isMain = useSession().role === 'main';
  const columns = useMemo(() => vehicleColumns(t, isMain), [t, isMain]);
  const list = useList({
    spec: vehicleList,
    topics: [],
    key: [query],
    fetchPage: ({ sort, search, field, ignoreCase, limit, offset }, signal) =>
      fetchVehicles({ ...query, sort, search, field, ignoreCase, limit, offset }, signal),
  });
  const { sort, search, field, ignoreCase } = list.state.query;
  return (
    <ListPage
      list={list}
      isPart
      title={t('coverage.tab.vehicles')}
      count={(count, shown) => t('coverage.vehicles', { count, shown })}
      note={
        <p className="dim coverage-note">
          {t('coverage.compared', { decibels: formatNumber(calls.ANTENNA_DB), samples: calls.ANTENNA_SAMPLES })}
        </p>
      }
      actions={
        <DownloadButton
          fileName="coverage_vehicles.csv"
          list={{ id: vehicleList.id, columns, known: calls.coverageVehicleColumns }}
          hasWorkbook
          fetchFile={(language, shown, format) =>
            fetchVehiclesFile({ ...query, sort, search, field, ignoreCase, language, columns: shown, format })
          }
        />
      }
      caption={t('coverage.tab.vehicles')}
      columns={columns}
      rowId={({ device }) => device}
      fieldLabel={(name) => t(`coverage.field.${name}`)}
      filters={filters}
    />
  );
}
