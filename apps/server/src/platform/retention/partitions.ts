import { sql } from 'kysely';
import { utcDay } from '../../kernel/calendar.ts';
import type { Database } from '../ports/database.ts';

const DAY_MS = 86_400_000;
/** What comes from routers that were without coverage is stored when it is this late. */
export const LATE_DAYS = 7;
/** Days made in advance, so that a job may miss some runs. */
export const FUTURE_DAYS = 3;

/** The ISO day so many days before now, in UTC. */
export const dayBefore = (now: Date, days: number): string => utcDay(new Date(now.getTime() - days * DAY_MS));

/**
 * Create the daily partitions of a time series around now. Idempotent.
 * @param ensure function of the database that creates them @returns the first time that is stored, epoch milliseconds
 */
export async function ensurePartitions(
  database: Pick<Database, 'write'>,
  ensure: string,
  now: Date,
  pastDays = LATE_DAYS,
): Promise<number> {
  const first = dayBefore(now, pastDays);
  await database.write((tx) => sql`select ${sql.id(ensure)}(${first}::date, ${dayBefore(now, -FUTURE_DAYS)}::date)`.execute(tx));
  return Date.parse(`${first}T00:00:00Z`);
}

/** Drop the partitions of days before `oldest`. @param drop function of the database that drops one @returns how many */
export async function dropPartitions(database: Pick<Database, 'write'>, drop: string, oldest: string): Promise<number> {
  // One in each transaction: it locks out the readers of its table.
  for (let dropped = 0; ; dropped++) {
    const { rows } = await database.write((tx) =>
      sql<{ dropped: number }>`select ${sql.id(drop)}(${oldest}::date) as dropped`.execute(tx),
    );
    if (rows[0]?.dropped !== 1) return dropped;
  }
}
