import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Rows moved in one transaction. */
const BATCH = 5_000;
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

/**
 * Move open segments of hours that are over to the others, in batches, and delete those that are older than the last days.
 * Only those of routers that have sent nothing since: others are closed by the next position.
 */
export async function closeOldSegments(database: Database, now: Date, days: number): Promise<void> {
  const oldest = dayOf(now.getTime() - days * DAY_MS);
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const closeBatch = () =>
    database.write(async (tx) => {
      const { rows } = await sql<{ moved: number }>`with moved as (
          delete from open_position_segments where router_id in (
            select router_id from open_position_segments where at < ${hour}::timestamptz order by router_id limit ${BATCH} for update)
          returning *
        ), stored as (insert into position_segments select * from moved where at >= ${`${oldest}T00:00:00Z`}::timestamptz)
        select count(*)::int as moved from moved`.execute(tx);
      return rows[0]!.moved;
    });
  while ((await closeBatch()) === BATCH) continue;
}

/** ISO day of UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
