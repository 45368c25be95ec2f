import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Reports of routers that were without coverage arrive late; older ones do not count. */
const PAST_DAYS = 7;
/** Days made in advance, so that a job may miss some runs. */
const FUTURE_DAYS = 3;
/** Rows moved or deleted in one transaction. */
const BATCH = 10_000;

/** Create the partitions of readings around now. Idempotent. @returns the first time that is accepted, epoch milliseconds */
export async function ensureUsagePartitions(database: Database, now: Date): Promise<number> {
  const first = dayOf(now.getTime() - PAST_DAYS * DAY_MS);
  const last = dayOf(now.getTime() + FUTURE_DAYS * DAY_MS);
  await database.write((tx) => sql`select ensure_usage_partitions(${first}::date, ${last}::date)`.execute(tx));
  return Date.parse(`${first}T00:00:00Z`);
}

/** Drop readings that no late report is compared with any more. @returns how many partitions were dropped */
export async function dropOldReadings(database: Database, now: Date): Promise<number> {
  const oldest = dayOf(now.getTime() - (PAST_DAYS + 1) * DAY_MS);
  // One in each transaction: it locks out the readers of its table.
  for (let dropped = 0; ; dropped++) {
    const { rows } = await database.write((tx) =>
      sql<{ dropped: number }>`select drop_usage_partitions_before(${oldest}::date) as dropped`.execute(tx),
    );
    if (rows[0]?.dropped !== 1) return dropped;
  }
}

/**
 * Move open segments of hours that are over to the others, in batches, and delete those that no late report is compared with any more. Only those of
 * modems without a reading since: others are closed by the next one.
 */
export async function closeOldSegments(database: Database, now: Date): Promise<void> {
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const oldest = dayOf(now.getTime() - (PAST_DAYS + 1) * DAY_MS);
  const closeBatch = () =>
    database.write(async (tx) => {
      const { rows } = await sql<{ moved: number }>`with locked as materialized (
          select h.router_id, h.modem from usage_heads h join open_usage_segments o using (router_id, modem)
          where o.at < ${hour}::timestamptz order by h.router_id, h.modem limit ${BATCH} for update of h
        ), moved as (
          delete from open_usage_segments o using locked l where o.router_id = l.router_id and o.modem = l.modem and o.at < ${hour}::timestamptz
          returning o.*
        ), stored as (insert into usage_segments select * from moved where at >= ${`${oldest}T00:00:00Z`}::timestamptz)
        select count(*)::int as moved from locked`.execute(tx);
      return rows[0]!.moved;
    });
  while ((await closeBatch()) === BATCH) continue;
}

/** Delete days and cycles before the retention, in batches, and SIMs that have none left. */
export async function deleteOldUse(database: Database, now: Date, days: number): Promise<void> {
  const oldest = dayOf(now.getTime() - days * DAY_MS);
  const tables = [
    { name: 'usage_days', column: 'day' },
    { name: 'usage_totals', column: 'day' },
    { name: 'usage_cycles', column: 'cycle_from' },
  ];
  for (const { name, column } of tables) {
    const table = sql.table(name);
    // A cycle is kept until its last day is deleted: at most 31 days after its first.
    const until = column === 'day' ? sql`${oldest}::date` : sql`${oldest}::date - 31`;
    const deleteBatch = () =>
      database.write(async (tx) => {
        const { numAffectedRows = 0n } = await sql`delete from ${table} t where t.ctid = any (array(
          select f.ctid from ${table} f where f.${sql.ref(column)} < ${until} limit ${BATCH}))`.execute(tx);
        return Number(numAffectedRows);
      });
    while ((await deleteBatch()) === BATCH) continue;
  }
  await database.write((tx) => sql`delete from usage_plan_events where cycle_from < ${oldest}::date`.execute(tx));
  await database.write((tx) =>
    sql`delete from usage_sims s where s.created_at < ${now}::timestamptz - interval '32 days'
      and s.chosen_plan_id is null
      and not exists (select from usage_days d where d.organization_id = s.organization_id and d.iccid = s.iccid)`.execute(tx),
  );
}

/** ISO day of UTC. */
function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
