// Reads tables of other domains: devices, routers.
import type { remoteAccess } from '@highline/contract';
import { sql } from 'kysely';
import { type Actor, epochSeconds, isId, type OrganizationScope } from '../../kernel/index.ts';
import type { Queries } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';
import { storedSerials } from '../inventory/index.ts';
import { clientOfSession, type RemoteSession } from './remote-access.store.ts';

/** The device of a call. */
export interface RemoteTarget extends Row<'devices', 'serial'> {
  readonly deviceId: string;
  readonly routerId: string;
  readonly isOnline: boolean;
  /** The process that has its connection. */
  readonly heldBy: string | null;
  readonly startedOn: string | null;
  readonly expiresOn: string | null;
}

/** A living device of the organization, by serial number in any case. */
export async function findRemoteTarget(
  queries: Queries,
  scope: OrganizationScope,
  serial: string,
): Promise<RemoteTarget | undefined> {
  const stored = (await storedSerials(queries, scope, [serial])).get(serial);
  if (stored === undefined) return undefined;
  const { rows } = await sql<RemoteTarget>`
    select d.id as "deviceId", d.router_id as "routerId", d.serial, d.presence = 'online' as "isOnline",
      r.held_by as "heldBy", d.started_on::text as "startedOn", d.expires_on::text as "expiresOn"
    from routers r join devices d on d.organization_id = r.organization_id and d.id = r.device_id and d.archived_at is null
    where r.serial = ${stored} and r.organization_id = ${scope.organizationId}::uuid`.execute(queries);
  return rows[0];
}

/** The serial number of a living device of the organization. */
export async function findSerial(queries: Queries, scope: OrganizationScope, deviceId: string): Promise<string | undefined> {
  if (!isId(deviceId)) return undefined;
  const row = await queries
    .selectFrom('devices')
    .select('serial')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', deviceId)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row?.serial;
}

/** The process, by its present id, that has the sockets of an open session. */
export async function findSessionNode(
  queries: Queries,
  { organizationId }: OrganizationScope,
  sessionId: string,
): Promise<string | undefined> {
  const { rows } = await sql<
    Row<'nodes', 'id'>
  >`select n.id from remote_sessions s join nodes n on n.name = s.node and n.ended_at is null
    where s.organization_id = ${organizationId}::uuid and s.id = ${sessionId}::uuid and s.ended_at is null`.execute(queries);
  return rows[0]?.id;
}

/** Whether the organization has this living device. */
export async function hasDevice(queries: Queries, scope: OrganizationScope, deviceId: string): Promise<boolean> {
  if (!isId(deviceId)) return false;
  const { rows } =
    await sql`select 1 from devices where organization_id = ${scope.organizationId}::uuid and id = ${deviceId}::uuid
    and archived_at is null`.execute(queries);
  return rows.length > 0;
}

/** The present session of a device's router. */
export interface CurrentSession extends Row<'remote_sessions', 'id' | 'type'> {
  readonly accountId: string;
  readonly accountEmail: string;
  readonly openedAt: Date;
  readonly credentialsExpireAt: Date | null;
  readonly client: RemoteSession['client'];
}

/** The open session of a device's router, of any user. */
export async function findCurrent(
  queries: Queries,
  scope: OrganizationScope,
  deviceId: string,
): Promise<CurrentSession | undefined> {
  const { rows } = await sql<CurrentSession>`
    select s.id, s.type, s.account_id as "accountId", s.account_email as "accountEmail", s.opened_at as "openedAt",
      s.credentials_expire_at as "credentialsExpireAt", ${clientOfSession} as client
    from devices d join remote_sessions s on s.router_id = d.router_id and s.ended_at is null
      and s.organization_id = d.organization_id
    where d.organization_id = ${scope.organizationId}::uuid and d.id = ${deviceId}::uuid`.execute(queries);
  return rows[0];
}

/** A session as one user sees it: its user, since when, and whether it is the caller's own. */
export function toConnectionDto(session: CurrentSession, actor: Actor): remoteAccess.Connection {
  const { type, accountEmail: by, accountId, openedAt, credentialsExpireAt, client } = session;
  return {
    type,
    by,
    own: accountId === actor.accountId,
    since: epochSeconds(openedAt),
    credentials_expire: credentialsExpireAt === null ? null : epochSeconds(credentialsExpireAt),
    ...(client !== null && { client }),
  };
}
