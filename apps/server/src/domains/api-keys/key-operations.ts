import { accessOf, areaOf, areasOfPeople, type apiKeys, type Role } from '@highline/contract';
import type { AnyOperation } from '../../platform/calls/call.ts';
import type { Scope } from '../../kernel/index.ts';

/** Remote connections last as long as the session of the person who opened them. */
const forPeople: ReadonlySet<string> = new Set([...areasOfPeople, 'remoteAccess']);

/** Whether a key of a scope, made by someone with this role, can be allowed to make a call. */
export function isGrantable(operation: AnyOperation, scope: Scope, role: Role): boolean {
  const { id, scope: kind, roles } = operation;
  if (kind === 'public' || kind === 'account' || forPeople.has(areaOf(id))) return false;
  // The keys of an organization end with it, in the middle of such a call.
  const isOfMain = kind === 'main' || id === 'organizations.delete';
  return roles.includes(role) && (scope.kind === 'main' || !isOfMain);
}

/** Operations for people to choose together, by area, those that read first. */
export function groupOperations(operations: readonly AnyOperation[]): apiKeys.KeyGroup[] {
  const groups = new Map<string, apiKeys.KeyGroup>();
  for (const { id, method, path, summary } of operations) {
    const [area, access] = [areaOf(id), accessOf({ id, method })];
    const name = `${area} ${access}`;
    const group = groups.get(name) ?? { area, access, operations: [] };
    groups.set(name, group);
    group.operations.push({ id, method, path, summary });
  }
  return [...groups.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}
