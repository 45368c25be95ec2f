import { sql } from 'kysely';
import type { Database } from '../../platform/ports/database.ts';
import { deleteInBatches } from '../../platform/retention/batches.ts';
import { dayBefore, dropPartitions, ensurePartitions, LATE_DAYS } from '../../platform/retention/partitions.ts';
import { keepingLess } from './coverage.job.queries.ts';

/** Rows deleted in one transaction. */
const BATCH = 10_000;

/** The first slot that is read: nothing comes later than that, and older sums may be deleted already. */
export function oldestSlot(now: Date, retentionDays: number): Date {
  return new Date(`${dayBefore(now, Math.min(LATE_DAYS, retentionDays))}T00:00:00Z`);
}

/** Create the partitions around now. Idempotent. */
export async function ensureCoveragePartitions(database: Database, now: Date): Promise<void> {
  await ensurePartitions(database, 'ensure_coverage_partitions', now);
}

/** Drop slots that nothing late belongs to. */
export async function dropOldSlots(database: Database, now: Date): Promise<void> {
  await dropPartitions(database, 'drop_coverage_partitions_before', dayBefore(now, LATE_DAYS + 1));
}

/** Tables with a row of each day, in addition to the slots. */
export const byDay = [
  { name: 'coverage_days', column: 'day' },
  { name: 'coverage_vehicle_days', column: 'day' },
  { name: 'coverage_vehicle_totals', column: 'day' },
  { name: 'coverage_comparisons', column: 'day' },
  { name: 'coverage_networks', column: 'last_day' },
] as const;

/** Delete days before the retention, in batches; organizations that keep less have their own. @param days setting POSITION_DAYS */
export async function deleteOldCoverage(database: Database, now: Date, days: number): Promise<void> {
  for (const { name, column } of byDay)
    await deleteBatches(database, name, sql`t.${sql.ref(column)} < ${dayBefore(now, days)}::date`);
  for (const { id, days: own } of await keepingLess(database.read, days)) {
    const ofOrganization = sql`t.organization_id = ${id}::uuid`;
    const oldest = dayBefore(now, own);
    // Slots first: what is read again later must not be subtracted from sums that are gone.
    await deleteBatches(database, 'coverage_slots', sql`${ofOrganization} and t.slot < ${`${oldest}T00:00:00Z`}::timestamptz`);
    for (const { name, column } of byDay)
      await deleteBatches(database, name, sql`${ofOrganization} and t.${sql.ref(column)} < ${oldest}::date`);
  }
}

async function deleteBatches(database: Database, name: string, condition: ReturnType<typeof sql>): Promise<void> {
  const table = sql.table(name);
  await deleteInBatches(database, BATCH, (tx) =>
    sql`delete from ${table} t where (t.tableoid, t.ctid) in (
      select t.tableoid, t.ctid from ${table} t where ${condition} limit ${BATCH})`.execute(tx),
  );
}
