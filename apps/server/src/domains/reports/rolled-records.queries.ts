// Reads tables of other domains: devices, router_ownership, telemetry_days, telemetry_hours, telemetry_late, telemetry_reports, telemetry_rollup.
import { sql } from 'kysely';
import { allOf, type Fragment, type ReadRows } from '../../platform/listing/index.ts';
import { valuesOfReport, valuesOfRollup } from '../router-state/index.ts';
import type { RecordQuestion } from './record.question.ts';
import { otherSourcesOf, ownersOf, reportedValues, singleValues, sourcesOf, withinAny } from './record.sql.ts';
import { unionOf } from './records.queries.ts';
import type { TimeRange } from './time-range.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** With more pieces than this, single values are read. */
const MOST_PIECES = 200;

/** The hours that are rolled up. */
export type RolledRange = TimeRange;

export async function readRolledRange(rows: ReadRows): Promise<RolledRange> {
  const [row] = await rows<RolledRange>(sql`select rolled_from as "from", rolled_until as until from telemetry_rollup`);
  return row!;
}

interface Pieces {
  readonly days: TimeRange[];
  readonly hours: TimeRange[];
  readonly single: TimeRange[];
}

/**
 * Split a time range into days of UTC and hours that are rolled up and that no window border divides, and the rest, whose values are
 * read one by one.
 * @param starts where windows begin, ascending
 */
export function piecesOf(range: TimeRange, starts: readonly Date[], rolled: RolledRange): Pieces {
  const pieces: Pieces = { days: [], hours: [], single: [] };
  const add = (pieces: TimeRange[], from: number, until: number) => {
    if (from >= until) return;
    const last = pieces.at(-1);
    const begins = last?.until.getTime() === from ? pieces.pop()!.from : new Date(from);
    pieces.push({ from: begins, until: new Date(until) });
  };
  const borders = [range.from, ...starts.filter((start) => start > range.from && start < range.until), range.until];
  for (let index = 1; index < borders.length; index++) {
    const [from, until] = [borders[index - 1]!.getTime(), borders[index]!.getTime()];
    const firstHour = Math.max(ceiling(from, HOUR_MS), rolled.from.getTime());
    const lastHour = Math.min(floor(until, HOUR_MS), rolled.until.getTime());
    if (firstHour >= lastHour) {
      add(pieces.single, from, until);
      continue;
    }
    const [firstDay, lastDay] = [ceiling(firstHour, DAY_MS), floor(lastHour, DAY_MS)];
    add(pieces.single, from, firstHour);
    add(pieces.hours, firstHour, Math.min(firstDay, lastHour));
    add(pieces.days, firstDay, lastDay);
    add(pieces.hours, Math.max(firstDay, lastDay), lastHour);
    add(pieces.single, lastHour, until);
  }
  return pieces;
}

const floor = (time: number, width: number) => Math.floor(time / width) * width;
const ceiling = (time: number, width: number) => Math.ceil(time / width) * width;

/**
 * The records of a query as rows of (at, device_id, count, sum, min, max), where a row stands for as many records as its count says; none of
 * them crosses a window border. Sum, least and greatest value are null for records that are no numbers.
 */
export function rolledSourcesOf(question: RecordQuestion, starts: readonly Date[], rolled: RolledRange): Fragment {
  const { properties, range, value } = question;
  const numbers = properties.filter(({ source }) => source === 'telemetry').map(({ number }) => number);
  const pieces = piecesOf(range, starts, rolled);
  const isRolled = pieces.hours.length + pieces.days.length > 0;
  if (value.kind !== 'any' || numbers.length === 0 || !isRolled || pieces.single.length > MOST_PIECES)
    return singly(unionOf(sourcesOf(question)));
  const sources = [
    singly(
      unionOf([...reportedValues(question, pieces.single), ...singleValues(question, range), ...otherSourcesOf(question, range)]),
    ),
    dividedHours(question, numbers),
    ...hours(question, numbers, pieces),
    ...(pieces.days.length === 0 ? [] : [days(question, numbers, pieces.days)]),
  ];
  return sql`with ${exceptions(question, pieces)} ${sql.join(sources, sql` union all `)}`;
}

function singly(records: Fragment): Fragment {
  return sql`select r.at, r.device_id, 1 as count, r.value as sum, r.value as min, r.value as max from (${records}) r`;
}

/**
 * Hours of routers that are read value by value: reports were added after they were rolled up, or the router changed hands within
 * them. Days with such an hour, or in which the router changed hands, are read hour by hour.
 */
function exceptions({ devices }: RecordQuestion, { days, hours }: Pieces): Fragment {
  const rolled = [...days, ...hours];
  return sql`borders as materialized (
      select o.router_id, b.at from devices d join router_ownership o on o.device_id = d.id
        cross join lateral (values (o.owned_from), (o.owned_until)) b (at)
      where ${allOf([devices, withinAny(sql`b.at`, rolled)])}
    ), divided_hours as materialized (
      select l.router_id, l.hour from telemetry_late l
      where ${withinAny(sql`l.hour`, rolled)} and l.router_id in (
        select o.router_id from devices d join router_ownership o on o.device_id = d.id where ${devices})
      union select b.router_id, date_trunc('hour', b.at, 'UTC') from borders b where b.at <> date_trunc('hour', b.at, 'UTC')
    ), divided_days as materialized (
      select x.router_id, date_trunc('day', x.hour, 'UTC') as day from divided_hours x
      union select b.router_id, date_trunc('day', b.at, 'UTC') from borders b where b.at <> date_trunc('day', b.at, 'UTC')
    )`;
}

function dividedHours({ devices }: RecordQuestion, numbers: readonly number[]): Fragment {
  return sql`select t.at, d.id as device_id, 1 as count, v.value as sum, v.value as min, v.value as max
    from divided_hours x join telemetry_reports t on t.router_id = x.router_id and t.at >= x.hour and t.at < x.hour + interval '1 hour'
      ${ownersOf('t')} cross join lateral ${valuesOfReport('t', numbers)}
    where ${allOf([sql`v.value is not null`, devices])}`;
}

const notDivided = sql`not exists (select from divided_hours x where x.router_id = r.router_id and x.hour = r.at)`;

function hours(question: RecordQuestion, numbers: readonly number[], { hours: requested, days: divided }: Pieces): Fragment[] {
  const whole =
    requested.length === 0 ? [] : [sql`from telemetry_hours r where ${withinAny(sql`r.at`, requested)} and ${notDivided}`];
  const ofDays =
    divided.length === 0
      ? []
      : [
          sql`from divided_days y join telemetry_hours r
              on r.router_id = y.router_id and r.at >= y.day and r.at < y.day + interval '24 hours'
            where ${withinAny(sql`y.day`, divided)} and ${notDivided}`,
        ];
  return [...whole, ...ofDays].map((rows) => rollups(question, numbers, sql`select r.* ${rows}`, sql`interval '1 hour'`));
}

function days(question: RecordQuestion, numbers: readonly number[], requested: readonly TimeRange[]): Fragment {
  const rows = sql`select r.* from telemetry_days r where ${withinAny(sql`r.at`, requested)}
    and not exists (select from divided_days y where y.router_id = r.router_id and y.day = r.at)`;
  return rollups(question, numbers, rows, sql`interval '24 hours'`);
}

/** Rollups of routers that one device had for the whole time that they cover. */
function rollups({ devices }: RecordQuestion, numbers: readonly number[], rows: Fragment, width: Fragment): Fragment {
  return sql`select r.at, d.id as device_id, v.count, v.sum, v.min, v.max from (${rows}) r
      join router_ownership o on o.router_id = r.router_id
        and o.owned_from <= r.at and coalesce(o.owned_until, 'infinity') >= r.at + ${width}
      join devices d on d.id = o.device_id
      cross join lateral ${valuesOfRollup('r', numbers)}
    where ${allOf([sql`v.count > 0`, devices])}`;
}
