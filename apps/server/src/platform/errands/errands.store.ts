import { sql } from 'kysely';
import type { Database, Queries, Tx } from '../ports/database.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';

/** Domains with calls between nodes; each listens on the live topic of its name. */
export type ErrandRoomName = 'remote' | 'commands';

/** A call as another process finds it. */
export interface FoundErrand {
  readonly id: string;
  readonly scope: OrganizationScope;
  /** The payload as written, not validated yet. */
  readonly said: unknown;
  /** Id of the sign-in, in hex. */
  readonly signInId: string;
  /** Client address of the caller. */
  readonly address: string;
}

/** Request work from the process that holds the router's connection. */
export async function insertErrand(
  tx: Tx,
  { organizationId, mainAccountId }: OrganizationScope,
  id: string,
  { room, said }: { readonly room: ErrandRoomName; readonly said: object },
  { sessionId, address }: Pick<Actor, 'sessionId' | 'address'>,
): Promise<void> {
  await tx
    .insertInto('errands')
    .values({
      organization_id: organizationId,
      id,
      main_account_id: mainAccountId,
      room,
      said: JSON.stringify(said),
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
): Promise<{ isTaken: boolean; isAnswered: boolean } | undefined> {
  const { rows } = await sql<{ isTaken: boolean; isAnswered: boolean }>`
    select taken_at is not null as "isTaken", sealed_answer is not null as "isAnswered" from errands
    where organization_id = ${organizationId}::uuid and id = ${id}::uuid`.execute(queries);
  return rows[0];
}

/** State of a call when it was withdrawn. */
export interface TakenBack {
  /** A process has claimed it, and may have executed it. */
  readonly isTaken: boolean;
  readonly sealed: Buffer | undefined;
}

/** Withdraw a call, with its answer: no process finds it any more. */
export async function deleteErrand(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<TakenBack> {
  const row = await tx
    .deleteFrom('errands')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(['taken_at', 'sealed_answer'])
    .executeTakeFirst();
  return { isTaken: row !== undefined && row.taken_at !== null, sealed: row?.sealed_answer ?? undefined };
}

/** @returns false when the caller no longer waits */
export async function writeAnswer(tx: Tx, { organizationId }: OrganizationScope, id: string, sealed: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('errands')
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
const isFresh = sql<boolean>`asked_at > now() - interval '30 seconds'`;

interface Row extends Omit<FoundErrand, 'scope'> {
  readonly organizationId: string;
  readonly mainAccountId: string;
}

/** Calls of a domain that no process has claimed. */
export async function listUntaken(queries: Queries, room: ErrandRoomName): Promise<FoundErrand[]> {
  const { rows } = await sql<Row>`
    select id, organization_id as "organizationId", main_account_id as "mainAccountId", said,
      encode(login_hash, 'hex') as "signInId", address
    from errands where taken_at is null and room = ${room} and ${isFresh} order by asked_at limit ${MOST}`.execute(queries);
  return rows.map(({ organizationId, mainAccountId, ...row }) => ({
    ...row,
    scope: { kind: 'organization', organizationId, mainAccountId },
  }));
}

/** @returns false when another process was first, or the caller no longer waits */
export async function takeErrand(tx: Tx, { id, scope }: FoundErrand, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('errands')
    .set({ taken_at: now })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('taken_at', 'is', null)
    .where(isFresh)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Delete calls left by processes that died. */
export async function purgeErrands(database: Database): Promise<void> {
  await database.write((tx) => sql`delete from errands where asked_at < now() - interval '2 minutes'`.execute(tx));
}
