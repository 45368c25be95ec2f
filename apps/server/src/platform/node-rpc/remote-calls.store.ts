import { sql } from 'kysely';
import type { Database, Queries, Tx } from '../ports/database.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';

/** Domains with calls between nodes; each listens on the live topic of its name. */
export type RemoteCallTopic = 'remote' | 'commands';

/** A call as another process finds it. */
export interface PendingCall {
  readonly id: string;
  readonly scope: OrganizationScope;
  /** The payload as written, not validated yet. */
  readonly payload: unknown;
  /** Id of the sign-in, in hex. */
  readonly signInId: string;
  /** Client address of the caller. */
  readonly address: string;
}

/** Request work from the process that holds the router's connection. */
export async function insertCall(
  tx: Tx,
  { organizationId, mainAccountId }: OrganizationScope,
  id: string,
  { topic, payload }: { readonly topic: RemoteCallTopic; readonly payload: object },
  { sessionId, address }: Pick<Actor, 'sessionId' | 'address'>,
): Promise<void> {
  await tx
    .insertInto('remote_calls')
    .values({
      organization_id: organizationId,
      id,
      main_account_id: mainAccountId,
      topic,
      payload: JSON.stringify(payload),
      login_hash: Buffer.from(sessionId, 'hex'),
      address,
    })
    .execute();
}

/** Progress of a call; undefined when it was deleted. */
export async function findProgress(
  queries: Queries,
  { organizationId }: OrganizationScope,
  id: string,
): Promise<{ isClaimed: boolean; isAnswered: boolean } | undefined> {
  const { rows } = await sql<{ isClaimed: boolean; isAnswered: boolean }>`
    select claimed_at is not null as "isClaimed", sealed_answer is not null as "isAnswered" from remote_calls
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(queries);
  return rows[0];
}

/** State of a call when it was withdrawn. */
export interface Withdrawn {
  /** A process has claimed it, and may have executed it. */
  readonly isClaimed: boolean;
  readonly sealed: Buffer | undefined;
}

/** Withdraw a call, with its answer: no process finds it any more. */
export async function withdrawCall(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<Withdrawn> {
  const row = await tx
    .deleteFrom('remote_calls')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(['claimed_at', 'sealed_answer'])
    .executeTakeFirst();
  return { isClaimed: row !== undefined && row.claimed_at !== null, sealed: row?.sealed_answer ?? undefined };
}

/** @returns false when the caller no longer waits */
export async function writeAnswer(tx: Tx, { organizationId }: OrganizationScope, id: string, sealed: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('remote_calls')
    .set({ sealed_answer: sealed })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

// From here on, queries cover every organization: they serve the background process, not a tenant.

/** Rows per query. */
const MOST = 100;
/** The caller has stopped waiting, or died: older calls are not started. */
const isFresh = sql<boolean>`requested_at > now() - interval '30 seconds'`;

interface Row extends Omit<PendingCall, 'scope'> {
  readonly organizationId: string;
  readonly mainAccountId: string;
}

/** Calls of a domain that no process has claimed. */
export async function listUnclaimed(queries: Queries, topic: RemoteCallTopic): Promise<PendingCall[]> {
  const { rows } = await sql<Row>`
    select id, organization_id as "organizationId", main_account_id as "mainAccountId", payload,
      encode(login_hash, 'hex') as "signInId", address
    from remote_calls where claimed_at is null and topic = ${topic} and ${isFresh} order by requested_at limit ${MOST}`.execute(
    queries,
  );
  return rows.map(({ organizationId, mainAccountId, ...row }) => ({
    ...row,
    scope: { kind: 'organization', organizationId, mainAccountId },
  }));
}

/** @returns false when another process was first, or the caller no longer waits */
export async function claimCall(tx: Tx, { id, scope }: PendingCall, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('remote_calls')
    .set({ claimed_at: now })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('claimed_at', 'is', null)
    .where(isFresh)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Delete calls left by processes that died. */
export async function purgeRemoteCalls(database: Database): Promise<void> {
  await database.write((tx) => sql`delete from remote_calls where requested_at < now() - interval '2 minutes'`.execute(tx));
}
