import { sql } from 'kysely';
import type { Database } from '../../../platform/ports/database.ts';

const DAY_MS = 86_400_000;
/** Reports of routers that were without coverage arrive late; missing days are created for them. */
const PAST_DAYS = 7;
/** Days made in advance, so that a job may miss some runs. */
const FUTURE_DAYS = 3;

/** The time range of the existing partitions, without gaps: epoch milliseconds, `until` excluded. */
export interface TimeWindow {
  readonly from: number;
  readonly until: number;
}

/** Create the daily partitions of the time series around `now`. Idempotent. @returns the time range they cover */
export async function ensureTimePartitions(database: Database, now: Date): Promise<TimeWindow> {
  const first = dayOf(now.getTime() - PAST_DAYS * DAY_MS);
  const last = dayOf(now.getTime() + FUTURE_DAYS * DAY_MS);
  return database.write(async (tx) => {
    await sql`select ensure_partitions(${first}::date, ${last}::date)`.execute(tx);
    const { rows } = await sql<{ day: string }>`
      select right(c.relname, 8) as day from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = 'telemetry'::regclass`.execute(tx);
    return windowAround(now.getTime(), new Set(rows.map(({ day }) => day)));
  });
}

/** Drop all but the last `days` days. @returns how many partitions were dropped */
export async function dropOldPartitions(database: Database, now: Date, days: number): Promise<number> {
  const oldest = dayOf(now.getTime() - days * DAY_MS);
  // One in each transaction: it locks out the readers of its table.
  for (let dropped = 0; ; dropped++) {
    const { rows } = await database.write((tx) =>
      sql<{ dropped: number }>`select drop_partitions_before(${oldest}::date) as dropped`.execute(tx),
    );
    if (rows[0]?.dropped !== 1) return dropped;
  }
}

function windowAround(now: number, days: ReadonlySet<string>): TimeWindow {
  const has = (time: number) => days.has(dayOf(time).replaceAll('-', ''));
  let from = startOfDay(now);
  let until = from + DAY_MS;
  while (has(from - DAY_MS)) from -= DAY_MS;
  while (has(until)) until += DAY_MS;
  return { from, until };
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/** ISO day of UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
