import type { signInPolicy } from '@highline/contract';
import { sql } from 'kysely';
import type { Database, Queries, Tx, Row } from '../../platform/ports/index.ts';
import { plainAddress } from '../../kernel/index.ts';
import type { Actor, OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { AccountRow } from './accounts.store.ts';
import { limitColumns, limitOf, type LimitRow } from './limits.queries.ts';
import { ownRoleColumns, type OwnRoleRow } from './own-role.queries.ts';
import { purgePending } from './second-factor.store.ts';
import { standingOf } from './standing.ts';
import { isWithinVisit, visitColumns, visitJoins, visitOf, type VisitRow } from './visits.queries.ts';

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
  readonly method: signInPolicy.SessionMethod;
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
      method: session.method,
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

/** So long after another sign-in by the provider an act that needs the own password needs none. */
export const CONFIRMED_MS = 300_000;

/** Note that the person of a session signed in again. @returns false if there is no such session of the account */
export async function confirmSession(
  tx: Tx,
  { accountId, sessionId }: Pick<Actor, 'accountId' | 'sessionId'>,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('bearer_hash', '=', Buffer.from(sessionId, 'hex'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** When the person of a session last signed in again; undefined = not lately. */
export async function findConfirmed(
  queries: Queries,
  { accountId, sessionId }: Pick<Actor, 'accountId' | 'sessionId'>,
  now: Date,
): Promise<Date | undefined> {
  const row = await queries
    .selectFrom('sessions')
    .select('confirmed_at')
    .where('bearer_hash', '=', Buffer.from(sessionId, 'hex'))
    .where('account_id', '=', accountId)
    .where('confirmed_at', '>', new Date(now.getTime() - CONFIRMED_MS))
    .executeTakeFirst();
  return row?.confirmed_at ?? undefined;
}

export type SessionRow = Row<'sessions', 'bearer_hash' | 'created_at' | 'last_used_at' | 'address' | 'user_agent' | 'method'>;

/** The policy `p` of the company of an account `a`. */
const policies = sql`sign_in_policies p on p.company_id = coalesce(a.organization_id, a.main_account_id)`;

/** The sessions of an account that have not ended, the latest used first. */
export async function findSessionsOf(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  accountId: string,
  now: Date,
): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`select s.bearer_hash, s.created_at, s.last_used_at, s.address, s.user_agent, s.method
    from sessions s join accounts a on a.id = s.account_id left join ${policies}
    where s.account_id = ${accountId}::uuid and a.main_account_id = ${mainAccountId}::uuid and s.expires_at > ${now} and s.last_used_at > ${new Date(now.getTime() - IDLE_MS)}
      and (p.company_id is null or (s.last_used_at > ${now}::timestamptz - p.idle_minutes * interval '1 minute'
        and s.created_at > ${now}::timestamptz - p.lifetime_hours * interval '1 hour'))
    order by s.last_used_at desc, s.created_at desc limit ${MOST_SESSIONS}`.execute(queries);
  return rows;
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
    await tx.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute();
  });
}

/** When a session ends if it is not used from now on; undefined = it has ended, or is an API key. */
export async function findIdleEnd(queries: Queries, { sessionId }: Actor, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ ends_at: Date }>`select least(s.expires_at, s.created_at + p.lifetime_hours * interval '1 hour',
      ${now}::timestamptz + coalesce(p.idle_minutes, ${IDLE_MS / 60_000}::int) * interval '1 minute') as ends_at
    from sessions s join accounts a on a.id = s.account_id left join ${policies} where s.bearer_hash = ${Buffer.from(sessionId, 'hex')}`.execute(
    queries,
  );
  return rows[0]?.ends_at;
}

/** The current values of a session and its account. */
interface ActiveSession
  extends
    LimitRow,
    OwnRoleRow,
    VisitRow,
    Pick<AccountRow, 'id' | 'email' | 'name' | 'roles' | 'main_account_id' | 'organization_id'> {
  readonly last_used_at: Date;
  /** Deletion time of its organization. */
  readonly deleted_at: Date | null;
}

/** Runs at every call, and planning it would take longer than running it: each connection plans it once. */
const heldSession = {
  name: 'held-session',
  text: `select s.last_used_at, a.id, a.email, a.name, a.roles, a.main_account_id, a.organization_id, o.deleted_at, ${limitColumns}, ${ownRoleColumns},
      ${visitColumns}
    from sessions s join accounts a on a.id = s.account_id left join organizations o on o.id = a.organization_id ${visitJoins}
      left join sign_in_policies p on p.company_id = coalesce(a.organization_id, a.main_account_id)
    where s.bearer_hash = $1 and s.expires_at > $2 and s.last_used_at > $3 and ${isWithinVisit}
      and (p.company_id is null or (s.last_used_at > $2::timestamptz - p.idle_minutes * interval '1 minute'
        and s.created_at > $2::timestamptz - p.lifetime_hours * interval '1 hour'
        and ($4::boolean or p.ranges = '{}' or a.email = any(p.excepted) or coalesce($5::inet <<= any(p.ranges), false))))`,
} as const;

/**
 * The account of a bearer, read again at every call, so that a changed role, a deleted organization or an ended session counts at
 * once. Undefined for an unknown or expired bearer, for an account without a role, and for an address that the policy of its company
 * does not allow.
 * @param address undefined = not that of a caller
 */
export async function readSession(
  database: Database,
  bearerHash: Buffer,
  address: string | undefined,
  now: Date,
): Promise<Actor | undefined> {
  const idleSince = new Date(now.getTime() - IDLE_MS);
  const from = address === undefined ? null : (plainAddress(address) ?? null);
  const values = [bearerHash, now, idleSince, address === undefined, from];
  const { rows } = await database.pool.query<ActiveSession>({ ...heldSession, values });
  const [row] = rows;
  const standing = row === undefined || row.deleted_at !== null ? undefined : standingOf(row);
  if (row === undefined || standing === undefined) return undefined;
  if (now.getTime() - row.last_used_at.getTime() > TOUCH_MS) await touch(database, bearerHash, now);
  const visiting = visitOf(row, standing.role);
  if (visiting === 'over') return undefined;
  return {
    accountId: row.id,
    email: row.email,
    name: row.name,
    ...standing,
    mainAccountId: row.main_account_id,
    organizationId: row.organization_id,
    address: address ?? '',
    sessionId: bearerHash.toString('hex'),
    ...limitOf(row.id, row),
    ...visiting,
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
