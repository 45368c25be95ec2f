import type { Operation } from '@highline/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { pageCount, pageOfOffset } from '../ui/list/paging.ts';
import type { ListQuery, ListSpec } from '../ui/list/spec.ts';
import { type ListState, useListState } from '../ui/list/useListState.ts';
import { useRefreshPaused } from '../ui/refresh.ts';
import type { OtherCase } from '../ui/table/props.ts';
import type { TableSource, TableView } from '../ui/table/source.ts';
import { callQuery, type CallQuery, type CallResponse } from './client.ts';
import { type Highlighted, useHighlights } from './highlights.ts';
import type { LiveTopic } from './live.ts';
import { useErrorText } from './useErrorText.ts';
import { useOtherCase } from './useOtherCase.ts';
import { type OtherFieldOf, useOtherFields } from './useOtherFields.ts';

/** Lists are refetched at this interval, in addition to the live stream (SHR-03). */
export const REFRESH_MS = 60_000;

/** After a failure the old rows stay, so the next attempt comes soon. */
const REFRESH_AFTER_FAILURE_MS = 5_000;

/** The offset and size of a page, or the row whose page is requested. */
export interface PageRequest {
  readonly limit: number;
  readonly offset?: number;
  readonly around?: string;
}

/** One page of a list in one form, whichever service answered. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly offset?: number | undefined;
}

interface ListResponse<Row> {
  readonly result: readonly Row[] | { readonly list: readonly Row[] };
  readonly total?: number | undefined;
  readonly offset?: number | undefined;
}

/** The page that a list call answered, in one form for both services. */
export function pageOf<Row>({ result, total, offset }: ListResponse<Row>): Page<Row> {
  const rows = 'list' in result ? result.list : result;
  return { rows, total: total ?? rows.length, offset };
}

type RowOf<Response> = Response extends ListResponse<infer Row> ? Row : never;

/** How one page of a list call is fetched. */
export function pagesOf<Op extends Operation>(
  operation: Op,
): (query: CallQuery<Op>, signal: AbortSignal) => Promise<Page<RowOf<CallResponse<Op>>>> {
  return async (query, signal) => pageOf((await callQuery(operation, query, signal)) as ListResponse<RowOf<CallResponse<Op>>>);
}

export interface ListOptions<Spec extends ListSpec, Response extends { readonly total: number }> {
  readonly spec: Spec;
  readonly topics: readonly LiveTopic[];
  /** Part of the query key besides the address, for example the time zone used for days. */
  readonly key?: readonly unknown[];
  readonly fetchPage: (query: ListQuery<Spec> & PageRequest, signal: AbortSignal) => Promise<Response>;
  /** Rows that were just changed are marked, and the list opens at their page (SHR-04). */
  readonly highlight?: Highlighted;
}

/** A list on the screen: its state in the address, its rows, and the props of its table. */
export interface List<Spec extends ListSpec, Row, Response = Page<Row>> {
  readonly spec: Spec;
  readonly state: ListState<Spec>;
  readonly response: Response | undefined;
  /** Rows that only a search without regard to upper and lower case would find. */
  readonly otherCase: OtherCase | undefined;
  /** Rows that the same text finds in the other fields of the list. */
  readonly otherFields: readonly OtherFieldOf<Spec['fields'][number]>[];
  readonly source: TableSource<Row>;
  readonly view: TableView;
  readonly onView: (change: { page?: number; size?: number; sort?: string | undefined }) => void;
  readonly highlighted: ReadonlySet<string>;
  /** It was opened at the page of a row that was just changed, or that a link leads to. */
  readonly opensAtRow: boolean;
  /** When the rows came, in ms; 0 = not yet. */
  readonly updatedAt: number;
  readonly reload: () => void;
  /** Every row that matches, page by page; at most `most`. */
  readonly loadAll: (most: number) => Promise<readonly Row[]>;
}

/** Rows that are selected one by one when all that match are chosen, on lists without jobs; of more only the file can be had. */
export const MOST_ROWS = 1_000;
const ROWS_PER_CALL = 200;

/** The row whose page the list opens at: only on a new visit, and never if the address names a page. */
function useAround(ids: readonly string[], pageInAddress: boolean) {
  return useState(() => (pageInAddress ? undefined : ids[0]));
}

/** Show a list that the server sorts, filters and pages; old rows stay while new ones load. */
export function useList<Spec extends ListSpec, Response extends Page<unknown>>(
  options: ListOptions<Spec, Response>,
): List<Spec, Response['rows'][number], Response> {
  const { spec, topics, key = [], fetchPage } = options;
  const client = useQueryClient();
  const state = useListState(spec);
  const paused = useRefreshPaused();
  const errorText = useErrorText();
  const ids = useHighlights(options.highlight);
  const { page, size, search } = state;
  const [around, setAround] = useAround(ids, search.page !== undefined);
  const [opensAtRow] = useState(around !== undefined);
  const { page: _page, size: _size, view: _view, ...filters } = search as Record<string, unknown>;
  const keyOf = (at: number | string) => [topics[0], spec.id, ...key, filters, size, at];

  const query = useQuery({
    queryKey: keyOf(around ?? page),
    queryFn: ({ signal }) =>
      fetchPage({ ...state.query, limit: size, ...(around === undefined ? { offset: (page - 1) * size } : { around }) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { status } }) => (paused ? false : status === 'error' ? REFRESH_AFTER_FAILURE_MS : REFRESH_MS),
    refetchOnWindowFocus: !paused,
    meta: { topics },
  });
  const response = query.data;
  const fresh = query.isPlaceholderData ? undefined : response;
  const { change } = state;

  // A row that is changed again opens the list with the earlier page, which is fetched again: only the new response is that of the address.
  const isOld = query.isFetching;
  useEffect(() => {
    if (around === undefined || fresh === undefined || isOld) return;
    const found = pageOfOffset(fresh.offset ?? 0, size);
    // The page is already here: store it as the response for its own address instead of fetching it twice.
    client.setQueryData(keyOf(found), fresh, { updatedAt: query.dataUpdatedAt });
    setAround(undefined);
    change({ page: found } as Parameters<typeof change>[0], true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the response is here
  }, [around, fresh, isOld]);

  useEffect(() => {
    // The last rows of the last page were deleted: show the page before it.
    if (fresh === undefined || around !== undefined || fresh.rows.length > 0 || fresh.total === 0 || page === 1) return;
    change({ page: pageCount(fresh.total, size) } as Parameters<typeof change>[0], true);
  }, [fresh, around, page, size, change]);

  const { search: text, ignoreCase } = filters;
  const otherCase = useOtherCase({
    enabled: text !== undefined && ignoreCase === undefined && fresh !== undefined && fresh.total === 0,
    queryKey: keyOf(0),
    count: async (signal) => (await fetchPage({ ...state.query, ignoreCase: 'true', limit: 1, offset: 0 }, signal)).total,
    show: () => change({ ignoreCase: 'true' } as Parameters<typeof change>[0]),
  });

  const searched = (filters.field as string | undefined) ?? spec.fields[0];
  const found = useOtherFields({
    enabled: text !== undefined && fresh !== undefined && fresh.total === 0,
    fields: spec.fields.filter((field) => field !== searched),
    queryKey: keyOf(0),
    count: async (field, signal) =>
      (await fetchPage({ ...state.query, field, ignoreCase: 'true', limit: 1, offset: 0 }, signal)).total,
    show: (field) => change({ field, ignoreCase: 'true' } as Parameters<typeof change>[0]),
  });

  // A field by its name says more than all of them together.
  const named = found.filter(({ field }) => field !== spec.unlisted);
  const otherFields = named.length > 0 ? named : found;

  const loadAll = async (most: number) => {
    const rows: Response['rows'][number][] = [];
    for (let offset = 0; offset < most; offset += ROWS_PER_CALL) {
      const found = await fetchPage({ ...state.query, limit: ROWS_PER_CALL, offset }, new AbortController().signal);
      rows.push(...found.rows);
      if (found.rows.length < ROWS_PER_CALL) break;
    }
    return rows;
  };

  return {
    loadAll,
    spec,
    state,
    response,
    otherCase,
    otherFields,
    source: {
      rows: response?.rows,
      total: response?.total,
      fetching: query.isFetching,
      error: query.error === null ? undefined : errorText(query.error),
      retry: () => void query.refetch(),
    },
    view: { page, size, sort: search.sort },
    onView: (part) => change(part as Parameters<typeof change>[0]),
    highlighted: new Set(ids),
    opensAtRow,
    updatedAt: query.dataUpdatedAt,
    reload: () => void client.invalidateQueries({ queryKey: [topics[0]] }),
  };
}

/** The table props that follow from a list; columns, caption and row links are added by the screen. */
export function tableOf<Spec extends ListSpec, Row, Response>(list: List<Spec, Row, Response>) {
  return {
    id: list.spec.id,
    source: list.source,
    view: list.view,
    defaultSize: list.spec.defaultSize,
    onView: list.onView,
    filtered: list.state.filtered,
    onClearFilters: list.state.clear,
    otherCase: list.otherCase,
    highlighted: list.highlighted,
  };
}
