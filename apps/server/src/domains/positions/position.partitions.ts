import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';
import { asComplete } from './position-segments.ts';
import { dayBefore, dropPartitions, ensurePartitions, LATE_DAYS } from '../../platform/retention/partitions.ts';

const HOUR_MS = 3_600_000;
/** Rows moved in one transaction. */
const BATCH = 5_000;

/**
 * Create the partitions around now. Idempotent.
 * @param retentionDays setting POSITION_DAYS @returns the first time that is stored, epoch milliseconds
 */
export function ensurePositionPartitions(database: Database, now: Date, retentionDays: number): Promise<number> {
  return ensurePartitions(database, 'ensure_position_partitions', now, Math.min(LATE_DAYS, retentionDays));
}

/** Drop all but the last days. @returns how many partitions were dropped */
export function dropOldPositions(database: Database, now: Date, days: number): Promise<number> {
  return dropPartitions(database, 'drop_position_partitions_before', dayBefore(now, days));
}

/**
 * Move open segments of hours that are over to the others, in batches, and delete those that are older than the last days.
 * Only those of routers that have sent nothing since: others are closed by the next position.
 */
export async function closeOldSegments(database: Database, now: Date, days: number): Promise<void> {
  const oldest = dayBefore(now, days);
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const closeBatch = () =>
    database.write(async (tx) => {
      const { rows } = await sql<{ moved: number }>`with moved as (
          delete from open_position_segments where router_id in (
            select router_id from open_position_segments where at < ${hour}::timestamptz order by router_id limit ${BATCH} for update)
          returning *
        ), stored as (insert into position_segments ${asComplete(sql`(select * from moved where at >= ${`${oldest}T00:00:00Z`}::timestamptz)`)})
        select count(*)::int as moved from moved`.execute(tx);
      return rows[0]!.moved;
    });
  while ((await closeBatch()) === BATCH) continue;
}
