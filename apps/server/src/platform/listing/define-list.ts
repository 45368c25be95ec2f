import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { currentLimitKey } from '../calls/call-steps.ts';
import { streamList } from '../calls/json-stream.ts';
import { isId, type Scope } from '../../kernel/index.ts';
import type { Cache } from './cache.ts';
import { fingerprint } from './cursor.ts';
import type { Fragment, Reader } from './fragment.ts';
import type { KeySamples } from './key-samples.ts';
import { matching, wholeStatement, type KeyedList } from './list.ts';
import { readCountedPage, usualJumps, type PageRequest, type Totals } from './page.ts';
import { limitOf, type ListQuery } from './request.ts';
import type { RowStreams } from './row-streams.ts';
import { readShortPage, wholeList, type ShortList } from './short-list.ts';

/** What lists are read with. */
export interface ListSources {
  readonly reader: Reader;
  readonly streams: RowStreams;
  /** Caches the totals of lists that are paged by key. */
  readonly totals?: Cache<Totals>;
  /** Stores rows of long lists, from which jumps begin. */
  readonly keySamples?: KeySamples;
}

/** What a domain knows of a list: its rows within a scope, and how they are answered. */
export interface ListDefinition<S extends Scope, Query extends ListQuery, Row, Item> {
  /** @throws DomainError `request.invalid` for an unknown sort, field or filter */
  of(scope: S, query: Query): KeyedList | ShortList;
  /** @param index position in the list, from 0 */
  toDto(row: Row, index: number): Item;
}

/** A page of a list; adjacent pages have cursors if it is paged by key. */
export interface ListPage<Row> extends Totals {
  readonly rows: Row[];
  /** Index of the first row in the whole list. */
  readonly offset: number;
  readonly next?: string | null;
  readonly previous?: string | null;
}

/** A list: its pages, its first row, all of its rows, and the answer to its call (decisions/0031). */
export function defineList<S extends Scope, Query extends ListQuery, Row, Item>({
  of,
  toDto,
}: ListDefinition<S, Query, Row, Item>) {
  const page = (sources: Omit<ListSources, 'streams'>, scope: S, query: Query, limit: number): Promise<ListPage<Row>> => {
    const list = of(scope, query);
    return 'segments' in list
      ? readKeyedPage(sources, list, scope, query, limit)
      : readShortPage(sources.reader, list, query, limit);
  };

  const rows = (streams: RowStreams, scope: S, query: Query): AsyncIterable<Row> =>
    streams.open<Row>(statementOf(of(scope, query), wholeList));

  const copyWith = (streams: RowStreams, scope: S, query: Query, read: Pick<KeyedList, 'columns' | 'joins'>) =>
    streams.copy(wholeStatement({ ...keyed(of(scope, query)), ...read }));

  const items = (streams: RowStreams, scope: S, query: Query): AsyncIterable<Item> => mapRows(rows(streams, scope, query), toDto);

  const read = async (sources: ListSources, scope: S, query: Query, form: 'data' | 'account') => {
    const limit = limitOf(query);
    if (limit === undefined) return streamList(items(sources.streams, scope, query), form);
    const { rows: found, ...rest } = await page(sources, scope, query, limit);
    return { list: found.map((row, index) => toDto(row, rest.offset + index)), rest };
  };

  return {
    page,
    /** The first row, or undefined. */
    async first(reader: Reader, scope: S, query: Query): Promise<Row | undefined> {
      const list = of(scope, query);
      return (await reader.rows<Row>(statementOf(list, sql`limit 1`), list.prepared))[0];
    },
    /** All rows, streamed. @throws DomainError `server.busy` when too many lists are streamed */
    rows,
    /** All rows of a list that is paged by key, with other columns, copied. @throws as `rows` */
    copyWith,
    /** As `rows`, as the API returns them. */
    items,
    /** The answer to a call: a page if it asks for one, else the whole list, streamed. */
    async respond(sources: ListSources, scope: S, query: Query) {
      const response = await read(sources, scope, query, 'data');
      return response instanceof Readable ? response : { result: response.list, ...response.rest };
    },
    /** The same in the form of the account service. */
    async accountResponse(sources: ListSources, scope: S, query: Query) {
      const response = await read(sources, scope, query, 'account');
      return response instanceof Readable ? response : { result: { list: response.list }, ...response.rest };
    },
  };
}

function keyed(list: KeyedList | ShortList): KeyedList {
  if ('segments' in list) return list;
  throw new Error('Only a list that is paged by key has columns of its own.');
}

function statementOf(list: KeyedList | ShortList, part: Fragment): Fragment {
  return 'segments' in list ? sql`${wholeStatement(list)} ${part}` : list.rows(part);
}

/** Each row of a stream, mapped. */
export async function* mapRows<Row, Item>(
  rows: AsyncIterable<Row>,
  map: (row: Row, index: number) => Item,
): AsyncGenerator<Item> {
  let index = 0;
  for await (const row of rows) yield map(row, index++);
}

/** From this many rows on, counting to the middle of a list takes too long. */
const LONG_LIST = 100_000;

async function readKeyedPage<Row>(
  { reader, totals, keySamples }: Omit<ListSources, 'streams'>,
  list: KeyedList,
  scope: Scope,
  query: ListQuery,
  limit: number,
): Promise<ListPage<Row>> {
  const prepared = list.prepared ?? list.filters.length === 0;
  const counted = countedKey(list, scope, query);
  const total = list.count ?? sql`select count(*)::int as total from ${list.table} where ${matching(list)}`;
  const read = async () => (await reader.rows<Totals>(total, prepared))[0]!;
  const count = totals === undefined ? read() : totals.get(scope.mainAccountId, `${reader.source.name()} ${counted}`, read);
  const named = { ...list, prepared, fingerprint: fingerprint([counted, query.sort]) };
  const keySample = (waits: boolean) => keySamples?.[waits ? 'wait' : 'find'](scope.mainAccountId, named, reader);
  const [page, counts] = await Promise.all([
    readCountedPage<Row>(reader, named, requestOf(list, query, limit), count, {
      ...usualJumps,
      short: keySamples?.from ?? usualJumps.short,
      keySample,
    }),
    count,
  ]);
  // After the page, so that the two do not slow each other down; without filters, before anyone jumps.
  const isLong = counts.total > LONG_LIST && (list.filters.length === 0 || page.offset > usualJumps.short);
  if (isLong) keySamples?.prepare(scope.mainAccountId, named, reader);
  return { ...page, ...counts };
}

function requestOf(list: KeyedList, { offset, cursor, around }: ListQuery, limit: number): PageRequest {
  return {
    limit,
    ...(offset === undefined ? {} : { offset }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(around !== undefined && isId(around) ? { around: idIs(list, around) } : {}),
  };
}

function idIs({ alias }: KeyedList, id: string): Fragment {
  return sql`${sql.ref(`${alias}.id`)} = ${id}::uuid`;
}

/** Parts of a query that do not change which rows a list has. */
const unrelated = new Set(['limit', 'offset', 'cursor', 'around', 'sort', 'org', 'realm']);

/** Identifies the counted list: its scope and filters. */
function countedKey({ name, dependsOn }: KeyedList, scope: Scope, query: ListQuery): string {
  const whose = scope.kind === 'main' ? `main ${scope.mainAccountId}` : scope.organizationId;
  const filters = Object.entries(query).filter(([key]) => !unrelated.has(key));
  return JSON.stringify([name, whose, currentLimitKey(), dependsOn, filters.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}
