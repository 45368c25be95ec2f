import { type RawBuilder, sql } from 'kysely';
import type { Row, Tx } from '../../platform/ports/index.ts';
import { plannedOnce } from '../../platform/ports/planned-once.ts';
import { arraysOf, planSegments, type OpenSegment, type Segment } from '../../platform/segments/segments.ts';
import type { Reading } from './increase.ts';

/** A modem of a router. */
export interface Modem {
  readonly routerId: string;
  readonly modem: number;
}

export type ModemReading = Reading & Modem;

/** Readings of a modem that are not stored yet, in order of time. */
export interface NewReadings extends Modem {
  readonly readings: readonly ModemReading[];
  /** The newest stored reading, epoch milliseconds; -Infinity = there is none. */
  readonly lastAt: number;
}

export const modemKey = ({ routerId, modem }: Modem): string => `${routerId} ${modem}`;

/** Rows with the ids of modems as `k`. */
export const modemsAs = (modems: readonly Modem[]) =>
  sql`unnest(${modems.map(({ routerId }) => routerId)}::uuid[], ${modems.map(({ modem }) => modem)}::integer[]) k (router_id, modem)`;

/** Store readings: those behind the open segment in it, or in a new one if its hour or its SIM is over; late ones in segments of their own. */
export async function storeInSegments(tx: Tx, added: readonly NewReadings[]): Promise<void> {
  if (added.length === 0) return;
  const opened = await readOpen(tx, added);
  const plans = added.map((each) => ({
    ...each,
    ...planSegments(each.readings, { open: opened.get(modemKey(each)), lastAt: each.lastAt }, ({ iccid }) => iccid),
  }));
  const closing = plans.filter(({ closesOpen }) => closesOpen);
  if (closing.length > 0)
    await sql`insert into usage_segments (${columns})
      ${asComplete(sql`(select o.* from ${modemsAs(closing)} join open_usage_segments o using (router_id, modem))`)}`.execute(tx);
  const complete = plans.flatMap((plan) => plan.complete);
  if (complete.length > 0) await sql`insert into usage_segments (${columns}) select * from ${rowsOf(complete)} s`.execute(tx);
  const open = Map.groupBy(
    plans.flatMap((plan) => plan.open ?? []),
    ({ rows }) => opened.has(modemKey(rows[0]!)),
  );
  await addToOpen(tx, open.get(true) ?? []);
  await beginOpen(tx, open.get(false) ?? []);
}

/** Put readings in front of those of open segments that begin at the same time, and replace the others. */
async function addToOpen(tx: Tx, segments: readonly Segment<ModemReading>[]): Promise<void> {
  if (segments.length === 0) return;
  await sql`${plannedOnce}update open_usage_segments o set at = s.at, iccid = s.iccid,
      readings = case when o.at = s.at then s.readings || o.readings else s.readings end
    from ${openRowsOf(segments)} s where o.router_id = s.router_id and o.modem = s.modem`.execute(tx);
}

async function beginOpen(tx: Tx, segments: readonly Segment<ModemReading>[]): Promise<void> {
  if (segments.length === 0) return;
  await sql`insert into open_usage_segments (router_id, modem, at, iccid, readings) select * from ${openRowsOf(segments)} s`.execute(
    tx,
  );
}

async function readOpen(tx: Tx, modems: readonly Modem[]): Promise<Map<string, OpenSegment>> {
  const { rows } = await sql<
    Row<'open_usage_segments', 'router_id' | 'modem' | 'at' | 'iccid'> & { count: number }
  >`${plannedOnce}
    select o.router_id, o.modem, o.at, o.iccid, array_length(o.readings, 1) as count
    from ${modemsAs(modems)} join open_usage_segments o using (router_id, modem)`.execute(tx);
  return new Map(
    rows.map(({ router_id: routerId, modem, at, count, iccid }) => [
      modemKey({ routerId, modem }),
      { at: at.getTime(), count, group: iccid },
    ]),
  );
}

const columns = sql`router_id, modem, at, iccid, milliseconds, uptimes, sent, received`;

/** Open segments, with `columns`. @param open rows of `open_usage_segments` */
export const asComplete = (open: RawBuilder<unknown>) => sql`
  select o.router_id, o.modem, o.at, o.iccid, sorted.*
  from ${open} o cross join lateral (
    select array_agg(millisecond::integer), array_agg(uptime::integer), array_agg(sent), array_agg(received)
    from (select * from unnest(o.readings[:][1:1], o.readings[:][2:2], o.readings[:][3:3], o.readings[:][4:4])
      r (millisecond, uptime, sent, received) order by millisecond) r
  ) sorted`;

/** Rows of `open_usage_segments`; their readings have the last one in front. */
function openRowsOf(segments: readonly Segment<ModemReading>[]) {
  const firsts = segments.map(({ rows }) => rows[0]!);
  const readings = segments.map(({ at: begin, rows }) => {
    const values = rows.map(({ at, uptime, sent, received }) => `{${at - begin},${uptime},${sent},${received}}`);
    return `{${values.toReversed().join()}}`;
  });
  return sql`(select router_id, modem, at, iccid, readings::bigint[]
    from unnest(${firsts.map(({ routerId }) => routerId)}::uuid[], ${firsts.map(({ modem }) => modem)}::integer[],
      ${segments.map(({ at }) => new Date(at).toISOString())}::timestamptz[], ${firsts.map(({ iccid }) => iccid)}::text[], ${readings}::text[])
      u (router_id, modem, at, iccid, readings))`;
}

/** The rows of segments, with `columns`. */
function rowsOf(segments: readonly Segment<ModemReading>[]) {
  const firsts = segments.map(({ rows }) => rows[0]!);
  const of = (write: (reading: ModemReading, segment: Segment<ModemReading>) => number | null) => arraysOf(segments, write);
  return sql`(select router_id, modem, at, iccid, milliseconds::integer[], uptimes::integer[], sent::bigint[], received::bigint[]
    from unnest(${firsts.map(({ routerId }) => routerId)}::uuid[], ${firsts.map(({ modem }) => modem)}::integer[],
      ${segments.map(({ at }) => new Date(at).toISOString())}::timestamptz[], ${firsts.map(({ iccid }) => iccid)}::text[],
      ${of((reading, { at }) => reading.at - at)}::text[], ${of(({ uptime }) => uptime)}::text[], ${of(({ sent }) => sent)}::text[],
      ${of(({ received }) => received)}::text[]) u (${columns}))`;
}

/** Some readings of modems. */
export interface ModemRange extends Modem {
  /** Epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** The stored readings of modems from the last before each range to the first after it, in order of time. */
export async function readAround(tx: Tx, ranges: readonly ModemRange[]): Promise<ModemReading[][]> {
  if (ranges.length === 0) return [];
  const own = sql`s.router_id = k.router_id and s.modem = k.modem`;
  const times = (of: (range: ModemRange) => number) => ranges.map((range) => new Date(of(range)).toISOString());
  // What is before the range is in the hour of the last segment that begins before it; what is behind it, in its hour or the next segment.
  const { rows } = await sql<
    Row<'usage_readings', 'router_id' | 'modem' | 'at' | 'iccid' | 'uptime' | 'sent' | 'received'> & { place: number }
  >`
    select k.place::int as place, k.router_id, k.modem, s.at + r.millisecond * interval '1 millisecond' as at, s.iccid, r.uptime, r.sent, r.received
    from unnest(${ranges.map(({ routerId }) => routerId)}::uuid[], ${ranges.map(({ modem }) => modem)}::integer[],
        ${times(({ first }) => first)}::timestamptz[], ${times(({ last }) => last)}::timestamptz[]) with ordinality
        k (router_id, modem, first, last, place)
      cross join lateral (select
        coalesce((select max(s.at) from all_usage_segments s where ${own} and s.at < k.first), k.first) as from_at,
        coalesce((select min(s.at) from all_usage_segments s where ${own} and s.at > k.last), k.last) as until_at) b
      join all_usage_segments s on ${own} and s.at between date_trunc('hour', b.from_at, 'UTC') and b.until_at
      cross join lateral unnest(s.milliseconds, s.uptimes, s.sent, s.received) r (millisecond, uptime, sent, received)
    order by 1, 4`.execute(tx);
  const found = Map.groupBy(rows, ({ place }) => place);
  return ranges.map(({ first, last }, index) => {
    const readings = (found.get(index + 1) ?? []).map(({ place: _, router_id: routerId, at, ...row }) => ({
      ...row,
      routerId,
      at: at.getTime(),
    }));
    const begin = readings.findLastIndex(({ at }) => at < first);
    const end = readings.findIndex(({ at }) => at > last);
    return readings.slice(Math.max(0, begin), end < 0 ? readings.length : end + 1);
  });
}
