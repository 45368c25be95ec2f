// Reads tables of other domains: devices, router_ownership, telemetry_reports.
import { positions } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type Scope } from '../../kernel/index.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { devicesOf, newestPosition } from '../devices/index.ts';
import type { SignalReading, TrailPoint } from './day-trail.ts';

/** A device within the scope of a caller, whose positions may be read. */
export interface PlacedDevice {
  readonly id: string;
  readonly organization_id: string;
  readonly serial: string;
  /** Vehicle number, or the serial number where there is none. */
  readonly name: string;
}

/** Times that are read. */
export interface TimeRange {
  readonly from: Date;
  readonly until: Date;
}

/** A device of a scope; undefined if there is none with this id. */
export async function findPlacedDevice(reader: Reader, scope: Scope, id: string): Promise<PlacedDevice | undefined> {
  if (!isId(id)) return undefined;
  const [device] = await reader.rows<PlacedDevice>(
    sql`select d.id, d.organization_id, d.serial, coalesce(nullif(d.vehicle_number, ''), d.serial) as name
      from devices d where d.id = ${id}::uuid and ${devicesOf(scope)}`,
  );
  return device;
}

/** The intervals `o` in which the organization of the device had its routers: positions do not move with a transfer (docs/domains/positions.md). */
export const ownedByDevice = (scope: Scope, { id, organization_id: organization }: PlacedDevice): Fragment =>
  sql`o.device_id = ${id}::uuid and o.organization_id = ${organization}::uuid
    and exists (select 1 from devices d where d.id = ${id}::uuid and ${devicesOf(scope)})`;

const held = (at: Fragment) => sql`${at} >= o.owned_from and ${at} < coalesce(o.owned_until, 'infinity')`;

/** The positions of a device in a range, in order of time (POS-04). */
export async function readTrail(
  reader: Reader,
  scope: Scope,
  device: PlacedDevice,
  { from, until }: TimeRange,
): Promise<Omit<TrailPoint, 'signal'>[]> {
  return reader.rows(
    sql`select extract(epoch from p.at)::float8 as at, p.latitude, p.longitude, p.speed, p.heading, p.accuracy::float8 as accuracy,
        p.is_jump as "isJump"
      from router_ownership o cross join lateral positions_between(o.router_id, greatest(o.owned_from, ${from}::timestamptz),
        least(o.owned_until, ${until}::timestamptz)) p
      where ${ownedByDevice(scope, device)} order by p.at`,
  );
}

/** The signal of a device in a range and shortly before and after it, in order of time. */
export async function readSignal(
  reader: Reader,
  scope: Scope,
  device: PlacedDevice,
  { from, until }: TimeRange,
): Promise<SignalReading[]> {
  const around = positions.SIGNAL_SECONDS * 1_000;
  const [first, last] = [new Date(from.getTime() - around), new Date(until.getTime() + around)];
  return reader.rows(
    sql`select extract(epoch from t.at)::float8 as at, t.rssi
      from router_ownership o join telemetry_reports t on t.router_id = o.router_id and ${held(sql`t.at`)}
      where ${ownedByDevice(scope, device)} and t.at >= ${first}::timestamptz and t.at < ${last}::timestamptz and t.rssi is not null order by t.at`,
  );
}

/** The newest position of a device; undefined if there was none since its organization has it (POS-07). */
export async function readNewest(
  reader: Reader,
  scope: Scope,
  device: PlacedDevice,
): Promise<Omit<TrailPoint, 'signal'> | undefined> {
  const [newest] = await reader.rows<Omit<TrailPoint, 'signal'>>(
    sql`select extract(epoch from p.at)::float8 as at, p.latitude, p.longitude, p.speed::float8 as speed, p.heading::float8 as heading,
        p.accuracy::float8 as accuracy, p.is_jump as "isJump"
      from ${newestPosition} where ${ownedByDevice(scope, device)}`,
  );
  return newest;
}
