import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';
import { deleteInBatches } from '../../platform/retention/batches.ts';
import { dayBefore, dropPartitions, ensurePartitions, LATE_DAYS } from '../../platform/retention/partitions.ts';
import { asComplete } from './usage-segments.ts';

const HOUR_MS = 3_600_000;
/** Rows moved or deleted in one transaction. */
const BATCH = 10_000;

/** Create the partitions of readings around now. Idempotent. @returns the first time that is accepted, epoch milliseconds */
export function ensureUsagePartitions(database: Database, now: Date): Promise<number> {
  return ensurePartitions(database, 'ensure_usage_partitions', now);
}

/** Drop readings that no late report is compared with any more. @returns how many partitions were dropped */
export function dropOldReadings(database: Database, now: Date): Promise<number> {
  return dropPartitions(database, 'drop_usage_partitions_before', dayBefore(now, LATE_DAYS + 1));
}

/**
 * Move open segments of hours that are over to the others, in batches, and delete those that no late report is compared with any more. Only those of
 * modems without a reading since: others are closed by the next one.
 */
export async function closeOldSegments(database: Database, now: Date): Promise<void> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const oldest = dayBefore(now, LATE_DAYS + 1);
  const closeBatch = () =>
    database.write(async (tx) => {
      const { rows } = await sql<{ moved: number }>`with locked as materialized (
          select h.router_id, h.modem from usage_heads h join open_usage_segments o using (router_id, modem)
          where o.at < ${hour}::timestamptz order by h.router_id, h.modem limit ${BATCH} for update of h
        ), moved as (
          delete from open_usage_segments o using locked l where o.router_id = l.router_id and o.modem = l.modem and o.at < ${hour}::timestamptz
          returning o.*
        ), stored as (insert into usage_segments ${asComplete(sql`(select * from moved where at >= ${`${oldest}T00:00:00Z`}::timestamptz)`)})
        select count(*)::int as moved from locked`.execute(tx);
      return rows[0]!.moved;
    });
  while ((await closeBatch()) === BATCH) continue;
}

/** Delete days and cycles before the retention, in batches, and SIMs that have none left. */
export async function deleteOldUse(database: Database, now: Date, days: number): Promise<void> {
  const oldest = dayBefore(now, days);
  const tables = [
    { name: 'usage_days', column: 'day' },
    { name: 'usage_totals', column: 'day' },
    { name: 'usage_cycles', column: 'cycle_from' },
  ];
  for (const { name, column } of tables) {
    const table = sql.table(name);
    // A cycle is kept until its last day is deleted: at most 31 days after its first.
    const until = column === 'day' ? sql`${oldest}::date` : sql`${oldest}::date - 31`;
    await deleteInBatches(database, BATCH, (tx) =>
      sql`delete from ${table} t where t.ctid = any (array(
        select f.ctid from ${table} f where f.${sql.ref(column)} < ${until} limit ${BATCH}))`.execute(tx),
    );
  }
  await database.write((tx) => sql`delete from usage_plan_events where cycle_from < ${oldest}::date`.execute(tx));
  await database.write((tx) =>
    sql`delete from usage_sims s where s.created_at < ${now}::timestamptz - interval '32 days'
      and s.chosen_plan_id is null
      and not exists (select from usage_days d where d.organization_id = s.organization_id and d.iccid = s.iccid)`.execute(tx),
  );
}
