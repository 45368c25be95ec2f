// Reads tables of other domains: devices.
import type { networks } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type OrganizationScope, type Scope } from '../../../kernel/index.ts';
import type { Queries } from '../../../platform/ports/database.ts';
import { devicesOf } from '../../devices/index.ts';
import { mergeUses, useOfDay, type ClientUse } from './count-use.ts';
import { unpackCounters, unpackDay } from './packed.ts';

/** Of an organization that has chosen nothing. */
const usualClientSettings: networks.ClientSettings = { keep: 'list', days: 30 };

/** What an organization keeps of clients. */
export async function readClientSettings(queries: Queries, organizationId: string): Promise<networks.ClientSettings> {
  const row = await queries
    .selectFrom('client_settings')
    .select(['keep', 'days'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row === undefined ? usualClientSettings : (row as networks.ClientSettings);
}

/** A living device of the scope, as its clients are read. */
export interface UseDevice {
  readonly deviceId: string;
  readonly routerId: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly name: string;
}

export async function findUseDevice(queries: Queries, scope: Scope, deviceId: string): Promise<UseDevice | undefined> {
  if (!isId(deviceId)) return undefined;
  const { rows } =
    await sql<UseDevice>`select d.id as "deviceId", d.router_id as "routerId", d.organization_id as "organizationId",
      d.main_account_id as "mainAccountId", coalesce(nullif(d.vehicle_number, ''), d.serial) as name
    from devices d where ${devicesOf(scope)} and d.id = ${deviceId}::uuid`.execute(queries);
  return rows[0];
}

/** A day of the clients of a device. */
export interface UseDay {
  /** ISO. */
  readonly day: string;
  readonly clients: number;
  readonly sent: number;
  readonly received: number;
}

/** The days that are over, the newest first. */
export async function listUseDays(
  queries: Queries,
  { organizationId }: OrganizationScope,
  deviceId: string,
): Promise<readonly UseDay[]> {
  const { rows } =
    await sql<UseDay>`select day::text as day, clients, sent::float8 as sent, received::float8 as received from client_days
    where device_id = ${deviceId}::uuid and organization_id = ${organizationId}::uuid order by client_days.day desc limit 100`.execute(
      queries,
    );
  return rows;
}

/** What each client used on a day that is over. */
export async function readUseDay(
  queries: Queries,
  { organizationId }: OrganizationScope,
  deviceId: string,
  day: string,
): Promise<readonly ClientUse[]> {
  const { rows } = await sql<{ content: Buffer }>`select content from client_days
    where device_id = ${deviceId}::uuid and day = ${day}::date and organization_id = ${organizationId}::uuid`.execute(queries);
  return rows.flatMap(({ content }) => unpackDay(content));
}

/** The day that runs, with when it was read last; undefined before the first reading. */
export async function readUseNow(
  queries: Queries,
  scope: OrganizationScope,
  { deviceId, routerId }: Pick<UseDevice, 'deviceId' | 'routerId'>,
): Promise<{ readonly day: string; readonly readAt: Date; readonly clients: readonly ClientUse[] } | undefined> {
  const { rows } = await sql<{ day: string; readAt: Date; content: Buffer }>`select day::text as day, read_at as "readAt", content
    from client_counters where router_id = ${routerId}::uuid and device_id = ${deviceId}::uuid
      and organization_id = ${scope.organizationId}::uuid`.execute(queries);
  const [row] = rows;
  if (row === undefined) return undefined;
  // What another router of the device counted on this day before it was replaced is stored.
  const before = await readUseDay(queries, scope, deviceId, row.day);
  const clients = mergeUses([before, useOfDay(unpackCounters(row.content))]);
  return { day: row.day, readAt: row.readAt, clients };
}
