// Reads tables of other domains: organizations.
import type { Queries } from '../../platform/ports/database.ts';
import type { Actor } from '../../kernel/scope.ts';
import { roleOf } from './standing.ts';
import { isVisitOpen } from './visits.queries.ts';

/**
 * Whether the account of an actor still exists with the role and the organization that it had then, without a limit: what acts for someone does
 * not know which devices that person may see.
 */
export async function hasRole(queries: Queries, actor: Actor): Promise<boolean> {
  if (actor.visit !== undefined) return isVisitOpen(queries, actor, new Date());
  const account = await queries
    .selectFrom('accounts as a')
    .leftJoin('organizations as o', 'o.id', 'a.organization_id')
    .leftJoin('account_limits as l', 'l.account_id', 'a.id')
    .select(['a.roles', 'a.organization_id', 'o.deleted_at', 'l.account_id as limited'])
    .where('a.id', '=', actor.accountId)
    .where('a.main_account_id', '=', actor.mainAccountId)
    .executeTakeFirst();
  // Accounts of a deleted organization are kept until it is purged, and may do nothing.
  if (account === undefined || account.deleted_at !== null || account.limited !== null) return false;
  return roleOf(account) === actor.role && account.organization_id === actor.organizationId;
}
