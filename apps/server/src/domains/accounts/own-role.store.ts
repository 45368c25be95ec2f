import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';

/** Give a locked account an own role in place of one that it has; null = none. */
export async function replaceOwnRole(tx: Tx, account_id: string, role_id: string | null): Promise<void> {
  await tx.deleteFrom('account_own_roles').where('account_id', '=', account_id).execute();
  if (role_id !== null) await tx.insertInto('account_own_roles').values({ account_id, role_id }).execute();
}

/** Give everyone with an own role another one, or none (null). @returns their ids */
export async function replaceEveryOwnRole(tx: Tx, roleId: string, instead: string | null): Promise<string[]> {
  const { rows } =
    instead === null
      ? await sql<{
          account_id: string;
        }>`delete from account_own_roles where role_id = ${roleId}::uuid returning account_id`.execute(tx)
      : await sql<{ account_id: string }>`update account_own_roles set role_id = ${instead}::uuid where role_id = ${roleId}::uuid
          returning account_id`.execute(tx);
  return rows.map(({ account_id: id }) => id);
}
