import type { Queries } from '../../platform/ports/database.ts';
import type { Actor } from '../../kernel/scope.ts';
import { roleOf } from './standing.ts';

/** Whether the account of an actor still exists with the role and the organization that it had then. */
export async function hasRole(queries: Queries, actor: Actor): Promise<boolean> {
  const account = await queries
    .selectFrom('accounts')
    .select(['roles', 'organization_id'])
    .where('id', '=', actor.accountId)
    .where('main_account_id', '=', actor.mainAccountId)
    .executeTakeFirst();
  return account !== undefined && roleOf(account) === actor.role && account.organization_id === actor.organizationId;
}
