import { logs } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallQuery } from '../../api/client.ts';
import { type Page, pageOf, type PageRequest, REFRESH_MS } from '../../api/useList.ts';
import type { ListQuery, ListSearch } from '../../ui/list/spec.ts';
import { untilToday } from '../../ui/time/format.ts';
import type { logList } from './logs.lists.ts';

export type LogEntry = logs.LogEntry;
export type LogSearch = ListSearch<typeof logList>;

/** The address's filters as the calls take them; days are those of `zone`. */
type LogQuery = ListQuery<typeof logList> & { readonly zone: string; readonly org: string | undefined };

function toQuery({ from, until, entry, ...query }: LogQuery) {
  return {
    ...query,
    // An address typed by hand may contain anything; an invalid position is ignored.
    ...(entry !== undefined && /^[1-9]\d{0,14}$/u.test(entry) ? { entry: Number(entry) } : {}),
    ...(query.span === 'custom' ? { from: untilToday(from, query.zone), until: untilToday(until, query.zone) } : {}),
  };
}

/** One page of the log. */
export async function fetchLog(query: LogQuery & PageRequest, signal: AbortSignal): Promise<Page<LogEntry>> {
  return pageOf(await call(logs.listLogs, { query: toQuery(query), signal }));
}

/** Those who are in the log. @param org chosen by the main account */
export const peopleQuery = (org: string | undefined) =>
  queryOptions({
    queryKey: ['logs', 'people', org],
    queryFn: async ({ signal }) => (await call(logs.logPeople, { query: { org }, signal })).result,
    staleTime: REFRESH_MS,
    // As the list: a person who is new in it can be chosen.
    refetchInterval: REFRESH_MS,
  });

/** The same list as CSV. */
export function fetchLogFile(
  query: LogQuery & Pick<CallQuery<typeof logs.exportLogs>, 'language' | 'columns' | 'only' | 'format'>,
): Promise<Blob> {
  return callFile(logs.exportLogs, { query: toQuery(query) });
}
