import type { remoteAccess } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Queries, Tx } from '../../ports/database.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';

/** A call that the process with the router's connection, or with the session's sockets, is to carry out. */
export interface Errand {
  readonly action: 'connect' | 'secret' | 'reset';
  readonly routerId: string;
  /** Whose credentials are to be told; null for other actions. */
  readonly sessionId: string | null;
  readonly serial: string;
  readonly type: remoteAccess.ConnectionType;
}

/** An errand as another process finds it. */
export interface Request extends Errand {
  readonly id: string;
  readonly scope: OrganizationScope;
  /** Of the sign-in, in hex. */
  readonly signInId: string;
  /** Where the person called from. */
  readonly address: string;
}

/** Asks the process that holds the router's connection, whichever it is. */
export async function insertRequest(
  tx: Tx,
  { organizationId, mainAccountId }: OrganizationScope,
  id: string,
  errand: Errand,
  actor: Pick<Actor, 'sessionId' | 'address'>,
  now: Date,
): Promise<void> {
  const { action, routerId, sessionId, serial, type } = errand;
  await tx
    .insertInto('remote_requests')
    .values({
      organization_id: organizationId,
      id,
      main_account_id: mainAccountId,
      action,
      router_id: routerId,
      session_id: sessionId,
      serial,
      type,
      login_hash: Buffer.from(actor.sessionId, 'hex'),
      address: actor.address,
      asked_at: now,
    })
    .execute();
}

/** How far a request is; undefined when it is gone. */
export async function findProgress(
  queries: Queries,
  { organizationId }: OrganizationScope,
  id: string,
): Promise<{ isTaken: boolean; isAnswered: boolean } | undefined> {
  const { rows } = await sql<{ isTaken: boolean; isAnswered: boolean }>`
    select taken_at is not null as "isTaken", sealed_answer is not null as "isAnswered" from remote_requests
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(queries);
  return rows[0];
}

/** Take a request back, or its answer: nobody finds it any more. @returns the answer, still sealed, if there was one */
export async function deleteRequest(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<Buffer | undefined> {
  const row = await tx
    .deleteFrom('remote_requests')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('sealed_answer')
    .executeTakeFirst();
  return row?.sealed_answer ?? undefined;
}

/** @returns false when nobody waits for it any more */
export async function writeAnswer(tx: Tx, { organizationId }: OrganizationScope, id: string, sealed: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('remote_requests')
    .set({ sealed_answer: sealed })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

// What follows is the machinery's own view: requests of every organization.

/** In one look. */
const MOST = 100;

interface Row extends Errand {
  readonly id: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly signInId: string;
  readonly address: string;
}

/** Requests that no process has taken. */
export async function listUntaken(queries: Queries): Promise<Request[]> {
  const { rows } = await sql<Row>`
    select id, organization_id as "organizationId", main_account_id as "mainAccountId", action, router_id as "routerId",
      session_id as "sessionId", serial, type, encode(login_hash, 'hex') as "signInId", address
    from remote_requests where taken_at is null order by asked_at limit ${MOST}`.execute(queries);
  return rows.map(({ organizationId, mainAccountId, ...row }) => ({
    ...row,
    scope: { kind: 'organization', organizationId, mainAccountId },
  }));
}

/** @returns false when another process was first, or nobody waits any more */
export async function takeRequest(tx: Tx, { id, scope }: Request, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('remote_requests')
    .set({ taken_at: now })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forget what a process that died left behind. */
export async function purgeRequests(database: Database, before: Date): Promise<void> {
  await database.write((tx) => tx.deleteFrom('remote_requests').where('asked_at', '<', before).execute());
}
