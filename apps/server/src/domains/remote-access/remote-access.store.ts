import type { remoteAccess } from '@highline/contract';
import { sql } from 'kysely';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import type { Database, Queries, Tx } from '../../platform/ports/database.ts';
import type { Traffic } from '../../platform/ports/tunnels.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'remote_sessions.end_reason': remoteAccess.EndReason;
  }
}

/** A remote session for its process and the screens. */
export interface RemoteSession {
  readonly id: string;
  readonly deviceId: string;
  readonly routerId: string;
  readonly serial: string;
  readonly type: remoteAccess.ConnectionType;
  /** What it leads to behind the router; null: the router itself. */
  readonly client: NonNullable<remoteAccess.Connection['client']> | null;
}

/** The user who opened it. */
export type Opener = Pick<Actor, 'accountId' | 'email' | 'role' | 'address' | 'sessionId'>;

/**
 * Reserve the router's one slot for a session. The device is locked until the transaction ends, so that it is not transferred or
 * deleted meanwhile.
 * @returns `gone` when the device is deleted, `exists` when another user has the slot, `signed-out` when the sign-in ended
 */
export async function insertRemoteSession(
  tx: Tx,
  scope: OrganizationScope,
  session: RemoteSession,
  by: { readonly opener: Opener; readonly node: string },
  now: Date,
): Promise<'inserted' | 'exists' | 'gone' | 'signed-out'> {
  const { organizationId, mainAccountId } = scope;
  const { client } = session;
  const login = Buffer.from(by.opener.sessionId, 'hex');
  const device = await tx
    .selectFrom('devices')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', session.deviceId)
    .where('router_id', '=', session.routerId)
    .where('archived_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst();
  if (device === undefined) return 'gone';
  // Locked too: a sign-out waits for the session's row, because it has to end that session.
  const signIn = await tx
    .selectFrom('sessions')
    .select('account_id')
    .where('bearer_hash', '=', login)
    .forKeyShare()
    .executeTakeFirst();
  if (signIn === undefined) return 'signed-out';
  const { rows } = await sql`insert into remote_sessions
      (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email, login_hash, opened_at,
        client_mac, client_address, client_port, client_service)
    values (${organizationId}::uuid, ${session.id}::uuid, ${mainAccountId}::uuid, ${session.deviceId}::uuid, ${session.routerId}::uuid,
      ${session.type}, ${by.node}, ${by.opener.accountId}::uuid, ${by.opener.email}, ${login}, ${now}::timestamptz,
      ${client?.mac ?? null}, ${client?.address ?? null}, ${client?.port ?? null}, ${client?.service ?? null})
    on conflict (router_id) where ended_at is null do nothing returning id`.execute(tx);
  return rows.length === 0 ? 'exists' : 'inserted';
}

/** Write the expiry of the credentials being issued. @returns false when they were issued before, or the session has ended */
export async function markIssued(tx: Tx, scope: OrganizationScope, id: string, expires: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('remote_sessions')
    .set({ credentials_expire_at: expires })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('credentials_expire_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Use the ticket of a terminal. @returns false when it was used before, or the session has ended */
export async function enterTerminal(tx: Tx, scope: OrganizationScope, id: string, now: Date): Promise<string | undefined> {
  const entered = await tx
    .updateTable('remote_sessions')
    .set({ terminal_at: now })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('terminal_at', 'is', null)
    .returning('device_id')
    .executeTakeFirst();
  return entered?.device_id;
}

/** Why a session ended; undefined while it is open. */
export async function findEndReason(
  queries: Queries,
  scope: OrganizationScope,
  id: string,
): Promise<remoteAccess.EndReason | undefined> {
  const row = await queries
    .selectFrom('remote_sessions')
    .select('end_reason')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.end_reason ?? undefined;
}

export interface EndedSession extends RemoteSession {
  readonly openedAt: Date;
  readonly accountEmail: string;
  /** Of a session to a client. */
  readonly sent: number;
  readonly received: number;
}

/** The client of a session `s` as one value; null = the router itself. */
export const clientOfSession = sql<RemoteSession['client']>`case when s.client_address is not null then json_build_object(
  'mac', s.client_mac, 'address', s.client_address, 'port', s.client_port, 'service', s.client_service) end`;

/** Store the bytes of a session to a client whose sockets this process has: another one may write its end. */
export async function writeTraffic(tx: Tx, scope: OrganizationScope, id: string, { sent, received }: Traffic): Promise<void> {
  await tx
    .updateTable('remote_sessions')
    .set({ client_sent: sent, client_received: received })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('client_address', 'is not', null)
    .where('ended_at', 'is', null)
    .execute();
}

/** @param traffic if left out, that which was stored last @returns the ended session, or undefined when it had already ended */
export async function markEnded(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  reason: remoteAccess.EndReason,
  now: Date,
  traffic?: Traffic,
): Promise<EndedSession | undefined> {
  const { rows } = await sql<EndedSession>`
    update remote_sessions s set ended_at = greatest(${now}::timestamptz, s.opened_at), end_reason = ${reason},
      client_sent = coalesce(${traffic?.sent ?? null}::bigint, s.client_sent),
      client_received = coalesce(${traffic?.received ?? null}::bigint, s.client_received)
    where s.organization_id = ${scope.organizationId}::uuid and s.id = ${id}::uuid and s.ended_at is null
    returning s.id, s.device_id as "deviceId", s.router_id as "routerId", s.type, s.opened_at as "openedAt",
      s.account_email as "accountEmail", ${clientOfSession} as client, coalesce(s.client_sent, 0)::float8 as sent,
      coalesce(s.client_received, 0)::float8 as received, (select r.serial from routers r where r.id = s.router_id) as serial`.execute(
    tx,
  );
  return rows[0];
}

/** A sign of life of this process. */
export async function markSeen(tx: Tx, node: string, now: Date): Promise<void> {
  await sql`insert into remote_nodes (node, seen_at) values (${node}, ${now}::timestamptz)
    on conflict (node) do update set seen_at = excluded.seen_at`.execute(tx);
}

/** How long ended sessions are kept. */
const KEPT_DAYS = 90;
const DAY_MS = 86_400_000;

/** Delete sessions that ended long ago (retention), and processes that are gone. */
export async function purgeRemoteSessions(database: Database, now: Date): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .deleteFrom('remote_sessions')
      .where('ended_at', '<', new Date(now.getTime() - KEPT_DAYS * DAY_MS))
      .execute();
    await tx
      .deleteFrom('remote_nodes')
      .where('seen_at', '<', new Date(now.getTime() - DAY_MS))
      .execute();
  });
}
