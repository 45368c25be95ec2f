import { reports } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallInput } from '../../api/client.ts';
import { type Page, type PageRequest, REFRESH_MS } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import type { ListQuery, ListSearch } from '../../ui/list/spec.ts';
import { timeRangeOf } from './range.ts';
import type { reportList } from './reports.lists.ts';

export type ReportSearch = ListSearch<typeof reportList>;
export type CollectedRecord = reports.CollectedRecord;
export type Property = reports.Property;
export type SavedReport = reports.SavedReport;
type SavedBody = NonNullable<CallInput<typeof reports.saveReport>['body']>;

/** A page of records; `more`: there are more than `total`, and they go on at `next`. */
export interface RecordPage extends Page<CollectedRecord> {
  readonly more: boolean;
  readonly next: string | undefined;
  /** The cursor where a page begins that is beyond the counted rows. */
  readonly after: string | undefined;
}

/** The filters of the address as query parameters; undefined when their days are invalid. */
function questionOf(
  { id, group, device, property, value, ...days }: ReportSearch,
  zone: string,
): reports.RecordQuery | undefined {
  const range = timeRangeOf(days, zone, new Date());
  return range && { on: String(range.on), to: String(range.to), id, group, device, property, value };
}

/** One page of the records of a report, newest first. Invalid days have none. */
export async function fetchRecords(
  { limit, offset, ...search }: ListQuery<typeof reportList> & PageRequest,
  zone: string,
  signal: AbortSignal,
): Promise<RecordPage> {
  const question = questionOf(search, zone);
  if (question === undefined) return { rows: [], total: 0, more: false, next: undefined, after: search.after };
  const position = search.after === undefined ? { offset: offset ?? 0 } : { cursor: search.after };
  const response = await call(reports.listRecords, { query: { ...question, limit, ...position }, signal });
  return {
    rows: response.result,
    total: response.total ?? response.result.length,
    more: response.more === true,
    next: response.next ?? undefined,
    after: search.after,
    offset: offset ?? 0,
  };
}

/** The same records, all of them, as a workbook or CSV. @throws Error for invalid days: without any, the call has those of today */
export async function fetchReportFile(
  search: ReportSearch,
  how: { readonly format: 'xlsx' | 'csv'; readonly name: string; readonly zone: string; readonly language: Language },
): Promise<Blob> {
  const question = questionOf(search, how.zone);
  if (question === undefined) throw new Error('The days of the report are invalid.');
  return callFile(reports.exportRecords, { query: { ...question, ...how } });
}

/** The values that routers report over time. */
export const propertiesQuery = () =>
  queryOptions({
    queryKey: ['reports', 'properties'],
    queryFn: async ({ signal }) => (await call(reports.listProperties, { query: {}, signal })).result,
    staleTime: REFRESH_MS,
    meta: { topics: [] },
  });

/** The number of devices offered at once; a text narrows them down. */
const OFFERED = 20;

/** Devices, of a group or of all, whose name contains a text. */
export const deviceChoices = (group: string | undefined, search: string) =>
  queryOptions({
    queryKey: ['devices', 'offered', group, search],
    queryFn: async ({ signal }) => {
      const filter = search === '' ? {} : { search, ignoreCase: 'true' as const };
      const response = await call(reports.listDeviceData, { query: { ...filter, group, limit: OFFERED, offset: 0 }, signal });
      return { options: response.result, total: response.total ?? response.result.length };
    },
    placeholderData: keepPreviousData,
    meta: { topics: ['devices', 'groups'] },
  });

/** The reports a person saved, by name. */
export const savedReportsQuery = () =>
  queryOptions({
    queryKey: ['reports', 'saved'],
    queryFn: async ({ signal }) => (await call(reports.listReports, { query: {}, signal })).result,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['reports'] },
  });

/** Keep a question under its name; the same name again replaces it. */
export async function saveReport(body: SavedBody): Promise<SavedReport> {
  return (await call(reports.saveReport, { body })).result;
}

/** Forget a saved report. */
export async function deleteReport(report: string): Promise<void> {
  await call(reports.deleteReport, { params: { report } });
}
