import { deriveRole, type Role } from '@highline/contract';
import type { Actor } from '../../kernel/scope.ts';
import type { OwnRoleRow } from './own-role.queries.ts';
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

/**
 * As whom an account acts: by its role, or by an own role, which allows a part of what an admin of the organization may do, or the main account
 * (IAM-03). To others, such as those who count admins, it stays what its role strings say.
 */
export function standingOf(
  account: Pick<AccountRow, 'roles' | 'organization_id'> & OwnRoleRow,
): Pick<Actor, 'role' | 'ownRole'> | undefined {
  const role = roleOf(account);
  if (role === undefined) return undefined;
  if (account.own_role === null) return { role };
  const { id, name, rights } = account.own_role;
  return { role: role === 'user' ? 'admin' : role, ownRole: { id, name, rights } };
}
