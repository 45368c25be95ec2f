import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries, Tx } from '../../ports/database.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';
import type { Language } from '../mails/index.ts';

export interface AccountRow {
  readonly id: string;
  readonly main_account_id: string;
  readonly organization_id: string | null;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
  readonly roles: readonly string[];
  readonly custom_data: Record<string, unknown>;
  /** Of name and role, for ETags. */
  readonly version: number;
  /** What its address is subscribed to in its organization. */
  readonly notification_types: readonly notifications.NotificationEvent[];
}

const columns = [
  'id',
  'main_account_id',
  'organization_id',
  'email',
  'name',
  'password_hash',
  'roles',
  'custom_data',
  'version',
  sql<notifications.NotificationEvent[]>`coalesce((select s.events from notification_subscriptions s
    where s.organization_id = accounts.organization_id and s.mail = accounts.email), '{}')`.as('notification_types'),
] as const;

/** For sign-in and forgotten passwords alone: they begin before anybody is known, so there is no scope yet. */
export function findByEmail(queries: Queries, email: string): Promise<AccountRow | undefined> {
  return queries.selectFrom('accounts').select(columns).where('email', '=', email).executeTakeFirst();
}

/** An account that `actor` may see: itself; an admin those of the own organization; the main account all of its own. */
export function findVisible(queries: Queries, actor: Actor, id: string): Promise<AccountRow | undefined> {
  let query = queries
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', id)
    .where('main_account_id', '=', actor.mainAccountId);
  if (actor.role === 'admin') query = query.where('organization_id', '=', actor.organizationId);
  if (actor.role === 'user') query = query.where('id', '=', actor.accountId);
  return query.executeTakeFirst();
}

/** The name for mails and answers; undefined for one that is deleted. */
export async function findOrganizationName(queries: Queries, id: string): Promise<string | undefined> {
  return (
    await queries
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  )?.name;
}

/** Whether an account may be taken in: it has neither organization nor role, or no other role than in an organization that was deleted. */
export async function belongsNowhere(
  queries: Queries,
  { organization_id: id, roles }: Pick<AccountRow, 'organization_id' | 'roles'>,
): Promise<boolean> {
  if (id === null) return roles.length === 0;
  return roles.every((role) => role.startsWith(`r.${id}.`)) && (await findOrganizationName(queries, id)) === undefined;
}

/** The name for mails; empty where there is none. */
export async function findMainAccountName(queries: Queries, id: string): Promise<string> {
  return (await queries.selectFrom('main_accounts').select('name').where('id', '=', id).executeTakeFirst())?.name ?? '';
}

export interface NewAccount {
  readonly id: string;
  readonly mainAccountId: string;
  readonly organizationId: string | null;
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
  readonly roles: readonly string[];
  readonly isContact: boolean;
}

/** An account to change: seen as `findVisible` sees it, and nobody else changes it until the transaction ends. */
export function holdVisible(tx: Tx, actor: Actor, id: string): Promise<AccountRow | undefined> {
  let query = tx.selectFrom('accounts').select(columns).where('id', '=', id).where('main_account_id', '=', actor.mainAccountId);
  if (actor.role !== 'main') query = query.where('organization_id', '=', actor.organizationId);
  return query.forUpdate().executeTakeFirst();
}

/** For invitations: an e-mail address is one account's over all tenants. */
export function holdByEmail(tx: Tx, email: string): Promise<AccountRow | undefined> {
  return tx.selectFrom('accounts').select(columns).where('email', '=', email).forUpdate().executeTakeFirst();
}

/** Whoever changes who is an admin of an organization waits here for the others. @returns false where the organization is gone */
export async function holdAdmins(tx: Tx, scope: OrganizationScope): Promise<boolean> {
  const row = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', scope.organizationId)
    .where('main_account_id', '=', scope.mainAccountId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an organization has an admin besides an account; null = any admin. */
export async function hasOtherAdmin(tx: Tx, scope: OrganizationScope, accountId: string | null): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where organization_id = ${scope.organizationId} and id is distinct from ${accountId}::uuid
      and ${`r.${scope.organizationId}.super`} = any(roles) limit 1`.execute(tx);
  return rows.length > 0;
}

/** What an account is to its organization, or to its main account. */
export interface Membership {
  /** Null = the main account itself. */
  readonly organizationId: string | null;
  readonly roles: readonly string[];
  readonly name: string;
  readonly isContact: boolean;
}

/** Settles an account's organization, and its name and roles there. @returns the row after it, with its next version */
export async function updateMembership(tx: Tx, accountId: string, membership: Membership, now: Date): Promise<AccountRow> {
  return tx
    .updateTable('accounts')
    .set((set) => ({
      organization_id: membership.organizationId,
      roles: [...membership.roles],
      name: membership.name,
      is_contact: membership.isContact,
      version: set('version', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', accountId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Renames a person. @returns the row after it, with its next version */
export async function updateName(tx: Tx, accountId: string, name: string, now: Date): Promise<AccountRow> {
  return tx
    .updateTable('accounts')
    .set((set) => ({ name, version: set('version', '+', 1), updated_at: now }))
    .where('id', '=', accountId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** The language a person is written to. */
export async function updateLanguage(tx: Tx, accountId: string, language: Language): Promise<void> {
  await tx.updateTable('accounts').set({ language }).where('id', '=', accountId).execute();
}

/** The language a person is written to; English where nobody said another. */
export async function findLanguage(queries: Queries, accountId: string): Promise<Language> {
  const row = await queries.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirst();
  return row?.language === 'zh-TW' ? 'zh-TW' : 'en-US';
}

/** Gives an account other roles in its organization. @returns the row after it, with its next version */
export async function updateRoles(tx: Tx, accountId: string, roles: readonly string[], now: Date): Promise<AccountRow> {
  return tx
    .updateTable('accounts')
    .set((set) => ({ roles: [...roles], version: set('version', '+', 1), updated_at: now }))
    .where('id', '=', accountId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Its sessions and links go with it. */
export async function deleteAccountRow(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', accountId).execute();
}

const valuesOf = (account: NewAccount) => ({
  id: account.id,
  main_account_id: account.mainAccountId,
  organization_id: account.organizationId,
  email: account.email,
  name: account.name,
  password_hash: account.passwordHash,
  roles: [...account.roles],
  is_contact: account.isContact,
});

/** A new account. The database refuses an address that has one already. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.insertInto('accounts').values(valuesOf(account)).execute();
}

/** Like `insertAccount`. @returns undefined where the e-mail address is an account's already */
export function tryInsertAccount(tx: Tx, account: NewAccount): Promise<AccountRow | undefined> {
  return tx
    .insertInto('accounts')
    .values(valuesOf(account))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Whether the password is still the one that was checked; from here to the end of the transaction nobody changes it. */
export async function holdPassword(tx: Tx, accountId: string, checkedHash: string | null): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .forShare()
    .executeTakeFirst();
  return account !== undefined && account.password_hash === checkedHash;
}

/**
 * Note that somebody signs in, if the password is still the one that was checked; until the transaction ends nobody changes it.
 * @returns whether it is
 */
export async function noteSignIn(tx: Tx, accountId: string, checkedHash: string | null, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ signed_in_at: now })
    .where('id', '=', accountId)
    .where('password_hash', 'is not distinct from', checkedHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** What a mailed link was sent for; either sets a password. */
export type LinkPurpose = 'reset-password' | 'invitation';

/** Keeps a mailed link as the hash of its secret; the secret itself is in the mail alone. */
export async function insertLink(
  tx: Tx,
  link: {
    readonly secretHash: Buffer;
    readonly accountId: string;
    readonly purpose: LinkPurpose;
    readonly createdAt: Date;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await tx
    .insertInto('mailed_links')
    .values({
      secret_hash: link.secretHash,
      account_id: link.accountId,
      purpose: link.purpose,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    })
    .execute();
}

/**
 * Links of an account's invitations open nothing any more; what it asked for itself stays good.
 * @returns the hashes of their secrets
 */
export async function endInvitations(tx: Tx, accountId: string, now: Date): Promise<Buffer[]> {
  const ended = await tx
    .updateTable('mailed_links')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'invitation')
    .where('used_at', 'is', null)
    .returning('secret_hash')
    .execute();
  return ended.map(({ secret_hash: hash }) => hash);
}

/** Use a link up. @returns its account, or undefined when it is unknown, used or over its time */
export async function takeLink(
  tx: Tx,
  secretHash: Buffer,
  now: Date,
): Promise<{ readonly owner: AccountRow; readonly purpose: LinkPurpose } | undefined> {
  const taken = await tx
    .updateTable('mailed_links')
    .set({ used_at: now })
    .where('secret_hash', '=', secretHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['account_id', 'purpose'])
    .executeTakeFirst();
  if (taken === undefined) return undefined;
  const owner = await tx.selectFrom('accounts').select(columns).where('id', '=', taken.account_id).forUpdate().executeTakeFirst();
  return owner === undefined ? undefined : { owner, purpose: taken.purpose };
}

/** Set a password and make every other link of the account worthless. */
export async function updatePassword(tx: Tx, accountId: string, passwordHash: string, now: Date): Promise<void> {
  await tx.updateTable('accounts').set({ password_hash: passwordHash, updated_at: now }).where('id', '=', accountId).execute();
  await tx
    .updateTable('mailed_links')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute();
}
