import { DomainError, isId } from '../../kernel/index.ts';
import { MAIN_SERVICE, fromApiRole } from '@highline/contract';

/** A role in one organization, from a role string. */
export interface MemberRole {
  readonly organizationId: string;
  readonly role: 'admin' | 'user';
}

/**
 * Read a role string that a user wants to give: `r.{org}.super` or `r.{org}.vendor`. The main account's role cannot be given.
 * @throws DomainError `permission.denied` for the main account's, `request.invalid` for an invalid one, `not_found` for an
 * unknown organization
 */
export function readMemberRole(text: string, field: string): MemberRole {
  const [first, organizationId = '', third, ...more] = text.split('.');
  if (organizationId === MAIN_SERVICE) throw new DomainError('permission.denied');
  if (first !== 'r' || more.length > 0 || (third !== 'super' && third !== 'vendor'))
    throw new DomainError('request.invalid', { field, reason: 'is not a role of an organization' });
  if (!isId(organizationId)) throw new DomainError('not_found');
  const role = fromApiRole(third);
  return { organizationId, role: role === 'admin' ? 'admin' : 'user' };
}
