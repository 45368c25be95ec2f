// Reads tables of other domains: devices, groups, routers.
import { sql } from 'kysely';
import { DomainError, invalidField, type OrganizationScope } from '../../kernel/index.ts';
import { fingerprint, type Fragment, type ReadRows, type RowStreams, type TimedReader } from '../../platform/listing/index.ts';
import { udidColumn } from '../inventory/index.ts';
import { formatAnchor, parseAnchor, type AnchoredRecord, type Anchor, timeOf } from './record-anchors.ts';
import type { RecordRow } from './record.dto.ts';
import type { RecordQuestion } from './record.question.ts';
import { slicesOf, widthFor } from './record.slices.ts';
import { sourcesOf } from './record.sql.ts';
import type { TimeRange } from './time-range.ts';

/** The page: by the cursor after which it begins, or by its offset. */
export interface PageInput {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface RecordPage {
  readonly rows: RecordRow[];
  /** Records before the page. */
  readonly offset: number;
  readonly next: string | null;
}

/** Totals are exact up to this number, and pages can be opened up to it. */
export const MOST_COUNTED = 100_000;
/** The first slice is wide enough for several times the page: another slice costs more than sorting a few more records. */
const AMPLE = 4;
/** Sorting this many is faster than querying another slice. */
const SOON_SORTED = 2_000;
/** How many records a stream sorts at a time. */
const STREAMED_AT_ONCE = 400_000;
const DAY_MS = 86_400_000;

/**
 * One page of records, newest first by (time, router, property).
 * @throws DomainError `request.invalid` for a cursor of another query and for a page beyond the counting limit, `report.too_slow`
 */
export async function pageRecords(
  timed: TimedReader,
  scope: OrganizationScope,
  question: RecordQuestion,
  input: PageInput,
  now: Date,
): Promise<RecordPage> {
  const list = fingerprintOf(scope, question);
  const after = input.cursor === undefined || input.cursor === '' ? undefined : parseAnchor(list, input.cursor);
  const offset = after?.[5] ?? input.offset ?? 0;
  if (after === undefined && offset > MOST_COUNTED) throw invalidField('offset', `must be at most ${MOST_COUNTED}`);
  const found = await timed.read(async (rows) => {
    const sources = await countSources(rows, question);
    const skip = after === undefined ? offset : 0;
    return sources === 0 ? [] : findRows(rows, question, { after, skip, most: input.limit + 1, sources, now });
  });
  const shown = found.slice(0, input.limit);
  const last = shown.at(-1);
  const next = found.length > input.limit && last !== undefined ? formatAnchor(list, last, offset + shown.length) : null;
  return { rows: shown, offset, next };
}

/** How many records match, up to one more than the counting limit; undefined when counting takes too long. */
export async function countMatches(
  timed: TimedReader,
  question: RecordQuestion,
  most = MOST_COUNTED,
): Promise<number | undefined> {
  const sources = sourcesOf(question);
  if (sources.length === 0) return 0;
  const counted = sql`select count(*)::int as total from (
    select 1 from (${unionOf(sources)}) u limit ${most + 1}) c`;
  const rows = await unlessSlow(timed.read((read) => read<{ total: number }>(counted), COUNT_MS));
  return rows?.[0]!.total;
}

/** The response of a query; undefined when it takes too long. */
export async function unlessSlow<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof DomainError && error.key === 'report.too_slow') return undefined;
    throw error;
  }
}

/** Without a total after this time the page is returned without it. */
export const COUNT_MS = 4_000;

/**
 * All records of a query, newest first, slice by slice.
 * @throws DomainError `report.too_slow`, `server.busy`, before anything is sent
 */
export async function streamRecords(
  { timed, streams }: { readonly timed: TimedReader; readonly streams: RowStreams },
  question: RecordQuestion,
  now: Date,
): Promise<AsyncIterable<RecordRow>> {
  return readSlices(streams, question, await timed.read((rows) => countSources(rows, question)), now);
}

async function* readSlices(streams: RowStreams, question: RecordQuestion, sources: number, now: Date): AsyncGenerator<RecordRow> {
  if (sources === 0) return;
  const width = Math.min(DAY_MS, Math.max(60_000, widthFor(STREAMED_AT_ONCE, sources)));
  for (const slice of slicesOf(question.range, now, width, false)) {
    // One slice after another, each from its own snapshot: stored records never change.
    yield* streams.open<RecordRow>(named(sql`${unionOf(sourcesOf(question, slice))}`));
  }
}

interface Search {
  readonly after: Anchor | undefined;
  readonly skip: number;
  readonly most: number;
  /** Routers times properties. */
  readonly sources: number;
  readonly now: Date;
}

async function findRows(rows: ReadRows, question: RecordQuestion, search: Search): Promise<AnchoredRecord[]> {
  const { after, most, sources, now } = search;
  const found: AnchoredRecord[] = [];
  let { skip } = search;
  const range = after === undefined ? question.range : before(question.range, after[1]);
  for (const slice of slicesOf(range, now, widthFor(Math.max(SOON_SORTED, AMPLE * (most + skip)), sources), true)) {
    const records = anchored(unionOf(sourcesOf(question, slice)), after);
    if (skip > 0) {
      // oxlint-disable-next-line no-await-in-loop -- only now it is known whether the next slice is needed
      const [{ total }] = (await rows<{ total: number }>(sql`select count(*)::int as total from (${records}) r`)) as [
        { total: number },
      ];
      if (total <= skip) {
        skip -= total;
        continue;
      }
    }
    const page = sql`${records} order by ${order} limit ${most - found.length} offset ${skip}`;
    // oxlint-disable-next-line no-await-in-loop
    found.push(...(await rows<AnchoredRecord>(named(page))));
    skip = 0;
    if (found.length >= most) break;
  }
  return found;
}

/** How many routers a query covers, times the properties of each. */
async function countSources(rows: ReadRows, { devices, properties }: RecordQuestion): Promise<number> {
  if (properties.length === 0) return 0;
  const [row] = await rows<{ count: number }>(sql`select count(*)::int as count from devices d where ${devices}`);
  return row!.count * properties.length;
}

/** All sources as one; an empty list gives no rows of the same shape. */
export function unionOf(sources: readonly Fragment[]): Fragment {
  if (sources.length > 0) return sql.join([...sources], sql` union all `);
  return sql`select null::timestamptz as at, null::uuid as router_id, 0 as property, null::float8 as value, null::text as text_value,
    null::uuid as device_id where false`;
}

const mark = sql`(coalesce(u.text_value, u.value::text) collate "C")`;
const order = sql`u.at desc, u.router_id desc, u.property desc, ${mark} desc`;

/** Records after a cursor; the first half of the condition enters the time index. */
function anchored(records: Fragment, after: Anchor | undefined): Fragment {
  const all = sql`select u.*, ${mark} as mark from (${records}) u`;
  if (after === undefined) return all;
  const [, moment, router, property, text] = after;
  return sql`${all} where u.at <= ${moment}::timestamptz
    and (u.at, u.router_id, u.property, ${mark}) < (${moment}::timestamptz, ${router}::uuid, ${property}::int, ${text}::text collate "C")`;
}

/** The same records with the router that reported each, and the present names of its device and group; only those of the page are looked up. */
function named(records: Fragment): Fragment {
  return sql`select u.at, u.at::text as moment, u.router_id, u.property, u.value, u.text_value, u.device_id, ${mark} as mark,
      d.serial, ${udidColumn}, d.vehicle_number, case when u.router_id = d.router_id then d.model else r.model end as model, d.group_key, g.name as group_name
    from (${records}) u join devices d on d.id = u.device_id left join routers r on r.id = u.router_id
      left join groups g on g.organization_id = d.organization_id and g.key = d.group_key
    order by ${order}`;
}

function fingerprintOf(scope: OrganizationScope, { key }: RecordQuestion): string {
  return fingerprint([scope.organizationId, key]);
}

/** The part of a time range up to a time: a range excludes its end, and that millisecond may have more records. */
function before({ from, until }: TimeRange, moment: string): TimeRange {
  return { from, until: new Date(Math.min(until.getTime(), timeOf(moment) + 1)) };
}
