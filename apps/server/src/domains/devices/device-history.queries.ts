// Reads tables of other domains: routers.
import type { devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reader } from '../../platform/listing/index.ts';
import type { DeviceRow } from './device.dto.ts';

/** A device that was found within the caller's scope: its history is read through the intervals in which it owned its routers. */
export type OwnDevice = Pick<DeviceRow, 'id' | 'router_id'>;

type OwnEntry = Pick<z.input<typeof devices.getDevice.response>['result'], 'clock_skew' | 'set_up' | 'offers'>;

/** How far the router's clock is ahead of ours (milliseconds), the progress of its set-up, and what it has; null if unknown. */
export async function readRouterState(reader: Reader, device: OwnDevice): Promise<OwnEntry> {
  const [row] = await reader.rows<OwnEntry>(
    sql`select r.clock_skew_ms as clock_skew, (r.reported -> 'set_up') - 'count' as set_up, r.reported -> 'offers' as offers
      from routers r where r.id = ${device.router_id}::uuid and r.device_id = ${device.id}::uuid`,
  );
  return row ?? { clock_skew: null, set_up: null, offers: null };
}

/**
 * All intervals of the device, with each router that it had: its history moves with a transfer (OGL-04) and stays when its router is
 * replaced (BLK-06).
 */
export function owned(device: Pick<OwnDevice, 'id'>) {
  return sql`o.device_id = ${device.id}::uuid`;
}
