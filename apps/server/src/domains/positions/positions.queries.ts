// Reads tables of other domains: alerts, devices, router_contacts.
import { devices, type DiagnosisKind, positions } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import {
  devicesMatching,
  estimatedPlace,
  FOLLOWED_MS,
  firstDiagnosis,
  intervalOfDevice,
  isRejected,
  newestPosition,
} from '../devices/index.ts';
import { offlineExpected } from '../router-state/index.ts';

/** A device with its newest position. */
export interface PositionedDevice {
  readonly device: string;
  readonly router_id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Epoch seconds. */
  readonly at: number;
  readonly presence: positions.MapPresence;
  readonly rssi: number | null;
  readonly speed: number | null;
  readonly heading: number | null;
  readonly accuracy: number | null;
  readonly is_jump: boolean;
  /** Of the most severe open alert, from 1; null = there is none. */
  readonly alert: number | null;
  readonly diagnosis: DiagnosisKind | null;
}

/** Transactions that began before a response may commit after it: what they stored is answered once more. */
const OVERLAP_MS = 5_000;

/**
 * The newest positions of the devices of a scope that match the filters, of the time in which the organization had their routers (POS-01, POS-02).
 * One more than `MAX_ON_MAP` if there are more. Of ten thousand rows a column that is not read costs a millisecond, and `extract`, which makes a
 * `numeric`, more than `date_part`.
 */
export async function listNewestPositions(
  reader: Reader,
  scope: Scope,
  query: positions.MapQuery,
  { now, expiringDays }: { readonly now: Date; readonly expiringDays: number },
): Promise<PositionedDevice[]> {
  const { bbox, since, ...filters } = query;
  const conditions = [devicesMatching(scope, filters, expiringDays, now), ...within(bbox)];
  if (since !== undefined) conditions.push(sql`p.stored_at >= ${new Date(since - OVERLAP_MS)}::timestamptz`);
  return reader.rows<PositionedDevice>(
    sql`select s.device, s.router_id, s.name, s.latitude, s.longitude, s.at, s.presence, s.rssi, s.speed, s.heading, s.accuracy, s.is_jump, s.diagnosis,
        ${worstOpenAlert} as alert from (
        select d.organization_id, d.id as device, d.router_id, coalesce(nullif(d.vehicle_number, ''), d.serial) as name, p.latitude, p.longitude,
          floor(date_part('epoch', p.at)) as at, coalesce(${offlineExpected}, d.presence) as presence, c.rssi, p.speed, p.heading, p.accuracy, p.is_jump,
          ${firstDiagnosis} as diagnosis
        from devices d join (${newestPosition}) on ${intervalOfDevice} left join router_contacts c on c.router_id = d.router_id
        where ${allOf(conditions)} limit ${positions.MAX_ON_MAP + 1}
      ) s`,
    true,
  );
}

/** A device whose place is estimated. */
export type EstimatedDevice = Pick<
  PositionedDevice,
  'device' | 'router_id' | 'name' | 'latitude' | 'longitude' | 'at' | 'presence' | 'rssi' | 'alert' | 'diagnosis'
> & {
  /** Metres. */
  readonly radius: number;
};

/** The devices of a scope that match the filters and whose place is estimated from the cell that serves them (SAY-08). At most `MAX_ON_MAP`. */
export async function listEstimatedPositions(
  reader: Reader,
  scope: Scope,
  query: positions.MapQuery,
  { now, expiringDays }: { readonly now: Date; readonly expiringDays: number },
): Promise<EstimatedDevice[]> {
  const { bbox, since: _since, ...filters } = query;
  // Most vehicles are found by their position: they are left out before cells are looked up.
  const recent = new Date(now.getTime() - FOLLOWED_MS);
  const hasNoRecent = sql`not exists (select from router_positions q where q.router_id = d.router_id and q.at >= ${recent}::timestamptz)`;
  const conditions = [devicesMatching(scope, filters, expiringDays, now), sql`d.cell_id <> ''`, hasNoRecent];
  return reader.rows<EstimatedDevice>(
    sql`select s.device, s.router_id, s.name, s.latitude, s.longitude, s.at, s.presence, s.rssi, s.radius, s.diagnosis, ${worstOpenAlert} as alert from (
        select d.organization_id, d.id as device, d.router_id, coalesce(nullif(d.vehicle_number, ''), d.serial) as name, p.latitude, p.longitude,
          floor(date_part('epoch', p.at)) as at, coalesce(${offlineExpected}, d.presence) as presence, p.rssi, p.radius::float8 as radius,
          ${firstDiagnosis} as diagnosis
        from devices d join lateral (select s.latitude, s.longitude, s.radius, e.last_contact_at as at, e.rssi from ${estimatedPlace}) p on true
        where ${allOf([...conditions, ...within(bbox)])} limit ${positions.MAX_ON_MAP}
      ) s`,
    true,
  );
}

/**
 * The most severe open alert of a device `s`, looked up in the index of open alerts for each vehicle that is shown. As a join it was
 * planned for one vehicle, and compared each of them with every open alert.
 */
const worstOpenAlert: Fragment = sql`(select min(case a.severity when 'critical' then 1 when 'warning' then 2 else 3 end)
  from alerts a where a.organization_id = s.organization_id and a.device_id = s.device and a.state <> 'resolved')`;

/** How many devices that match never had a position, had none for a day, and have positions that are rejected (POS-07). */
export async function countWithoutPosition(
  reader: Reader,
  scope: Scope,
  query: positions.MapQuery,
  { now, expiringDays }: { readonly now: Date; readonly expiringDays: number },
): Promise<{ never: number; old: number; rejected: number }> {
  const { bbox: _box, since: _since, ...filters } = query;
  const before = new Date(now.getTime() - devices.OLD_POSITION_HOURS * 3_600_000);
  const [row] = await reader.rows<{ never: number; old: number; rejected: number }>(
    sql`select (count(*) filter (where p.at is null))::int as never, (count(*) filter (where p.at < ${before}::timestamptz))::int as old,
        (count(*) filter (where ${isRejected}))::int as rejected
      from devices d left join (${newestPosition}) on ${intervalOfDevice}
      where ${devicesMatching(scope, filters, expiringDays, now)}`,
    true,
  );
  return row!;
}

/** How many devices match, and how many of them have positions that are rejected: without their positions, it is quickly counted. */
export async function countMatching(
  reader: Reader,
  scope: Scope,
  query: positions.MapQuery,
  { now, expiringDays }: { readonly now: Date; readonly expiringDays: number },
): Promise<{ devices: number; rejected: number }> {
  const { bbox: _box, since: _since, ...filters } = query;
  const [row] = await reader.rows<{ devices: number; rejected: number }>(
    sql`select count(*)::int as devices, (count(*) filter (where ${isRejected}))::int as rejected
      from devices d where ${devicesMatching(scope, filters, expiringDays, now)}`,
    true,
  );
  return row!;
}

function within(bbox: positions.MapQuery['bbox']): Fragment[] {
  if (bbox === undefined) return [];
  const [west, south, east, north] = bbox;
  const longitude =
    west <= east
      ? sql`p.longitude between ${west}::float8 and ${east}::float8`
      : sql`(p.longitude >= ${west}::float8 or p.longitude <= ${east}::float8)`;
  return [sql`p.latitude between ${south}::float8 and ${north}::float8`, longitude];
}
