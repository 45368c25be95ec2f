import type { devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reader } from '../../platform/listing/index.ts';
import type { OwnDevice } from './device-history.queries.ts';

type HealthInputs = z.input<typeof devices.getDevice.response>['result']['health_inputs'];

/** What the health of a device was computed from; null without a score. */
export async function readHealthInputs(reader: Reader, device: OwnDevice): Promise<HealthInputs> {
  const [row] = await reader.rows<NonNullable<HealthInputs>>(
    sql`select floor(extract(epoch from h.at))::float8 as at, h.rsrp::float8 as rsrp, h.rssi::float8 as rssi, h.drops, h.temperature::float8 as temperature,
      h.voltage::float8 as voltage from device_health h where h.device_id = ${device.id}::uuid`,
  );
  return row ?? null;
}
