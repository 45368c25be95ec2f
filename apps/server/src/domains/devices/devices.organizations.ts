import { DomainError } from '../../failure.ts';
import type { Tx } from '../../ports/database.ts';
import type { OrganizationScope, Scope } from '../../scope.ts';

/**
 * Which of these are living organizations of the scope's main account. Until the transaction ends none of them is deleted: who deletes
 * one waits, and then finds what came into it.
 */
export async function holdOrganizations(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('organizations')
    .select('id')
    .where('main_account_id', '=', scope.mainAccountId)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Hold the organization that devices are about to come into. @throws DomainError `not_found` where it was deleted meanwhile */
export async function holdOrganization(tx: Tx, scope: OrganizationScope): Promise<void> {
  if ((await holdOrganizations(tx, scope, [scope.organizationId])).size === 0)
    throw new DomainError('not_found', { field: 'org' });
}
