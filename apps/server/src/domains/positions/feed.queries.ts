// Reads tables of other domains: devices, groups.
import { positionFeed } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/index.ts';
import { allOf, type Reader } from '../../platform/listing/index.ts';
import { devicesOf, intervalOfDevice, newestPosition } from '../devices/index.ts';

/** A vehicle of a feed. */
export interface FeedVehicle {
  readonly device: string;
  /** '' where it has none. */
  readonly vehicle_number: string;
  readonly group_name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Epoch seconds. */
  readonly at: number;
  /** Km/h. */
  readonly speed: number | null;
  /** Degrees from north. */
  readonly heading: number | null;
}

/**
 * The newest positions since a time, in the order of the devices, of the time in which the organization had their routers (RPM-06).
 * One that is 500 km or more from the one before is left out: it is probably wrong, and its readers could not see that.
 * One more than `MOST_IN_FEED` if there are more.
 */
export async function listFeed(
  reader: Reader,
  scope: Scope,
  { group, since }: { readonly group: string | undefined; readonly since: Date },
): Promise<FeedVehicle[]> {
  const conditions = [devicesOf(scope), sql`not p.is_jump`, sql`p.at >= ${since}::timestamptz`];
  if (group !== undefined) conditions.push(sql`d.group_key = ${group}`);
  return reader.rows<FeedVehicle>(
    sql`select d.id as device, d.vehicle_number, g.name as group_name, p.latitude, p.longitude,
        floor(date_part('epoch', p.at)) as at, p.speed, p.heading
      from devices d join (${newestPosition}) on ${intervalOfDevice}
        join groups g on g.organization_id = d.organization_id and g.key = d.group_key
      where ${allOf(conditions)} order by d.organization_id, d.id limit ${positionFeed.MOST_IN_FEED + 1}`,
    true,
  );
}
