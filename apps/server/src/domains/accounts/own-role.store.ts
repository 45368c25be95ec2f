import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';

/** Give a locked account an own role in place of one that it has; null = none. */
export async function replaceOwnRole(
  tx: Tx,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  accountId: string,
  roleId: string | null,
): Promise<void> {
  await tx.deleteFrom('account_own_roles').where('account_id', '=', accountId).execute();
  if (roleId === null) return;
  await sql`insert into account_own_roles (account_id, role_id) select a.id, ${roleId}::uuid from accounts a
    where a.id = ${accountId}::uuid and a.main_account_id = ${mainAccountId}::uuid`.execute(tx);
}

/** Give everyone with an own role another one, or none (null). */
export async function replaceEveryOwnRole(
  tx: Tx,
  { mainAccountId }: Pick<Scope, 'mainAccountId'>,
  roleId: string,
  instead: string | null,
): Promise<void> {
  const held = sql`h.role_id = ${roleId}::uuid
    and exists (select from accounts a where a.id = h.account_id and a.main_account_id = ${mainAccountId}::uuid)`;
  await (instead === null
    ? sql`delete from account_own_roles h where ${held}`.execute(tx)
    : sql`update account_own_roles h set role_id = ${instead}::uuid where ${held}`.execute(tx));
}
