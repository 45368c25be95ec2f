import { MAIN_SERVICE } from '@highline/contract';
import { sql } from 'kysely';
import type { Tx } from '../../platform/ports/database.ts';
import type { MainScope } from '../../kernel/scope.ts';

/** The role of the main account's own users. */
export const MAIN_ROLE = `r.${MAIN_SERVICE}.vendor.super`;

/** Lock the set of users of a main account before it is changed. @returns its name, for mails */
export async function lockMainAccount(tx: Tx, { mainAccountId }: MainScope): Promise<string> {
  const row = await tx
    .selectFrom('main_accounts')
    .select('name')
    .where('id', '=', mainAccountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return row.name;
}

/** True for the main account's own users; a literal, so that their index is used. */
export const isColleague = sql<boolean>`${sql.lit(MAIN_ROLE)} = any(roles)`;

/** One of the main account's own users, with the fields that a deletion logs. */
export async function findColleague(
  tx: Tx,
  { mainAccountId }: MainScope,
  id: string,
): Promise<{ readonly email: string; readonly name: string } | undefined> {
  return tx
    .selectFrom('accounts')
    .select(['email', 'name'])
    .where('id', '=', id)
    .where('main_account_id', '=', mainAccountId)
    .where(isColleague)
    .executeTakeFirst();
}
