// Reads tables of other domains: devices, router_ownership, router_tables, routers, usage_cycles, usage_plans, usage_sims.
import type { networks } from '@highline/contract';
import { sql } from 'kysely';
import { isId, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { devicesOf } from '../devices/index.ts';
import type { RouterTables } from '../router-state/index.ts';
import { todayOf } from '../usage/index.ts';

/** A device and the router that it has now. */
export interface NetworkTarget {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly routerId: string;
  readonly serial: string;
  readonly iccid: string | null;
  readonly isOnline: boolean;
  /** The process that has its connection. */
  readonly heldBy: string | null;
}

/** A living device of the scope. */
export async function findNetworkTarget(queries: Queries, scope: Scope, deviceId: string): Promise<NetworkTarget | undefined> {
  if (!isId(deviceId)) return undefined;
  const { rows } = await sql<NetworkTarget>`select d.id as "deviceId", d.organization_id as "organizationId",
      d.main_account_id as "mainAccountId", d.router_id as "routerId", d.serial, d.iccid, d.presence = 'online' as "isOnline",
      r.held_by as "heldBy"
    from devices d join routers r on r.id = d.router_id
    where ${devicesOf(scope)} and d.id = ${deviceId}::uuid`.execute(queries);
  return rows[0];
}

/** A table as a router last reported it. */
export type StoredTable<Name extends keyof RouterTables> = { readonly readAt: Date; readonly content: RouterTables[Name] };
export type StoredTables = { readonly [Name in keyof RouterTables]?: StoredTable<Name> };

/** What the router of a device reported since the device has it: nothing of an earlier owner. */
export async function findTables(
  queries: Queries,
  { organizationId }: OrganizationScope,
  { routerId, deviceId }: Pick<NetworkTarget, 'routerId' | 'deviceId'>,
  names: readonly (keyof RouterTables)[],
): Promise<StoredTables> {
  const { rows } = await sql<{ name: string; read_at: Date; content: unknown }>`select t.name, t.read_at, t.content
    from router_tables t join router_ownership w on w.router_id = t.router_id and w.device_id = ${deviceId}::uuid
      and w.organization_id = ${organizationId}::uuid and w.owned_until is null and t.read_at >= w.owned_from
    where t.router_id = ${routerId}::uuid and t.name = any(${[...names]}::text[])`.execute(queries);
  return Object.fromEntries(rows.map(({ name, read_at: readAt, content }) => [name, { readAt, content }]));
}

/** The networks of a vehicle and their clients, as its router last reported them; undefined = it did not. */
export async function readReportedNetworks(
  queries: Queries,
  scope: OrganizationScope,
  target: Pick<NetworkTarget, 'routerId' | 'deviceId'>,
): Promise<{ readonly lans: readonly string[] | undefined; readonly clients: readonly networks.Client[] | undefined }> {
  const { uplinks, clients } = await findTables(queries, scope, target, ['uplinks', 'clients']);
  return { lans: uplinks?.content.lans, clients: clients?.content.clients };
}

/** Whether the SIM of a device has used what its plan allows in this cycle; undefined = it has no plan, or shares a pool. */
export async function isDataUsedUp(
  queries: Queries,
  { organizationId }: OrganizationScope,
  iccid: string | null,
  now: Date,
): Promise<boolean | undefined> {
  if (iccid === null) return undefined;
  // In all vehicles that the SIM was in.
  const { rows } = await sql<{ isUsedUp: boolean }>`select coalesce((select sum(u.sent + u.received) from usage_cycles u
        where u.organization_id = m.organization_id and u.iccid = m.iccid
          and u.cycle_from = usage_cycle(${todayOf(sql`m.organization_id`, now)}, m.cycle_day, 0)), 0) >= p.allowance as "isUsedUp"
    from usage_sims m join usage_plans p on p.organization_id = m.organization_id and p.id = m.plan_id and not p.is_pool
    where m.organization_id = ${organizationId}::uuid and m.iccid = ${iccid}`.execute(queries);
  return rows[0]?.isUsedUp;
}
