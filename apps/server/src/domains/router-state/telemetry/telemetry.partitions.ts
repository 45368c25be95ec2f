import { sql } from 'kysely';
import { utcDay } from '../../../kernel/calendar.ts';
import type { Database } from '../../../platform/ports/database.ts';
import { dayBefore, dropPartitions, ensurePartitions } from '../../../platform/retention/partitions.ts';

const DAY_MS = 86_400_000;

/** The time range of the existing partitions, without gaps: epoch milliseconds, `until` excluded. */
export interface TimeWindow {
  readonly from: number;
  readonly until: number;
}

/** Create the daily partitions of the time series around `now`. Idempotent. @returns the time range they cover */
export async function ensureTimePartitions(database: Database, now: Date): Promise<TimeWindow> {
  await ensurePartitions(database, 'ensure_partitions', now);
  return database.write(async (tx) => {
    const { rows } = await sql<{ day: string }>`
      select right(c.relname, 8) as day from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = 'telemetry'::regclass`.execute(tx);
    return windowAround(now.getTime(), new Set(rows.map(({ day }) => day)));
  });
}

/** Drop all but the last `days` days. @returns how many partitions were dropped */
export function dropOldPartitions(database: Database, now: Date, days: number): Promise<number> {
  return dropPartitions(database, 'drop_partitions_before', dayBefore(now, days));
}

function windowAround(now: number, days: ReadonlySet<string>): TimeWindow {
  const has = (time: number) => days.has(utcDay(new Date(time)).replaceAll('-', ''));
  let from = startOfDay(now);
  let until = from + DAY_MS;
  while (has(from - DAY_MS)) from -= DAY_MS;
  while (has(until)) until += DAY_MS;
  return { from, until };
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
