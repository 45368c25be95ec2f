import { isWithinRights, type Right } from '@highline/contract';
import { DomainError } from './failure.ts';
import type { Actor } from './scope.ts';

/** Who calls, as far as rights depend on it. */
type Caller = Pick<Actor, 'role' | 'ownRole'>;

/** Whether a role, and the own role of the caller, allow a call; an API key may still not. */
export const isAllowedByRole = ({ role, ownRole }: Caller, right: Right): boolean =>
  right.roles.includes(role) && (ownRole === undefined || isWithinRights(ownRole.rights, right));

/** @throws DomainError `permission.denied` where the role does not allow a call, `permission.own_role` where the own role does not */
export function requireRole(caller: Caller, right: Right): void {
  if (isAllowedByRole(caller, right)) return;
  const key = right.roles.includes(caller.role) ? 'permission.own_role' : 'permission.denied';
  throw new DomainError(key, { detail: { operation: right.id } });
}

/**
 * Require that a caller may make another call too, because what it asks for has the effect of that call, now or later.
 * @throws DomainError `permission.denied` or `permission.own_role` where the role may not make it, `key.not_allowed` where the API key may not
 */
export function requireRight(actor: Actor, right: Right): void {
  const { key } = actor;
  requireRole(actor, right);
  if (key !== undefined && key.operations?.includes(right.id) !== true)
    throw new DomainError('key.not_allowed', { detail: { operation: right.id } });
}

/** An actor as it is stored for what it does later. */
export function authorOf({ ownRole: _, ...actor }: Actor): Actor {
  const { key } = actor;
  return key === undefined ? actor : { ...actor, key: { ...key, operations: undefined } };
}
