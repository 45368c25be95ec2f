import { mayVisitorCall, type Right } from '@highline/contract';
import { DomainError } from './failure.ts';
import type { Actor } from './scope.ts';

/**
 * Require that a caller may make another call too, because what it asks for has the effect of that call, now or later.
 * @throws DomainError `permission.denied` where the role may not make it, `key.not_allowed` where the API key may not
 */
export function requireRight({ role, key, visit }: Actor, { id, roles }: Right): void {
  if (visit !== undefined && !mayVisitorCall(id, visit.atHome))
    throw new DomainError('permission.visitor', { detail: { operation: id } });
  if (!roles.includes(role)) throw new DomainError('permission.denied', { detail: { operation: id } });
  if (key !== undefined && key.operations?.includes(id) !== true)
    throw new DomainError('key.not_allowed', { detail: { operation: id } });
}

/** An actor as it is stored for what it does later. */
export function authorOf(actor: Actor): Actor {
  const { key } = actor;
  return key === undefined ? actor : { ...actor, key: { ...key, operations: undefined } };
}
