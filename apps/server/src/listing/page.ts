import { sql } from 'kysely';
import { readCursor, writeCursor, type Place } from './cursor.ts';
import { allOf, type Fragment, type Reader } from './fragment.ts';
import { bind, bound, type Segment, type SortKey } from './order.ts';

/** A list to be paged: whose rows, in which order, shown how. */
export interface List {
  /** See cursor.ts: names this list, so that cursors of others are refused. */
  readonly fingerprint: string;
  /** The listed table with its alias. */
  readonly table: Fragment;
  readonly alias: string;
  /** Primary key of the listed table. */
  readonly identity: readonly string[];
  /** Scope and filters. */
  readonly where: Fragment;
  /** What a row shows; evaluated for the rows of the page alone. */
  readonly columns: Fragment;
  readonly segments: readonly Segment[];
  /** The statements of this list come again and again (no filter that makes them rare): prepare them. */
  readonly prepared: boolean;
}

/** Which page. `cursor` wins over `around`, `around` over `offset`. */
export interface PageRequest {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
  /** Condition on the listed table that finds one row: the page it stands on is opened, or the first one when it is not listed. */
  readonly around?: Fragment;
}

export interface Page<Row> {
  readonly rows: Row[];
  /** Position of the first row in the whole list. */
  readonly offset: number;
  /** Cursors of the neighbours, null at the ends. */
  readonly next: string | null;
  readonly previous: string | null;
}

/** A row with the place it was read at. */
type Placed = { readonly segment: number; readonly keys: readonly string[]; readonly row: Record<string, unknown> };

/**
 * Read one page: a neighbour by key (as fast at the end of a million rows as at the start), any other by counting along an index.
 * @throws DomainError `request.invalid` for a cursor of another list
 */
export async function readPage<Row>(reader: Reader, list: List, request: PageRequest): Promise<Page<Row>> {
  if (request.cursor !== undefined) {
    const place = readCursor(list.fingerprint, request.cursor, list.segments);
    if (place.towards === 'next') return readForward(reader, list, request.limit, place.position + 1, place);
    return readBackward(reader, list, request.limit, place);
  }
  const offset =
    request.around === undefined ? (request.offset ?? 0) : await pageAround(reader, list, request.around, request.limit);
  return readForward(reader, list, request.limit, offset);
}

async function readForward<Row>(reader: Reader, list: List, limit: number, offset: number, after?: Place): Promise<Page<Row>> {
  const found: Placed[] = [];
  let skip = after === undefined ? offset : 0;
  for (let segment = after?.segment ?? 0; segment < list.segments.length && found.length <= limit; segment += 1) {
    const keys = segment === after?.segment ? after.keys : undefined;
    const rows = await readSegment(reader, list, segment, {
      limit: limit + 1 - found.length,
      skip,
      backward: false,
      ...(keys && { keys }),
    });
    found.push(...rows);
    if (rows.length > 0) skip = 0;
    else if (skip > 0) skip -= await countSegment(reader, list, segment);
  }
  const placed = found.slice(0, limit);
  return pageOf(list, placed, offset, found.length > limit);
}

/** The page that ends before a place. One that would be shorter than a page because the list begins there is the first page. */
async function readBackward<Row>(reader: Reader, list: List, limit: number, before: Place): Promise<Page<Row>> {
  const found: Placed[] = [];
  for (let segment = before.segment; segment >= 0 && found.length < limit; segment -= 1) {
    const keys = segment === before.segment ? before.keys : undefined;
    found.push(
      ...(await readSegment(reader, list, segment, {
        limit: limit - found.length,
        skip: 0,
        backward: true,
        ...(keys && { keys }),
      })),
    );
  }
  const offset = before.position - found.length;
  if (found.length < limit || offset <= 0) return readForward(reader, list, limit, 0);
  return pageOf(list, found.reverse(), offset, true);
}

function pageOf<Row>(list: List, placed: readonly Placed[], offset: number, more: boolean): Page<Row> {
  const first = placed[0];
  const last = placed.at(-1);
  const cursor = (towards: Place['towards'], { segment, keys }: Placed, position: number) =>
    writeCursor(list.fingerprint, { towards, segment, position, keys });
  return {
    rows: placed.map(({ row }) => row as Row),
    offset,
    next: more && last !== undefined ? cursor('next', last, offset + placed.length - 1) : null,
    previous: offset > 0 && first !== undefined ? cursor('previous', first, offset) : null,
  };
}

interface SegmentRead {
  readonly limit: number;
  readonly skip: number;
  readonly backward: boolean;
  /** Begin after the row with these keys, in the direction of reading. */
  readonly keys?: readonly string[];
}

async function readSegment(reader: Reader, list: List, index: number, read: SegmentRead): Promise<Placed[]> {
  const segment = list.segments[index]!;
  const statement = segmentStatement(list, segment, read);
  const rows = await reader.rows<Record<string, unknown>>(statement, list.prepared && read.skip === 0);
  return rows.map((row) => ({ segment: index, keys: segment.keys.map((_, key) => row[`#${key}`] as string), row }));
}

/** Find the keys of the rows in an index first, then fetch what those few rows show. */
function segmentStatement(list: List, segment: Segment, read: SegmentRead): Fragment {
  const direction = segment.descending === read.backward ? sql`asc` : sql`desc`;
  const places = segment.keys.map((_, index) => sql.ref(`place.${keyName(index)}`));
  const found = segment.nested !== undefined && read.skip === 0 ? nestedRows(list, segment, read) : flatRows(list, segment, read);
  const same = allOf(list.identity.map((column) => sql`${sql.ref(`${list.alias}.${column}`)} = ${sql.ref(`place.${column}`)}`));
  return sql`select ${list.columns}, ${sql.join(places.map((place, index) => sql`${place}::text as ${sql.id(`#${index}`)}`))}
    from (${found}) place join ${list.table} on ${same}
    order by ${sql.join(places.map((place) => sql`${place} ${direction}`))}`;
}

function flatRows(list: List, segment: Segment, read: SegmentRead): Fragment {
  const conditions = [list.where, ...(segment.where === undefined ? [] : [segment.where])];
  if (read.keys !== undefined) conditions.push(beyond(segment.keys, bindAll(segment.keys, read.keys), isUpward(segment, read)));
  return sql`select ${identityOf(list)}, ${keyColumns(segment.keys)} from ${segment.from} where ${allOf(conditions)}
    order by ${orderOf(segment.keys, isUpward(segment, read))} limit ${sql.lit(read.limit)} ${skipOf(read)}`;
}

/** Walk the outer rows in order and take at most a page from each: stops as soon as the page is full. */
function nestedRows(list: List, segment: Segment, read: SegmentRead): Fragment {
  const { outer, outerWhere, outerKeys, inner, on } = segment.nested!;
  const upward = isUpward(segment, read);
  const heads = segment.keys.slice(0, outerKeys);
  const tails = segment.keys.slice(outerKeys);
  const outerConditions = [outerWhere];
  const innerConditions = [list.where, ...(segment.where === undefined ? [] : [segment.where]), on];
  if (read.keys !== undefined) {
    const headValues = bindAll(heads, read.keys);
    const atHead = sql`(${tuple(heads.map((key) => key.column))} = ${tuple(headValues)})`;
    outerConditions.push(beyond(heads, headValues, upward, true));
    // Only the outer row the place is in begins in its middle; each later one begins at its start.
    const from = tails.map(
      (key, index) => sql`case when ${atHead} then ${bind(key, read.keys![outerKeys + index]!)} else ${bound(key, !upward)} end`,
    );
    innerConditions.push(beyond(tails, from, upward));
  }
  const tailNames = tails.map((_, index) => sql.ref(`r.${keyName(outerKeys + index)}`));
  return sql`select ${sql.join(list.identity.map((column) => sql.ref(`r.${column}`)))},
      ${sql.join(heads.map((key, index) => sql`${key.column} as ${sql.id(keyName(index))}`))}, ${sql.join(tailNames)}
    from ${outer} cross join lateral (
      select ${identityOf(list)}, ${sql.join(tails.map((key, index) => sql`${key.column} as ${sql.id(keyName(outerKeys + index))}`))}
      from ${inner} where ${allOf(innerConditions)}
      order by ${orderOf(tails, upward)} limit ${sql.lit(read.limit)}
    ) r where ${allOf(outerConditions)}
    order by ${sql.join([...heads.map((key) => key.column), ...tailNames].map((column) => sql`${column} ${upward ? sql`asc` : sql`desc`}`))}
    limit ${sql.lit(read.limit)}`;
}

/** Where the page begins that a row stands on; 0 when the row is not in the list. */
async function pageAround(reader: Reader, list: List, condition: Fragment, limit: number): Promise<number> {
  let before = 0;
  for (const [index, segment] of list.segments.entries()) {
    const keys = await findKeys(reader, list, segment, condition);
    if (keys === undefined) {
      before += await countSegment(reader, list, index);
      continue;
    }
    before += await countSegment(reader, list, index, keys);
    return Math.floor(before / limit) * limit;
  }
  return 0;
}

async function findKeys(reader: Reader, list: List, segment: Segment, condition: Fragment): Promise<string[] | undefined> {
  const conditions = allOf([list.where, condition, ...(segment.where === undefined ? [] : [segment.where])]);
  const [row] = await reader.rows<Record<string, string>>(
    sql`select ${sql.join(segment.keys.map((key, index) => sql`${key.column}::text as ${sql.id(keyName(index))}`))}
      from ${segment.from} where ${conditions} limit 1`,
  );
  return row && segment.keys.map((_, index) => row[keyName(index)]!);
}

/** Rows of a segment; with `before` only those in front of the row with these keys. */
async function countSegment(reader: Reader, list: List, index: number, before?: readonly string[]): Promise<number> {
  const segment = list.segments[index]!;
  const conditions = [list.where, ...(segment.where === undefined ? [] : [segment.where])];
  if (before !== undefined) conditions.push(beyond(segment.keys, bindAll(segment.keys, before), segment.descending));
  const [row] = await reader.rows<{ total: number }>(
    sql`select count(*)::int as total from ${segment.from} where ${allOf(conditions)}`,
  );
  return row!.total;
}

function beyond(keys: readonly SortKey[], values: readonly Fragment[], upward: boolean, orEqual = false): Fragment {
  const sign = upward ? sql`>` : sql`<`;
  return sql`${tuple(keys.map((key) => key.column))} ${sign}${orEqual ? sql`=` : sql``} ${tuple(values)}`;
}

function tuple(values: readonly Fragment[]): Fragment {
  return sql`(${sql.join([...values])})`;
}

function bindAll(keys: readonly SortKey[], values: readonly string[]): Fragment[] {
  return keys.map((key, index) => bind(key, values[index]!));
}

function isUpward(segment: Segment, read: SegmentRead): boolean {
  return segment.descending === read.backward;
}

function orderOf(keys: readonly SortKey[], upward: boolean): Fragment {
  return sql.join(keys.map((key) => sql`${key.column} ${upward ? sql`asc` : sql`desc`}`));
}

function skipOf({ skip }: SegmentRead): Fragment {
  return skip === 0 ? sql`` : sql`offset ${skip}`;
}

function keyName(index: number): string {
  return `key_${index}`;
}

function keyColumns(keys: readonly SortKey[]): Fragment {
  return sql.join(keys.map((key, index) => sql`${key.column} as ${sql.id(keyName(index))}`));
}

function identityOf(list: List): Fragment {
  return sql.join(list.identity.map((column) => sql.ref(`${list.alias}.${column}`)));
}
