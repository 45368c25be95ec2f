import { reports } from '@highline/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from '#i18n';
import { DownloadButton } from '../../api/DownloadButton.tsx';
import { ListStatus } from '../../api/ListStatus.tsx';
import { type List, useList } from '../../api/useList.ts';
import { FilterBar } from '../../ui/filter/FilterBar.tsx';
import type { Filter } from '../../ui/filter/filter.ts';
import { useLanguage } from '../../ui/language.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ColumnChooser } from '../../ui/table/ColumnChooser.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { Column } from '../../ui/table/column.ts';
import type { Pager } from '../../ui/table/props.ts';
import { formatDay, formatNumber } from '../../ui/time/format.ts';
import { useNow } from '../../ui/time/now.ts';
import { useZone } from '../../ui/time/zone.ts';
import { ReportForm } from './ReportForm.tsx';
import { useDeviceName, useGroupName } from './names.ts';
import { useProperties } from './useProperties.ts';
import { propertyName } from './property.ts';
import { defaultName, wholeDays } from './range.ts';
import { recordColumns } from './record-columns.tsx';
import { type CollectedRecord, fetchRecords, fetchReportFile, type RecordPage, type ReportSearch } from './reports.api.ts';
import { reportList } from './reports.lists.ts';
import './reports.css';

type Records = List<typeof reportList, CollectedRecord, RecordPage>;

const idOf = ({ device, field, on, field_value }: CollectedRecord) => `${device} ${field} ${on} ${String(field_value)}`;

/** The active filters as chips; the form above sets them. */
function useChips(search: ReportSearch): readonly Filter[] {
  const { t } = useTranslation();
  const property = useProperties().find(({ property_id }) => property_id === search.property);
  const shown: Readonly<Record<string, string | undefined>> = {
    day:
      search.day === 'custom'
        ? `${formatDay(search.from ?? '')}–${formatDay(search.until ?? '')}`
        : search.day === undefined
          ? undefined
          : t(`reports.day.${search.day}`),
    group: useGroupName(search.group ?? ''),
    device: useDeviceName(search.device ?? ''),
    property: property === undefined ? search.property : propertyName(property.property_id, property.property_name, t),
  };
  const field = { day: 'days', id: 'id', group: 'group', device: 'device', property: 'property', value: 'value' } as const;
  return (Object.keys(field) as (keyof typeof field)[]).map((name) => ({
    name,
    label: t(`reports.field.${field[name]}`),
    options: [],
    value: search[name],
    shown: shown[name],
  }));
}

function Tools({ list, columns }: { list: Records; columns: readonly Column<CollectedRecord>[] }): ReactNode {
  const { search, change, clear } = list.state;
  const remove = (name: string) =>
    change({
      after: undefined,
      ...(name === 'day' ? { day: undefined, from: undefined, until: undefined } : { [name]: undefined }),
    });
  return (
    <FilterBar filters={useChips(search)} onFilter={remove} onClear={clear}>
      <ColumnChooser id={reportList.id} columns={columns} />
    </FilterBar>
  );
}

function Sub({ list }: { list: Records }): ReactNode {
  const { t } = useTranslation();
  const { response } = list;
  if (response === undefined) return <span>&nbsp;</span>;
  const shown = formatNumber(response.total);
  return (
    <>
      {response.more ? t('reports.moreThan', { shown }) : t('reports.count', { count: response.total, shown })} ·{' '}
      <ListStatus updatedAt={list.updatedAt} />
    </>
  );
}

/** Numbered pages as far as they were counted, and further pages one by one. */
function pagerOf({ response, state: { search, page, size, change } }: Records): Pager {
  const uncounted = response?.more === true;
  const beyond = search.after !== undefined;
  const next = response?.next;
  const atEnd = beyond || page * size >= (response?.total ?? 0);
  return {
    sizes: reports.REPORT_PAGE_SIZES,
    uncounted,
    beyond,
    // The previous rows are still on the screen; the next page is already loading.
    waiting: response?.after !== search.after || response?.offset !== (page - 1) * size,
    onContinue: uncounted && atEnd && next !== undefined ? () => change({ page: page + 1, after: next }) : undefined,
  };
}

function Files({ search }: { search: ReportSearch }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const language = useLanguage();
  const now = useNow();
  const disabledReason = wholeDays(search, zone, now) === undefined ? t('reports.fault.days') : undefined;
  const name = search.name ?? defaultName(search, zone, now);
  // Characters that file names must not contain.
  const fileName = name.replaceAll(/[\\/:*?"<>|]/gu, '-');
  const fetchFile = (format: 'xlsx' | 'csv') => fetchReportFile(search, { format, name: fileName, zone, language });
  return (
    <>
      <DownloadButton
        label={t('reports.excel')}
        fileName={`${fileName}.xlsx`}
        fetchFile={() => fetchFile('xlsx')}
        disabledReason={disabledReason}
      />
      <DownloadButton fileName={`${fileName}.csv`} fetchFile={() => fetchFile('csv')} disabledReason={disabledReason} />
    </>
  );
}

/** /reports/list/{type}: what routers reported, by days, group, device, property and value (RPT-01, RPT-02). */
export function ReportList(): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const properties = useProperties();
  const columns = useMemo(() => recordColumns(t, zone, properties), [t, zone, properties]);
  const list: Records = useList({
    spec: reportList,
    // Names and groups are current ones. Records arrive every second of a day, so they wait for the refresh.
    topics: ['devices', 'groups'],
    key: [zone],
    fetchPage: (query, signal) => fetchRecords(query, zone, signal),
  });
  const { search, change } = list.state;
  return (
    <div className="page">
      <PageHeader title={t('reports.title')} sub={<Sub list={list} />} actions={<Files search={search} />} />
      <ReportForm search={search} onSearch={(draft) => change({ after: undefined, ...draft })} />
      <DataTable
        id={reportList.id}
        caption={t('reports.caption')}
        columns={columns}
        rowId={idOf}
        source={list.source}
        view={list.view}
        defaultSize={reportList.defaultSize}
        pager={pagerOf(list)}
        // A page number leads to a counted page; the cursor is dropped.
        onView={(part) => change({ after: undefined, ...part } as Partial<ReportSearch>)}
        filtered={list.state.filtered}
        onClearFilters={list.state.clear}
        tools={<Tools list={list} columns={columns} />}
      />
    </div>
  );
}
