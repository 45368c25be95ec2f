import type { Language, notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries, Tx, Row } from '../../platform/ports/index.ts';
import type { Actor, OrganizationScope, Scope } from '../../kernel/scope.ts';
import { isFullAdmin } from './admins/index.ts';
import { findEndedVisit } from './visits.queries.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'accounts.custom_data': Record<string, unknown>;
  }
}

export interface AccountRow extends Row<
  'accounts',
  | 'id'
  | 'main_account_id'
  | 'organization_id'
  | 'email'
  | 'name'
  | 'password_hash'
  | 'roles'
  | 'is_contact'
  | 'custom_data'
  | 'version'
> {
  /** The notifications that its address receives in its organization. */
  readonly notification_types: readonly notifications.NotificationEvent[];
}

/** Whom an account belongs to. */
export type OwnerRow = Pick<AccountRow, 'id' | 'main_account_id' | 'organization_id' | 'roles'>;

const columns = [
  'id',
  'main_account_id',
  'organization_id',
  'email',
  'name',
  'password_hash',
  'roles',
  'is_contact',
  'custom_data',
  'version',
  sql<notifications.NotificationEvent[]>`coalesce((select s.events from notification_subscriptions s
    where s.organization_id = accounts.organization_id and s.mail = accounts.email), '{}')`.as('notification_types'),
] as const;

/** For sign-in and forgotten passwords only: they begin before the user is known, so there is no scope yet. */
export function findByEmail(queries: Queries, email: string): Promise<AccountRow | undefined> {
  return queries.selectFrom('accounts').select(columns).where('email', '=', email).executeTakeFirst();
}

/** The owner of a passkey, which proves who it is. */
export function findOwner(
  queries: Queries,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  id: string,
): Promise<AccountRow | undefined> {
  return queries
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', id)
    .where('main_account_id', '=', mainAccountId)
    .executeTakeFirst();
}

/** An account that `actor` may see: its own; for an admin without a limit and an own role those of the organization; for the main account all of its own. */
export function findVisible(queries: Queries, actor: Actor, id: string): Promise<AccountRow | undefined> {
  let query = queries
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', id)
    .where('main_account_id', '=', actor.mainAccountId);
  if (actor.role === 'admin') query = query.where('organization_id', '=', actor.organizationId);
  if (actor.role === 'user' || actor.limit !== undefined || actor.ownRole !== undefined)
    query = query.where('id', '=', actor.accountId);
  return query.executeTakeFirst();
}

/** The name for mails and answers; undefined if it is deleted. */
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

/**
 * Whether an account may be added to an organization: it has neither organization nor role, or only a role in a deleted
 * organization, or was no more than a guest of one.
 */
export async function belongsNowhere(
  queries: Queries,
  { id: accountId, main_account_id: mainAccountId, organization_id: id, roles }: OwnerRow,
): Promise<boolean> {
  if (id === null) return roles.length === 0;
  if (roles.length === 0 && (await findEndedVisit(queries, { mainAccountId }, accountId)) !== null) return true;
  return roles.every((role) => role.startsWith(`r.${id}.`)) && (await findOrganizationName(queries, id)) === undefined;
}

/** The name for mails; empty if there is none. */
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

/** An account to change: visible as in `findVisible`, and locked until the transaction ends. */
export function lockVisible(tx: Tx, actor: Actor, id: string): Promise<AccountRow | undefined> {
  let query = tx.selectFrom('accounts').select(columns).where('id', '=', id).where('main_account_id', '=', actor.mainAccountId);
  if (actor.role !== 'main') query = query.where('organization_id', '=', actor.organizationId);
  return query.forUpdate().executeTakeFirst();
}

/** For invitations: an e-mail address belongs to one account over all tenants. */
export function lockByEmail(tx: Tx, email: string): Promise<AccountRow | undefined> {
  return tx.selectFrom('accounts').select(columns).where('email', '=', email).forUpdate().executeTakeFirst();
}

/** Lock an account of the main account of a scope, whatever its organization. */
export function lockById(tx: Tx, { mainAccountId }: Scope, id: string): Promise<AccountRow | undefined> {
  return tx
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', id)
    .where('main_account_id', '=', mainAccountId)
    .forUpdate()
    .executeTakeFirst();
}

/** Lock the account of a session. */
export const lockOwn = (
  tx: Tx,
  { mainAccountId, accountId }: Pick<Actor, 'mainAccountId' | 'accountId'>,
): Promise<AccountRow | undefined> => lockById(tx, { kind: 'main', mainAccountId }, accountId);

/** Lock the set of admins of an organization before it is changed. @returns false if the organization is gone */
export async function lockAdmins(tx: Tx, scope: OrganizationScope): Promise<boolean> {
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

/** Whether an organization has an admin who belongs to it and sees every device. */
export async function hasAdmin(queries: Queries, { organizationId }: OrganizationScope): Promise<boolean> {
  const { rows } = await sql`select from accounts a where ${isFullAdmin(sql`${organizationId}::uuid`)} limit 1`.execute(queries);
  return rows.length > 0;
}

/** Whether an account is the only one of those admins of an organization. */
export async function isLastAdmin(tx: Tx, { organizationId }: OrganizationScope, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`select a.id from accounts a where ${isFullAdmin(sql`${organizationId}::uuid`)}
    order by a.id = ${accountId}::uuid limit 1`.execute(tx);
  return rows[0]?.id === accountId;
}

/** Whether an organization has a contact. */
export async function hasContact(tx: Tx, scope: OrganizationScope): Promise<boolean> {
  const row = await tx
    .selectFrom('accounts')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('main_account_id', '=', scope.mainAccountId)
    .where('is_contact', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The membership of an account in its organization, or in its main account. */
export interface Membership {
  /** Null = the main account itself. */
  readonly organizationId: string | null;
  readonly roles: readonly string[];
  /** Undefined = an account keeps its own, and a new one is named by its address. */
  readonly name?: string | undefined;
  readonly isContact: boolean;
}

/** Change an account; the database rejects a taken address (`isUniqueViolation`). @returns the row after it, with its next version */
export async function updateAccount(
  tx: Tx,
  accountId: string,
  change: Partial<Row<'accounts', 'organization_id' | 'roles' | 'name' | 'is_contact' | 'email'>>,
  now: Date,
): Promise<AccountRow> {
  return tx
    .updateTable('accounts')
    .set((set) => ({ ...change, version: set('version', '+', 1), updated_at: now }))
    .where('id', '=', accountId)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Set the language of mails to a user. */
export async function updateLanguage(tx: Tx, accountId: string, language: Language): Promise<void> {
  await tx.updateTable('accounts').set({ language }).where('id', '=', accountId).execute();
}

/** The language of mails to a user; English if none was set. */
export async function findLanguage(queries: Queries, accountId: string): Promise<Language> {
  const row = await queries.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirst();
  return row?.language === 'zh-TW' ? 'zh-TW' : 'en-US';
}

/** Delete an account with its sessions and links. */
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

/** Insert an account. The database rejects an address that already has one. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.insertInto('accounts').values(valuesOf(account)).execute();
}

/** Like `insertAccount`. @returns undefined if the e-mail address already has an account */
export function tryInsertAccount(tx: Tx, account: NewAccount): Promise<AccountRow | undefined> {
  return tx
    .insertInto('accounts')
    .values(valuesOf(account))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Whether the password is still the one that was checked; locks the account until the transaction ends. */
export async function lockPassword(tx: Tx, accountId: string, checkedHash: string | null): Promise<boolean> {
  const account = await tx
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', accountId)
    .forShare()
    .executeTakeFirst();
  return account !== undefined && account.password_hash === checkedHash;
}

/**
 * Record a sign-in if the password is still the one that was checked, and lock the account until the transaction ends.
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

/** The purposes of mailed links; either sets a password. */
export const linkPurposes = ['reset-password', 'invitation'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

/** Store a mailed link as the hash of its secret; only the mail contains the secret. */
export async function insertLink(
  tx: Tx,
  link: {
    readonly secretHash: Buffer;
    readonly accountId: string;
    readonly purpose: LinkPurpose;
    readonly createdAt: Date;
    readonly expiresAt: Date;
    /** Who sent an invitation. */
    readonly inviter?: string;
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
      inviter: link.inviter ?? null,
    })
    .execute();
}

/**
 * Invalidate the mailed links of an account for some purposes.
 * @returns the hashes of their secrets
 */
export async function endLinks(tx: Tx, accountId: string, purposes: readonly LinkPurpose[], now: Date): Promise<Buffer[]> {
  const ended = await tx
    .updateTable('mailed_links')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .returning('secret_hash')
    .execute();
  return ended.map(({ secret_hash: hash }) => hash);
}

/** An invitation that its link still opens; undefined when it is unknown, used or expired. No scope: the secret is the permission. */
export async function findInvitation(
  queries: Queries,
  secretHash: Buffer,
  now: Date,
): Promise<{ readonly email: string; readonly tenant: string; readonly inviter: string | null } | undefined> {
  return queries
    .selectFrom('mailed_links as l')
    .innerJoin('accounts as a', 'a.id', 'l.account_id')
    .innerJoin('main_accounts as m', 'm.id', 'a.main_account_id')
    .leftJoin('organizations as o', 'o.id', 'a.organization_id')
    .select(['a.email', 'l.inviter', (eb) => eb.fn.coalesce('o.name', 'm.name').as('tenant')])
    .where('l.secret_hash', '=', secretHash)
    .where('l.purpose', '=', 'invitation')
    .where('l.used_at', 'is', null)
    .where('l.expires_at', '>', now)
    .executeTakeFirst();
}

/** Use a link up. @returns its account, or undefined when the link is unknown, used or expired */
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

/** Set a password and invalidate every other link of the account. */
export async function updatePassword(tx: Tx, accountId: string, passwordHash: string, now: Date): Promise<void> {
  await tx.updateTable('accounts').set({ password_hash: passwordHash, updated_at: now }).where('id', '=', accountId).execute();
  await endLinks(tx, accountId, linkPurposes, now);
}
