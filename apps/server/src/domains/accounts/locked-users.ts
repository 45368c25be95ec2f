import { DomainError, required, isId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { findVisible, lockAdmins, lockVisible, type AccountRow } from './accounts.store.ts';

/** A member of an organization, locked until the transaction ends, with the organization's admins. */
export interface LockedUser {
  readonly member: AccountRow;
  readonly scope: OrganizationScope;
}

/**
 * The organization is always locked before the account, to avoid deadlocks.
 * @throws DomainError `account.not_found`
 */
export async function lockMember(tx: Tx, actor: Actor, id: string): Promise<LockedUser> {
  const seen = isId(id) ? await findVisible(tx, actor, id) : undefined;
  if (seen === undefined || seen.organization_id === null) throw new DomainError('account.not_found');
  const scope: OrganizationScope = {
    kind: 'organization',
    mainAccountId: actor.mainAccountId,
    organizationId: seen.organization_id,
  };
  const isThere = await lockAdmins(tx, scope);
  const member = required(isThere ? await lockVisible(tx, actor, id) : undefined, 'account.not_found');
  return { member, scope };
}
