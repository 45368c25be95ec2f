// Reads tables of other domains: organizations.
import { devices } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Scope } from '../../kernel/index.ts';
import type { Fragment, Reader } from '../../platform/listing/index.ts';
import { devicesOf } from './device.filters.ts';

export type Attention = z.input<typeof devices.attention.response>['result'];

/** Devices and alerts that are named below their count. */
export const NAMED = 3;

/** Those that went offline last: the oldest ones are known by then. */
export async function latestOffline(reader: Reader, scope: Scope, condition: Fragment): Promise<Attention['offline']['latest']> {
  return reader.rows<Attention['offline']['latest'][number]>(
    sql`select d.id as device, d.serial as serial_number, d.vehicle_number, d.organization_id as org,
        (select o.name from organizations o where o.id = d.organization_id) as "projectName",
        floor(extract(epoch from d.presence_since))::float8 as since, d.presence_reason as reason, d.carrier, d.cell_id as cell
      from devices d where ${devicesOf(scope)} and ${condition} order by d.presence_since desc, d.id desc limit ${NAMED}`,
  );
}
