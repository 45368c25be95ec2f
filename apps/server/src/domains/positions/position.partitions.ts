import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';

const DAY_MS = 86_400_000;
/** Trails of routers that were without coverage arrive late. */
const PAST_DAYS = 7;
/** Days made in advance, so that a job may miss some runs. */
const FUTURE_DAYS = 3;

/**
 * Create the partitions around now. Idempotent.
 * @param retentionDays setting POSITION_DAYS @returns the first time that is stored, epoch milliseconds
 */
export async function ensurePositionPartitions(database: Database, now: Date, retentionDays: number): Promise<number> {
  const first = dayOf(now.getTime() - Math.min(PAST_DAYS, retentionDays) * DAY_MS);
  const last = dayOf(now.getTime() + FUTURE_DAYS * DAY_MS);
  await database.write((tx) => sql`select ensure_position_partitions(${first}::date, ${last}::date)`.execute(tx));
  return Date.parse(`${first}T00:00:00Z`);
}

/** Drop all but the last days. @returns how many partitions were dropped */
export async function dropOldPositions(database: Database, now: Date, days: number): Promise<number> {
  const oldest = dayOf(now.getTime() - days * DAY_MS);
  // One in each transaction: it locks out the readers of its table.
  for (let dropped = 0; ; dropped++) {
    const { rows } = await database.write((tx) =>
      sql<{ dropped: number }>`select drop_position_partitions_before(${oldest}::date) as dropped`.execute(tx),
    );
    if (rows[0]?.dropped !== 1) return dropped;
  }
}

/** ISO day of UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
