import { deriveRole, type Role } from '@highline/contract';
import type { AccountRow } from './accounts.store.ts';

/**
 * The current role of an account (AUTH-07), or undefined if it has none: no valid role string, or a role in an organization that
 * it does not belong to. The main account's role does not depend on an organization.
 */
export function roleOf(account: Pick<AccountRow, 'roles' | 'organization_id'>): Role | undefined {
  const { role, organizationId } = deriveRole(account.roles);
  const isStray = role !== 'main' && organizationId !== undefined && organizationId !== account.organization_id;
  return isStray ? undefined : role;
}
