import { sql } from 'kysely';
import type { Database, Queries, Tx } from '../ports/database.ts';
import type { Actor, OrganizationScope } from '../scope.ts';

/** Rooms that hand calls on; each is told of its own by the live topic of its name. */
export type ErrandRoomName = 'remote' | 'commands';

/** An errand as another process finds it. */
export interface FoundErrand {
  readonly id: string;
  readonly scope: OrganizationScope;
  /** As the room wrote it, unread. */
  readonly said: unknown;
  /** Of the sign-in, in hex. */
  readonly signInId: string;
  /** Where the person called from. */
  readonly address: string;
}

/** Asks the process that holds the router's connection, whichever it is. */
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

/** How far an errand is; undefined when it is gone. */
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

/** What became of an errand until it was taken back. */
export interface TakenBack {
  /** A process has begun with it, and may have done it. */
  readonly isTaken: boolean;
  readonly sealed: Buffer | undefined;
}

/** Take an errand back, with its answer: from now on nobody finds it. */
export async function deleteErrand(tx: Tx, { organizationId }: OrganizationScope, id: string): Promise<TakenBack> {
  const row = await tx
    .deleteFrom('errands')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(['taken_at', 'sealed_answer'])
    .executeTakeFirst();
  return { isTaken: row !== undefined && row.taken_at !== null, sealed: row?.sealed_answer ?? undefined };
}

/** @returns false when nobody waits for it any more */
export async function writeAnswer(tx: Tx, { organizationId }: OrganizationScope, id: string, sealed: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('errands')
    .set({ sealed_answer: sealed })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

// What follows is the machinery's own view: errands of every organization.

/** In one look. */
const MOST = 100;
/** Whoever asked has given up by then, or died: what is older is not begun any more. */
const isFresh = sql<boolean>`asked_at > now() - interval '30 seconds'`;

interface Row extends Omit<FoundErrand, 'scope'> {
  readonly organizationId: string;
  readonly mainAccountId: string;
}

/** Errands of a room that no process has taken. */
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

/** @returns false when another process was first, or nobody waits any more */
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

/** Forget what processes that died left behind. */
export async function purgeErrands(database: Database): Promise<void> {
  await database.write((tx) => sql`delete from errands where asked_at < now() - interval '2 minutes'`.execute(tx));
}
