import { sql } from 'kysely';
import { DomainError, invalidField } from '../../kernel/failure.ts';
import type { DeviceLimit } from '../../kernel/scope.ts';
import { currentLimit, readPastLimit } from '../calls/call-steps.ts';
import { readCursor, writeCursor, type Anchor } from './cursor.ts';
import { allOf, type Fragment, type Reader } from './fragment.ts';
import { sampledBefore, type KeySample } from './key-samples.ts';
import type { List } from './list.ts';
import type { Segment } from './order.ts';
import {
  countBefore,
  countBetween,
  keysUpTo,
  keyName,
  outerCounts,
  anchorOf,
  anchorWithin,
  segmentCounts,
  placesOf,
  rowsAt,
  sliceOf,
  type SegmentRead,
} from './segment-sql.ts';

/** The requested page. `cursor` wins over `around`, `around` over `offset`. */
export interface PageRequest {
  readonly limit: number;
  readonly offset?: number;
  readonly cursor?: string;
  /**
   * Condition on the listed table that finds one row: the page with that row is returned, or the first one if it is not listed.
   */
  readonly around?: Fragment;
}

/** The number of rows of a list, and further numbers that are counted with it. */
export interface Totals {
  readonly total: number;
}

export interface Page<Row> {
  readonly rows: Row[];
  /** Index of the first row in the whole list. */
  readonly offset: number;
  /** Cursors of the adjacent pages, null at the ends. */
  readonly next: string | null;
  readonly previous: string | null;
}

/** A row with its position. */
type AnchoredRow = { readonly segment: number; readonly keys: readonly string[]; readonly row: Record<string, unknown> };

/**
 * Read one page: an adjacent page by key (as fast at the end of a million rows as at the start), any other by counting along
 * an index.
 * @throws DomainError `request.invalid` for a cursor of another list
 */
export async function readPage<Row>(reader: Reader, list: List, request: PageRequest): Promise<Page<Row>> {
  const { limit, offset = 0, cursor, around } = request;
  if (cursor === undefined)
    return readForward(reader, list, limit, around === undefined ? offset : await pageAround(reader, list, around, limit));
  const anchor = readCursor(list.fingerprint, cursor, list.segments);
  if (anchor.towards === 'previous') return readBackward(reader, list, limit, anchor);
  return readForward(reader, list, limit, anchor.position + 1, anchor);
}

/** How a jump to an offset is read: from a sample, or by counting along an index within these limits. */
export interface Jumps {
  /** Most rows counted from the nearer end of the list. */
  readonly most: number;
  /** Up to this offset, do not wait for the total. */
  readonly short: number;
  /** The list's own sample, if there is one. @param waits read it first */
  keySample?(waits: boolean): KeySample | undefined | Promise<KeySample>;
}

export const usualJumps: Jumps = { most: 500_000, short: 10_000 };

function tooFar(most: number): DomainError {
  return invalidField(
    'offset',
    `is more than ${most} rows from both ends. Narrow the list, sort it otherwise, or follow its cursors.`,
  );
}

/** Up to this many matching rows, a list is read from its filters; in a longer one, matches are found soon in any order. */
const FEW_ROWS = 2_000;

/**
 * Read one page and the total. When filters leave few rows, scanning an index in list order would skip nearly all rows: once the
 * count shows this, read through the filters' own index instead.
 */
export async function readCountedPage<Row>(
  reader: Reader,
  list: List,
  request: PageRequest,
  count: Promise<Totals>,
  jumps: Jumps = usualJumps,
): Promise<Page<Row>> {
  if (request.cursor !== undefined) readCursor(list.fingerprint, request.cursor, list.segments);
  if (request.cursor === undefined && request.around !== undefined && (await count).total > jumps.short) {
    const page = await readAround<Row>(reader, list, request.around, request.limit, jumps);
    if (page !== undefined) return page;
  }
  if (isJump(request, jumps)) {
    const page = await readJump<Row>(reader, list, request, (await count).total, jumps);
    if (page !== undefined) return page;
  }
  if (list.filters.length === 0) return readPage(reader, list, request);
  if (list.estimatable === true) {
    const [page, { total }] = await Promise.all([readPage<Row>(reader, list, request), count]);
    return total === 0 ? emptyPage() : page;
  }
  const { total } = await count;
  if (total === 0) return emptyPage();
  return readPage(reader, total > FEW_ROWS ? list : materialized(list), request);
}

/** A page far from the start of the list; undefined if it is found as any other one. */
async function readJump<Row>(
  reader: Reader,
  list: List,
  { limit, offset = 0 }: PageRequest,
  total: number,
  { most, short, keySample }: Jumps,
): Promise<Page<Row> | undefined> {
  // Beyond the end there are no rows to read.
  if (offset >= total) return total === 0 ? emptyPage() : { ...emptyPage(), offset };
  // The last page is counted from the end of the list as it is now: a sample may be some seconds old.
  const isNested = list.segments.some(({ nested }) => nested !== undefined);
  if (list.segments.length === 1 && !isNested && total - offset <= short) return readFromEnd(reader, list, limit, offset, total);
  const isFar = !isNested && Math.min(offset, total - offset) > most;
  const found = await keySample?.(isFar);
  if (found !== undefined) {
    const rows = await rowsFromSample(reader, list, limit, offset, found);
    if (rows.length > 0) return pageOf(list, rows.slice(0, limit), offset, rows.length > limit);
  }
  if (isNested) return undefined;
  if (isFar) throw tooFar(most);
  return offset > total / 2 ? readFromEnd(reader, list, limit, offset, total) : undefined;
}

/** The page with a row that is far from the start; undefined if it is found as any other one, or by counting. */
async function readAround<Row>(
  reader: Reader,
  list: List,
  condition: Fragment,
  limit: number,
  { short, keySample }: Jumps,
): Promise<Page<Row> | undefined> {
  const sampledRows = await keySample?.(false);
  if (sampledRows === undefined || list.segments.some(({ nested }) => nested !== undefined)) return undefined;
  for (const [index, segment] of list.segments.entries()) {
    const keys = keysOf(segment, await reader.rows<Record<string, string>>(anchorOf(list, segment, condition)));
    if (keys === undefined) continue;
    const known = sampledRows.filter((sampled) => sampled.segment === index);
    const [before] = await reader.rows<{ total: number }>(
      keysUpTo(
        segment,
        known.map((sampled) => sampled.keys),
        keys,
      ),
    );
    const sampled = known[before!.total - 1];
    if (sampled === undefined) return undefined;
    const [within] = await reader.rows<{ total: number }>(countBetween(list, segment, sampled.keys, keys));
    const offset = Math.floor((sampled.position + within!.total) / limit) * limit;
    const found = offset > short ? await rowsFromSample(reader, list, limit, offset, sampledRows) : [];
    // Rows that were removed since the sample was read may have moved it to the page before.
    const isThere = found.slice(0, limit).some((row) => row.segment === index && row.keys.every((key, at) => key === keys[at]));
    return isThere ? pageOf(list, found.slice(0, limit), offset, found.length > limit) : undefined;
  }
  return undefined;
}

/** The rows of a page at an offset and one more, from the last known row before it. */
async function rowsFromSample(
  reader: Reader,
  list: List,
  limit: number,
  offset: number,
  keySample: KeySample,
): Promise<AnchoredRow[]> {
  const sampled = sampledBefore(keySample, offset);
  if (sampled === undefined) return [];
  const { segment, keys, position } = sampled;
  const from = { limit: limit + 1, skip: offset - position, backward: false, keys, inclusive: true };
  return readOnward(reader, list, segment, await readSegment(reader, list, segment, from), limit);
}

/** The rows of a segment, and as many of the following ones as a page needs, with one more. */
async function readOnward(
  reader: Reader,
  list: List,
  segment: number,
  found: AnchoredRow[],
  limit: number,
): Promise<AnchoredRow[]> {
  for (let next = segment + 1; next < list.segments.length && found.length <= limit; next += 1)
    found.push(...(await readSegment(reader, list, next, { limit: limit + 1 - found.length, skip: 0, backward: false })));
  return found;
}

const emptyPage = () => ({ rows: [], offset: 0, next: null, previous: null });

function materialized(list: List): List {
  const matching = allOf([list.scope, ...list.filters]);
  const segments = list.segments.map(({ nested: _, ...segment }) => segment);
  if (segments.every(({ from }) => from === list.table)) {
    // `offset 0` keeps PostgreSQL from pushing the order into the subquery: rows are found by the filters, fetched once, and then
    // sorted.
    const found = sql`(select * from ${list.table} where ${matching} offset 0) ${sql.ref(list.alias)}`;
    return { ...list, segments: segments.map((segment) => ({ ...segment, from: found })) };
  }
  const id = sql.ref(`${list.alias}.${list.ownKey ?? 'id'}`);
  return { ...list, filters: [sql`${id} = any (array(select ${id} from ${list.table} where ${matching}))`], segments };
}

async function readForward<Row>(reader: Reader, list: List, limit: number, offset: number, after?: Anchor): Promise<Page<Row>> {
  let segment = after?.segment ?? 0;
  const skip = after === undefined ? offset : 0;
  const from = after === undefined ? {} : { keys: after.keys };
  const found = await readSegment(reader, list, segment, { limit: limit + 1, skip, backward: false, ...from });
  if (found.length === 0 && skip > 0 && list.segments.length > 1) {
    const targetSegment = targetSegmentOf(await countSegments(reader, list), offset);
    segment = targetSegment.segment;
    found.push(...(await readSegment(reader, list, segment, { limit: limit + 1, skip: targetSegment.skip, backward: false })));
  }
  await readOnward(reader, list, segment, found, limit);
  return pageOf(list, found.slice(0, limit), offset, found.length > limit);
}

/** The segment that contains an offset, and the offset within it. Beyond the end: the end of the last segment. */
function targetSegmentOf(counts: readonly number[], offset: number): { readonly segment: number; readonly skip: number } {
  let skip = offset;
  for (const [segment, count] of counts.entries()) {
    if (skip < count || segment === counts.length - 1) return { segment, skip };
    skip -= count;
  }
  return { segment: 0, skip };
}

function isJump({ cursor, around, offset = 0 }: PageRequest, { short }: Jumps): boolean {
  return cursor === undefined && around === undefined && offset > short;
}

/** The page at an offset nearer to the end, read backwards. */
async function readFromEnd<Row>(reader: Reader, list: List, limit: number, offset: number, total: number): Promise<Page<Row>> {
  const size = Math.min(limit, total - offset);
  let skip = total - offset - size;
  const counts = list.segments.length === 1 ? [total] : await countSegments(reader, list);
  const found: AnchoredRow[] = [];
  for (let segment = list.segments.length - 1; segment >= 0 && found.length < size; segment -= 1) {
    const count = counts[segment]!;
    if (skip < count)
      found.push(...(await readSegment(reader, list, segment, { limit: size - found.length, skip, backward: true })));
    skip = Math.max(0, skip - count);
  }
  return pageOf(list, found.reverse(), offset, offset + size < total);
}

/** The page that ends before a position. If the list begins within it, return the first page instead. */
async function readBackward<Row>(reader: Reader, list: List, limit: number, before: Anchor): Promise<Page<Row>> {
  const found = await readBefore(reader, list, limit, before);
  const offset = before.position - found.length;
  const first = found.at(-1);
  if (found.length < limit || first === undefined) return readForward(reader, list, limit, 0);
  // Rows that were added since the position was counted may be before these.
  const isFirst = offset <= 0 && (await readBefore(reader, list, 1, first)).length === 0;
  return isFirst ? readForward(reader, list, limit, 0) : pageOf(list, found.reverse(), Math.max(1, offset), true);
}

/** The rows before a row, the nearest first. */
async function readBefore(
  reader: Reader,
  list: List,
  limit: number,
  before: Pick<Anchor, 'segment' | 'keys'>,
): Promise<AnchoredRow[]> {
  const found: AnchoredRow[] = [];
  for (let segment = before.segment; segment >= 0 && found.length < limit; segment -= 1) {
    const from = segment === before.segment ? { keys: before.keys } : {};
    const read = { limit: limit - found.length, skip: 0, backward: true, ...from };
    found.push(...(await readSegment(reader, list, segment, read)));
  }
  return found;
}

function pageOf<Row>(list: List, anchored: readonly AnchoredRow[], offset: number, more: boolean): Page<Row> {
  const first = anchored[0];
  const last = anchored.at(-1);
  const cursor = (towards: Anchor['towards'], { segment, keys }: AnchoredRow, position: number) =>
    writeCursor(list.fingerprint, { towards, segment, position, keys });
  return {
    rows: anchored.map(({ row }) => row as Row),
    offset,
    next: more && last !== undefined ? cursor('next', last, offset + anchored.length - 1) : null,
    previous: offset > 0 && first !== undefined ? cursor('previous', first, offset) : null,
  };
}

/** Page sizes offered by the console; only these are prepared, or a caller could fill every connection with statements. */
const USUAL_SIZES = new Set([3, 5, 10, 20, 30, 40, 50]);

/** A page is read with one extra row, to know whether it is the last. */
function isUsual(limit: number): boolean {
  return USUAL_SIZES.has(limit) || USUAL_SIZES.has(limit - 1);
}

/** Rows of one segment, in reading order. */
async function readSegment(reader: Reader, list: List, index: number, read: SegmentRead): Promise<AnchoredRow[]> {
  const segment = list.segments[index]!;
  const jumps = segment.nested !== undefined && read.skip > 0 && read.keys === undefined;
  const keys = jumps ? await nestedAnchorAt(reader, list, segment, read.skip) : read.keys;
  if (jumps && keys === undefined) return [];
  const anchor = jumps ? { ...read, skip: 0, keys: keys!, inclusive: true } : read;
  const isPrepared = list.prepared && anchor.skip === 0 && isUsual(read.limit);
  const rows = await readRows(reader, list, segment, anchor, isPrepared);
  return rows.map((row) => ({ segment: index, keys: segment.keys.map((_, key) => row[`#${key}`] as string), row }));
}

type Rows = Record<string, unknown>[];

function readRows(reader: Reader, list: List, segment: Segment, anchor: SegmentRead, isPrepared: boolean): Promise<Rows> {
  const limit = currentLimit();
  if (limit === undefined || list.group === undefined) return reader.rows(sliceOf(list, segment, anchor), isPrepared);
  const isOwn = list.filters.length === 0 && segment.from === list.table && segment.nested === undefined;
  if (!isOwn || limit.tags.length > 0) return readApart(reader, list, segment, anchor, isPrepared);
  return readPastLimit(() => reader.rows(sliceOf(withinGroups(list, limit), segment, anchor), isPrepared));
}

/** What the views of a limit to groups alone show of a list without filters, from the tables (decisions/0169). */
function withinGroups(list: List, { organizationId, groups }: DeviceLimit): List {
  const own = sql`${sql.ref(`${list.alias}.organization_id`)} = ${organizationId}::uuid`;
  return { ...list, scope: allOf([list.scope, own]), onlyGroups: [...new Set(groups)] };
}

/** First which rows they are, within the limit of the call; then their columns. */
async function readApart(reader: Reader, list: List, segment: Segment, anchor: SegmentRead, isPrepared: boolean): Promise<Rows> {
  const places = await reader.rows<Record<string, string>>(placesOf(list, segment, anchor), isPrepared);
  if (places.length === 0) return [];
  return readPastLimit(() => reader.rows(rowsAt(list, segment, places), true));
}

/**
 * The keys of the row at an offset in a nested segment: count the rows of each outer row, then count into one. Sorting all rows
 * to skip most of them would cost ten times as much. Undefined beyond the end.
 */
async function nestedAnchorAt(reader: Reader, list: List, segment: Segment, skip: number): Promise<string[] | undefined> {
  const outer = await reader.rows<Record<string, string> & { total: number }>(outerCounts(list, segment));
  let before = 0;
  for (const row of outer) {
    if (skip < before + row.total) {
      const head = segment.keys.slice(0, segment.nested!.outerKeys).map((_, index) => row[keyName(index)]!);
      return keysOf(segment, await reader.rows<Record<string, string>>(anchorWithin(list, segment, head, skip - before)));
    }
    before += row.total;
  }
  return undefined;
}

/** Start of the page that contains a row; 0 when the row is not in the list. */
async function pageAround(reader: Reader, list: List, condition: Fragment, limit: number): Promise<number> {
  for (const [index, segment] of list.segments.entries()) {
    const keys = keysOf(segment, await reader.rows<Record<string, string>>(anchorOf(list, segment, condition)));
    if (keys === undefined) continue;
    const [[within], counts] = await Promise.all([
      reader.rows<{ total: number }>(countBefore(list, segment, keys)),
      index === 0 ? [] : countSegments(reader, list),
    ]);
    const before = counts.slice(0, index).reduce((sum, count) => sum + count, within!.total);
    return Math.floor(before / limit) * limit;
  }
  return 0;
}

async function countSegments(reader: Reader, list: List): Promise<number[]> {
  const [counts] = await reader.rows<Record<string, number>>(segmentCounts(list));
  return list.segments.map((_, index) => counts![keyName(index)]!);
}

function keysOf(segment: Segment, [row]: readonly Record<string, string>[]): string[] | undefined {
  return row && segment.keys.map((_, index) => row[keyName(index)]!);
}
