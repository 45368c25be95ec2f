import type { Queries, Tx } from '../../ports/database.ts';
import type { Actor } from '../../scope.ts';

export interface AccountRow {
  readonly id: string;
  readonly main_account_id: string;
  readonly organization_id: string | null;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string | null;
  readonly roles: readonly string[];
  readonly custom_data: Record<string, unknown>;
}

const columns = ['id', 'main_account_id', 'organization_id', 'email', 'name', 'password_hash', 'roles', 'custom_data'] as const;

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

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx
    .insertInto('accounts')
    .values({
      id: account.id,
      main_account_id: account.mainAccountId,
      organization_id: account.organizationId,
      email: account.email,
      name: account.name,
      password_hash: account.passwordHash,
      roles: [...account.roles],
      is_contact: account.isContact,
    })
    .execute();
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

export async function insertLink(tx: Tx, secretHash: Buffer, accountId: string, expiresAt: Date): Promise<void> {
  await tx
    .insertInto('mailed_links')
    .values({ secret_hash: secretHash, account_id: accountId, purpose: 'reset-password', expires_at: expiresAt })
    .execute();
}

/** Use a link up. @returns its account, or undefined when it is unknown, used or over its time */
export async function takeLink(tx: Tx, secretHash: Buffer, now: Date): Promise<AccountRow | undefined> {
  const taken = await tx
    .updateTable('mailed_links')
    .set({ used_at: now })
    .where('secret_hash', '=', secretHash)
    .where('purpose', '=', 'reset-password')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('account_id')
    .executeTakeFirst();
  if (taken === undefined) return undefined;
  return tx.selectFrom('accounts').select(columns).where('id', '=', taken.account_id).forUpdate().executeTakeFirst();
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
