import { isWithinRights, limitedOperations, mayVisitorCall, type FailureKey, type Right } from '@highline/contract';
import { DomainError } from './failure.ts';
import type { Actor } from './scope.ts';

/** Who calls, as far as rights depend on it. */
type Caller = Pick<Actor, 'role' | 'ownRole' | 'limit' | 'visit'>;

/** Whether the role, the own role and the limit of a caller allow a call; an API key may still not. */
export const isAllowedByRole = (caller: Caller, right: Right): boolean => faultOf(caller, right) === undefined;

function faultOf({ role, ownRole, limit, visit }: Caller, right: Right): FailureKey | undefined {
  if (!right.roles.includes(role)) return 'permission.denied';
  if (visit !== undefined && !mayVisitorCall(right.id, visit.atHome)) return 'permission.visitor';
  if (ownRole !== undefined && !isWithinRights(ownRole.rights, right)) return 'permission.own_role';
  return limit !== undefined && !limitedOperations.has(right.id) ? 'permission.limited' : undefined;
}

/**
 * Require that role, own role and limit of a caller allow a call.
 * @throws DomainError `permission.denied`, `permission.visitor`, `permission.own_role`, `permission.limited`
 */
export function requireRole(caller: Caller, right: Right): void {
  const fault = faultOf(caller, right);
  if (fault !== undefined) throw new DomainError(fault, { detail: { operation: right.id } });
}

/**
 * Require that a caller may make another call too, because what it asks for has the effect of that call, now or later.
 * @throws DomainError as `requireRole` where the role may not make it, `key.not_allowed` where the API key may not
 */
export function requireRight(actor: Actor, right: Right): void {
  requireRole(actor, right);
  if (!isAllowedByKey(actor, right)) throw new DomainError('key.not_allowed', { detail: { operation: right.id } });
}

/** Whether a caller may make another call too, where only a part of an answer depends on it. */
export const hasRight = (actor: Actor, right: Right): boolean => isAllowedByRole(actor, right) && isAllowedByKey(actor, right);

/**
 * Whether own role and API key of a caller let it read what another call guards, where that is a part of an answer that is within role and limit
 * already.
 */
export const mayReadPart = ({ ownRole, key }: Pick<Actor, 'ownRole' | 'key'>, right: Right): boolean =>
  (ownRole === undefined || isWithinRights(ownRole.rights, right)) && isAllowedByKey({ key }, right);

const isAllowedByKey = ({ key }: Pick<Actor, 'key'>, { id }: Right): boolean =>
  key === undefined || key.operations?.includes(id) === true;

/** An actor as it is stored for what it does later. */
export function authorOf({ ownRole: _, ...actor }: Actor): Actor {
  const { key } = actor;
  return key === undefined ? actor : { ...actor, key: { ...key, operations: undefined } };
}
