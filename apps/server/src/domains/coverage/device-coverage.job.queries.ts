import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import { dayBefore } from '../../platform/retention/partitions.ts';
import { centerOf, FINEST } from './hexagons.ts';

/** A day of a vehicle against the others of its organization, over all networks. */
export interface DeviceComparison {
  readonly device: string;
  /** ISO day of UTC. */
  readonly day: string;
  /** Sum of differences, dB. */
  readonly difference: number;
  readonly samples: number;
  readonly cells: number;
}

const keysOf = (devices: readonly { readonly id: string; readonly organizationId: string }[]) =>
  sql`unnest(${devices.map(({ id }) => id)}::uuid[], ${devices.map(({ organizationId }) => organizationId)}::uuid[]) k (device_id, organization_id)`;

/** The days of these devices on which they were compared with others (POS-06). @param days before now */
export async function readComparisons(
  tx: Tx,
  devices: readonly { readonly id: string; readonly organizationId: string }[],
  days: number,
  now: Date,
): Promise<DeviceComparison[]> {
  // Each day of each device is one search in the primary key.
  const { rows } =
    await sql<DeviceComparison>`select c.device_id as device, c.day::text as day, sum(c.rsrp_difference) as difference,
      sum(c.rsrp_samples)::int as samples, sum(c.cells)::int as cells
    from ${keysOf(devices)}
      cross join generate_series(0, ${days}::int) back
      join coverage_vehicle_days c on c.organization_id = k.organization_id and c.device_id = k.device_id
        and c.day = (${now}::timestamptz at time zone 'UTC')::date - back
    group by c.device_id, c.day having sum(c.rsrp_samples) > 0`.execute(tx);
  return rows;
}

/** The hexagon in which a device lost most connections in 24 hours, and how many others lost theirs there on that day of UTC and the seven before. */
export interface WorstCell {
  readonly device: string;
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly losses: number;
  readonly others: number;
}

/** Where these devices lost most connections. Those whose places are not known are left out. */
export async function readWorstCells(
  tx: Tx,
  devices: readonly { readonly id: string; readonly organizationId: string }[],
  now: Date,
): Promise<WorstCell[]> {
  // Sums are of whole days: what is subtracted from them has to begin when they do, or the device itself would be one of the others.
  const first = dayBefore(now, 7);
  const { rows } = await sql<{ device: string; cell: string; losses: number; others: number }>`with lost as (
      select s.organization_id, s.device_id, s.cell, sum(s.drops) as own,
        sum(s.drops) filter (where s.slot > ${now}::timestamptz - interval '24 hours') as day
      from ${keysOf(devices)} join coverage_slots s on s.organization_id = k.organization_id and s.device_id = k.device_id
        and s.slot >= ${`${first}T00:00:00Z`}::timestamptz and s.slot <= ${now}::timestamptz
      where s.drops > 0 group by 1, 2, 3
    ), worst as (
      select distinct on (device_id) * from lost where day > 0 order by device_id, day desc, cell
    )
    select w.device_id as device, w.cell, w.day::int as losses, greatest(0, (
      select coalesce(sum(c.drops), 0) from coverage_days c where c.organization_id = w.organization_id and c.cell = w.cell
        and c.day >= ${first}::date and c.resolution = ${sql.lit(FINEST)}) - w.own)::int as others
    from worst w`.execute(tx);
  return rows.map(({ cell, ...row }) => ({ ...row, ...centerOf(cell) }));
}
