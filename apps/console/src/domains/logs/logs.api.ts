import { logs } from '@highline/contract';
import { call, callFile } from '../../api/client.ts';
import { searchQuery } from '../../api/searchQuery.ts';
import type { Page, PageRequest } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import type { ListSearch } from '../../ui/list/spec.ts';
import type { logList } from './logs.lists.ts';

export type LogEntry = logs.LogEntry;
export type LogSearch = ListSearch<typeof logList>;

function toQuery(search: LogSearch) {
  const { sort, span, from, until, entry } = search;
  return {
    sort,
    span,
    // An address typed by hand may contain anything; an invalid cursor is ignored.
    ...(entry !== undefined && /^[1-9]\d{0,14}$/u.test(entry) ? { entry: Number(entry) } : {}),
    ...(span === 'custom' ? { from, until } : {}),
    ...searchQuery(search, 'any'),
  };
}

/** One page of the log; days are those of `zone`. */
export async function fetchLog(search: LogSearch, zone: string, page: PageRequest, signal: AbortSignal): Promise<Page<LogEntry>> {
  const answer = await call(logs.listLogs, { query: { ...toQuery(search), ...page, zone }, signal });
  return { rows: answer.result, total: answer.total ?? answer.result.length, offset: answer.offset };
}

/** The same list as CSV. */
export function fetchLogFile(search: LogSearch, zone: string, language: Language): Promise<Blob> {
  return callFile(logs.exportLogs, { query: { ...toQuery(search), zone, language } });
}
