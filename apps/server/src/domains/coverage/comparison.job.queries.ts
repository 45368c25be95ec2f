import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import type { VehicleBin, VehicleDifference } from './comparison.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A day of an organization whose vehicles are to be compared. */
export interface DueDay extends Row<'coverage_comparisons', 'organization_id' | 'changes'> {
  /** ISO day. */
  readonly day: string;
}

/** The next day with changes that was not compared since a time; undefined when there is none. */
export async function findDueDay(tx: Tx, comparedBefore: Date): Promise<DueDay | undefined> {
  const { rows } = await sql<DueDay>`select organization_id, day::text as day, changes from coverage_comparisons
    where changes <> compared_changes and (compared_at is null or compared_at <= ${comparedBefore}::timestamptz)
    order by day limit 1`.execute(tx);
  return rows[0];
}

/** The slots `s` of a day. */
const ofDay = ({ organization_id, day }: DueDay) => sql`s.organization_id = ${organization_id}::uuid
  and s.slot >= ${`${day}T00:00:00Z`}::timestamptz and s.slot < ${`${day}T00:00:00Z`}::timestamptz + interval '24 hours'`;
const values = sql`cross join lateral (select 'rsrp' as reading, unnest(s.rsrp) as bin union all select 'rsrq', unnest(s.rsrq)) v`;
const counted = sql`s.cell, s.carrier, s.technology, v.reading, v.bin, count(*)::int as count`;

/** How many values of all vehicles are in each bin. */
export async function readTotals(tx: Tx, day: DueDay): Promise<Omit<VehicleBin, 'device_id'>[]> {
  const { rows } = await sql<Omit<VehicleBin, 'device_id'>>`select ${counted} from coverage_slots s ${values} where ${ofDay(day)}
    group by s.cell, s.carrier, s.technology, v.reading, v.bin`.execute(tx);
  return rows;
}

/** Vehicles of a day behind one, in order. */
export async function vehiclesAfter(tx: Tx, day: DueDay, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<Row<'coverage_slots', 'device_id'>>`select distinct s.device_id from coverage_slots s
    where ${ofDay(day)} and s.device_id > ${after}::uuid order by 1 limit ${limit}`.execute(tx);
  return rows.map(({ device_id: id }) => id);
}

/** How many values of these vehicles are in each bin. */
export async function readVehicles(tx: Tx, day: DueDay, devices: readonly string[]): Promise<VehicleBin[]> {
  const { rows } = await sql<VehicleBin>`select s.device_id, ${counted} from coverage_slots s ${values}
    where ${ofDay(day)} and s.device_id = any (${[...devices]}::uuid[])
    group by s.device_id, s.cell, s.carrier, s.technology, v.reading, v.bin`.execute(tx);
  return rows;
}

/** Forget the comparison of a day, before it is made again. */
export async function deleteComparison(tx: Tx, { organization_id, day }: DueDay): Promise<void> {
  await sql`delete from coverage_vehicle_days where organization_id = ${organization_id}::uuid and day = ${day}::date`.execute(
    tx,
  );
}

export async function insertComparison(tx: Tx, day: DueDay, found: readonly VehicleDifference[]): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map((each) => ({ organization_id: day.organization_id, day: day.day, ...each }));
  await sql`insert into coverage_vehicle_days
    select * from jsonb_populate_recordset(null::coverage_vehicle_days, ${JSON.stringify(rows)}::jsonb)`.execute(tx);
}

/** Add up the vehicles of a day that was compared, and of the later days that were. */
export async function addUpVehicles(tx: Tx, { organization_id, day }: DueDay): Promise<void> {
  await sql`select add_up_coverage_vehicles(c.organization_id, c.day) from (
      select organization_id, day from coverage_comparisons where organization_id = ${organization_id}::uuid
        and (day = ${day}::date or (day > ${day}::date and compared_at is not null)) order by day) c`.execute(tx);
}

/** Note that the vehicles of a day were compared as of so many changes. */
export async function noteCompared(tx: Tx, { organization_id, day, changes }: DueDay, now: Date): Promise<void> {
  await sql`update coverage_comparisons set compared_changes = ${changes}, compared_at = ${now}::timestamptz
    where organization_id = ${organization_id}::uuid and day = ${day}::date`.execute(tx);
}
