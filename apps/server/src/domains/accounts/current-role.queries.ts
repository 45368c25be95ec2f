// Reads tables of other domains: organizations.
import type { Right } from '@highline/contract';
import { sql } from 'kysely';
import type { Queries, Row } from '../../platform/ports/index.ts';
import { isAllowedByRole } from '../../kernel/rights.ts';
import type { Actor } from '../../kernel/scope.ts';
import { limitColumns, limitOf, type LimitRow } from './limits.queries.ts';
import { ownRoleColumns, type OwnRoleRow } from './own-role.queries.ts';
import { standingOf } from './standing.ts';

interface CurrentRow extends LimitRow, OwnRoleRow, Row<'accounts', 'roles' | 'organization_id'> {
  readonly deleted_at: Date | null;
}

/**
 * Whether the account of an actor still exists with the role and the organization that it had then, may make a call, and has no limit: what acts for
 * someone does not know which devices that person may see.
 */
export async function mayStillAct(queries: Queries, actor: Actor, right: Right): Promise<boolean> {
  const { rows } =
    await sql<CurrentRow>`select a.roles, a.organization_id, o.deleted_at, ${sql.raw(limitColumns)}, ${sql.raw(ownRoleColumns)}
    from accounts a left join organizations o on o.id = a.organization_id
    where a.id = ${actor.accountId}::uuid and a.main_account_id = ${actor.mainAccountId}::uuid`.execute(queries);
  const [account] = rows;
  // Accounts of a deleted organization are kept until it is purged, and may do nothing.
  if (account === undefined || account.deleted_at !== null || limitOf(actor.accountId, account).limit !== undefined) return false;
  const standing = standingOf(account);
  return standing?.role === actor.role && account.organization_id === actor.organizationId && isAllowedByRole(standing, right);
}
