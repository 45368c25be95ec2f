import { sql } from 'kysely';
import type { Database, Queries, Tx, Row } from '../../platform/ports/index.ts';
import type { Actor, OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { AccountRow } from './accounts.store.ts';
import { limitColumns, limitOf, type LimitRow } from './limits.queries.ts';
import { purgePending } from './second-factor.store.ts';
import { roleOf } from './standing.ts';

/** A session ends after this idle time, and at the latest after the second limit. */
export const IDLE_MS = 12 * 3_600_000;
export const LIFETIME_MS = 7 * 86_400_000;
/** `last_used_at` is written at most this often: a read must not cost a write. */
const TOUCH_MS = 60_000;
/** A client that signs in for every call must not fill the table: above this number, an account's longest unused session ends. */
const MOST_SESSIONS = 100;

export interface NewSession {
  readonly bearerHash: Buffer;
  readonly accountId: string;
  readonly address: string;
  readonly userAgent: string;
}

/** Store a session as the hash of its bearer. */
export async function insertSession(tx: Tx, session: NewSession, now: Date): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      bearer_hash: session.bearerHash,
      account_id: session.accountId,
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + LIFETIME_MS),
      address: session.address,
      user_agent: session.userAgent.slice(0, 400),
    })
    .execute();
  await sql`
    delete from sessions where bearer_hash in (
      select bearer_hash from sessions where account_id = ${session.accountId}
      order by last_used_at desc, created_at desc, bearer_hash offset ${MOST_SESSIONS})`.execute(tx);
}

/** End every session of an account (AUTH-08). @returns their number */
export async function deleteSessionsOf(tx: Tx, accountId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('account_id', '=', accountId).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export type SessionRow = Row<'sessions', 'bearer_hash' | 'created_at' | 'last_used_at' | 'address' | 'user_agent'>;

/** The sessions of an account that have not ended, the latest used first. */
export function findSessionsOf(queries: Queries, accountId: string, now: Date): Promise<SessionRow[]> {
  return queries
    .selectFrom('sessions')
    .select(['bearer_hash', 'created_at', 'last_used_at', 'address', 'user_agent'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', new Date(now.getTime() - IDLE_MS))
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(MOST_SESSIONS)
    .execute();
}

/** End one session, if it is the account's. @returns whether there was one */
export async function deleteSessionOf(tx: Tx, accountId: string, bearerHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('bearer_hash', '=', bearerHash)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** End sessions of people of a main account. @returns whose they were, for each that there was */
export async function deleteSessions(
  tx: Tx,
  { mainAccountId }: Scope,
  bearerHashes: readonly Buffer[],
): Promise<{ readonly account_id: string }[]> {
  const { rows } = await sql<{ account_id: string }>`delete from sessions s using accounts a
    where s.bearer_hash = any(${bearerHashes}::bytea[]) and a.id = s.account_id and a.main_account_id = ${mainAccountId}::uuid
    returning s.account_id`.execute(tx);
  return rows;
}

/** Delete expired sessions, mailed links and unfinished enrolments (retention). */
export async function purgeSessions(database: Database, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const dayAgo = new Date(now.getTime() - 86_400_000);
  await database.write(async (tx) => {
    await purgePending(tx, dayAgo);
    await tx
      .deleteFrom('sessions')
      .where((where) => where.or([where('expires_at', '<=', now), where('last_used_at', '<=', idleSince)]))
      .execute();
    await tx.deleteFrom('mailed_links').where('expires_at', '<', dayAgo).execute();
  });
}

/** When a session ends at the latest, however much it is used. */
export async function findLatestEnd(queries: Queries, bearerHash: Buffer): Promise<Date | undefined> {
  const row = await queries.selectFrom('sessions').select('expires_at').where('bearer_hash', '=', bearerHash).executeTakeFirst();
  return row?.expires_at;
}

/** The current values of a session and its account. */
interface ActiveSession
  extends LimitRow, Pick<AccountRow, 'id' | 'email' | 'name' | 'roles' | 'main_account_id' | 'organization_id'> {
  readonly last_used_at: Date;
  /** Deletion time of its organization. */
  readonly deleted_at: Date | null;
}

/** Runs at every call, and planning it would take longer than running it: each connection plans it once. */
const heldSession = {
  name: 'held-session',
  text: `select s.last_used_at, a.id, a.email, a.name, a.roles, a.main_account_id, a.organization_id, o.deleted_at, ${limitColumns}
    from sessions s join accounts a on a.id = s.account_id left join organizations o on o.id = a.organization_id
    where s.bearer_hash = $1 and s.expires_at > $2 and s.last_used_at > $3`,
} as const;

/**
 * The account of a bearer, read again at every call, so that a changed role, a deleted organization or an ended session counts at
 * once. Undefined for an unknown or expired bearer, and for an account without a role.
 */
export async function readSession(
  database: Database,
  bearerHash: Buffer,
  address: string,
  now: Date,
): Promise<Actor | undefined> {
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const { rows } = await database.pool.query<ActiveSession>({ ...heldSession, values: [bearerHash, now, idleSince] });
  const [row] = rows;
  const role = row === undefined || row.deleted_at !== null ? undefined : roleOf(row);
  if (row === undefined || role === undefined) return undefined;
  if (now.getTime() - row.last_used_at.getTime() > TOUCH_MS) await touch(database, bearerHash, now);
  return {
    accountId: row.id,
    email: row.email,
    name: row.name,
    role,
    mainAccountId: row.main_account_id,
    organizationId: row.organization_id,
    address,
    sessionId: bearerHash.toString('hex'),
    ...limitOf(row.id, row),
  };
}

/** The first of concurrent calls writes; the others find it done. */
async function touch(database: Database, bearerHash: Buffer, now: Date): Promise<void> {
  await database.write((tx) =>
    tx
      .updateTable('sessions')
      .set({ last_used_at: now })
      .where('bearer_hash', '=', bearerHash)
      .where('last_used_at', '<', new Date(now.getTime() - TOUCH_MS))
      .execute(),
  );
}

/** An account counts as signed in while one of its sessions was used within this time (OVW-06). */
export const ONLINE_MS = 15 * 60_000;

/** Accounts of an organization, and how many of them are signed in now. */
export async function countSignedIn(
  database: Database,
  { organizationId }: OrganizationScope,
  now: Date,
): Promise<{ all: number; online: number }> {
  const since = new Date(now.getTime() - ONLINE_MS);
  const { rows } = await sql<{ all: number; online: number }>`
    select count(*)::int as all, count(*) filter (where exists (
      select 1 from sessions s where s.account_id = a.id and s.last_used_at > ${since} and s.expires_at > ${now}))::int as online
    from accounts a where a.organization_id = ${organizationId}`.execute(database.read);
  return rows[0]!;
}
