import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { utcDay } from '../../kernel/calendar.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { keepingLess } from './coverage.job.queries.ts';

const DAY_MS = 86_400_000;
/** Late reports and positions are accepted for this long (router-state, positions). */
const PAST_DAYS = 7;
/** Days made in advance, so that a job may miss some runs. */
const FUTURE_DAYS = 3;
/** Rows deleted in one transaction. */
const BATCH = 10_000;

/** The first slot that is read: nothing comes later than that, and older sums may be deleted already. */
export function oldestSlot(now: Date, retentionDays: number): Date {
  return new Date(`${utcDay(new Date(now.getTime() - Math.min(PAST_DAYS, retentionDays) * DAY_MS))}T00:00:00Z`);
}

/** Create the partitions around now. Idempotent. */
export async function ensureCoveragePartitions(database: Database, now: Date): Promise<void> {
  const first = utcDay(new Date(now.getTime() - PAST_DAYS * DAY_MS));
  const last = utcDay(new Date(now.getTime() + FUTURE_DAYS * DAY_MS));
  await database.write((tx) => sql`select ensure_coverage_partitions(${first}::date, ${last}::date)`.execute(tx));
}

/** Drop slots that nothing late belongs to. */
export async function dropOldSlots(database: Database, now: Date): Promise<void> {
  const oldest = utcDay(new Date(now.getTime() - (PAST_DAYS + 1) * DAY_MS));
  // One in each transaction: it locks out the readers of its table.
  for (;;) {
    const { rows } = await database.write((tx) =>
      sql<{ dropped: number }>`select drop_coverage_partitions_before(${oldest}::date) as dropped`.execute(tx),
    );
    if (rows[0]?.dropped !== 1) return;
  }
}

const byDay = [
  { name: 'coverage_days', column: 'day' },
  { name: 'coverage_vehicle_days', column: 'day' },
  { name: 'coverage_vehicle_totals', column: 'day' },
  { name: 'coverage_comparisons', column: 'day' },
  { name: 'coverage_networks', column: 'last_day' },
] as const;

/** Delete days before the retention, in batches; organizations that keep less have their own. @param days setting POSITION_DAYS */
export async function deleteOldCoverage(database: Database, now: Date, days: number): Promise<void> {
  const before = (of: number) => utcDay(new Date(now.getTime() - of * DAY_MS));
  for (const { name, column } of byDay) await deleteBatches(database, name, sql`t.${sql.ref(column)} < ${before(days)}::date`);
  for (const { id, days: own } of await keepingLess(database.read, days)) {
    const ofOrganization = sql`t.organization_id = ${id}::uuid`;
    const oldest = before(own);
    // Slots first: what is read again later must not be subtracted from sums that are gone.
    await deleteBatches(database, 'coverage_slots', sql`${ofOrganization} and t.slot < ${`${oldest}T00:00:00Z`}::timestamptz`);
    for (const { name, column } of byDay)
      await deleteBatches(database, name, sql`${ofOrganization} and t.${sql.ref(column)} < ${oldest}::date`);
  }
}

async function deleteBatches(database: Database, name: string, condition: ReturnType<typeof sql>): Promise<void> {
  const table = sql.table(name);
  const deleteBatch = () =>
    database.write(async (tx) => {
      const { numAffectedRows = 0n } = await sql`delete from ${table} t where (t.tableoid, t.ctid) in (
          select t.tableoid, t.ctid from ${table} t where ${condition} limit ${BATCH})`.execute(tx);
      return Number(numAffectedRows);
    });
  while ((await deleteBatch()) === BATCH) continue;
}

/** Delete the coverage of an organization that is being purged. */
export async function purgeCoverageOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  for (const { name } of byDay) await tx.deleteFrom(name).where('organization_id', '=', organizationId).execute();
  await tx.deleteFrom('coverage_slots').where('organization_id', '=', organizationId).execute();
}
