// Reads tables of other domains: router_ownership.
import { sql } from 'kysely';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { columnsOf, rsrpBins, rsrqBins, type Bins } from './bins.ts';
import type { PlaceTotal, VehicleBin, VehicleDifference } from './comparison.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A day of an organization whose vehicles are to be compared. */
export interface DueDay extends Row<'coverage_comparisons', 'organization_id' | 'changes'> {
  /** ISO day. */
  readonly day: string;
}

/** The next day with changes that was not compared since a time, but for some; undefined when there is none. */
export async function findDueDay(queries: Queries, comparedBefore: Date, but: readonly DueDay[]): Promise<DueDay | undefined> {
  const { rows } = await sql<DueDay>`select organization_id, day::text as day, changes from coverage_comparisons
    where changes <> compared_changes and (compared_at is null or compared_at <= ${comparedBefore}::timestamptz)
      and (organization_id, day) not in (select * from unnest(${but.map((each) => each.organization_id)}::uuid[], ${but.map(({ day }) => day)}::date[]))
    order by day limit 1`.execute(queries);
  return rows[0];
}

const begins = ({ day }: DueDay) => sql`${`${day}T00:00:00Z`}::timestamptz`;
const ends = (day: DueDay) => sql`(${begins(day)} + interval '24 hours')`;
/** Ownerships `o` of an organization on a day. */
const ownedOn = (day: DueDay) => sql`o.organization_id = ${day.organization_id}::uuid
  and o.owned_from < ${ends(day)} and coalesce(o.owned_until, 'infinity') > ${begins(day)}`;

/** Vehicles that an organization had on a day, in order. */
export async function readVehicleIds(tx: Tx, day: DueDay): Promise<string[]> {
  const { rows } = await sql<Row<'router_ownership', 'device_id'>>`select distinct o.device_id from router_ownership o
    where ${ownedOn(day)} order by 1`.execute(tx);
  return rows.map(({ device_id: id }) => id);
}

/** How many values of these vehicles are in each bin. */
export async function readVehicles(tx: Tx, day: DueDay, devices: readonly string[]): Promise<VehicleBin[]> {
  // By router, each by itself: slots have no index by vehicle, and those of a large organization are too many to read for each page.
  const { rows } =
    await sql<VehicleBin>`select s.device_id, s.cell, s.carrier, s.technology, v.reading, v.bin, count(*)::int as count
    from (select distinct o.router_id, o.device_id from router_ownership o where ${ownedOn(day)} and o.device_id = any (${[...devices]}::uuid[])) o
      cross join lateral (select * from coverage_slots s where s.router_id = o.router_id and s.slot >= ${begins(day)} and s.slot < ${ends(day)} offset 0) s
      cross join lateral (select 'rsrp' as reading, unnest(s.rsrp) as bin union all select 'rsrq', unnest(s.rsrq)) v
    where s.organization_id = ${day.organization_id}::uuid and s.device_id = o.device_id
    group by s.device_id, s.cell, s.carrier, s.technology, v.reading, v.bin`.execute(tx);
  return rows;
}

const countsOf = (bins: Bins) => sql`array[${sql.join(columnsOf(bins).map((name) => sql.ref(`d.${name}`)))}]`;

/** How many values of all vehicles are in each bin of these hexagons. */
export async function readTotals(tx: Tx, { organization_id, day }: DueDay, cells: ReadonlySet<string>): Promise<PlaceTotal[]> {
  const { rows } =
    await sql<PlaceTotal>`select d.cell, d.carrier, d.technology, ${countsOf(rsrpBins)} as rsrp, ${countsOf(rsrqBins)} as rsrq
    from coverage_days d where d.organization_id = ${organization_id}::uuid and d.day = ${day}::date and d.cell = any (${[...cells]}::text[])`.execute(
      tx,
    );
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

/** Add up the vehicles of a day that was compared, and of the later days that were, each in a statement of its own. */
export async function addUpVehicles(tx: Tx, { organization_id, day }: DueDay): Promise<void> {
  const { rows } = await sql<{
    day: string;
  }>`select day::text as day from coverage_comparisons where organization_id = ${organization_id}::uuid
    and (day = ${day}::date or (day > ${day}::date and compared_at is not null)) order by coverage_comparisons.day`.execute(tx);
  for (const each of rows) await sql`select add_up_coverage_vehicles(${organization_id}::uuid, ${each.day}::date)`.execute(tx);
}

/** Note that the vehicles of a day were compared as of so many changes. */
export async function noteCompared(tx: Tx, { organization_id, day, changes }: DueDay, now: Date): Promise<void> {
  await sql`update coverage_comparisons set compared_changes = ${changes}, compared_at = ${now}::timestamptz
    where organization_id = ${organization_id}::uuid and day = ${day}::date`.execute(tx);
}
