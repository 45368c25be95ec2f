import { REALM, type Operation, type ScopeKind } from '@highline/contract';
import { DomainError, isId, type Actor, type MainScope, type OrganizationFinder, type Scope } from '../../kernel/index.ts';

/**
 * Resolve the scope of a call. Another realm or a foreign organization answers 404, as if it did not exist.
 * @throws DomainError `not_found`, `permission.denied`, `request.org_required`
 */
export async function resolveScope(
  { scope: kind, reachesDeleted = false }: Pick<Operation, 'scope' | 'reachesDeleted'>,
  actor: Actor,
  requested: { readonly org: string | undefined; readonly realm: string | undefined },
  organizations: OrganizationFinder,
): Promise<Scope | undefined> {
  if (requested.realm !== undefined && requested.realm !== '' && requested.realm !== REALM) throw new DomainError('not_found');
  if (kind === 'public' || kind === 'account') return undefined;
  // Ids are compared and hashed as texts; use one spelling.
  const org = requested.org === '' ? undefined : requested.org?.toLowerCase();
  if (actor.role !== 'main') return resolveForMember(kind, actor, org);
  if (actor.key !== undefined && actor.key.organizationId !== null)
    return resolveForMember(kind, { ...actor, organizationId: actor.key.organizationId }, org);
  const main: MainScope = { kind: 'main', mainAccountId: actor.mainAccountId };
  if (kind === 'main') return main;
  if (org === undefined) {
    if (kind === 'organization') throw new DomainError('request.org_required', { field: 'org' });
    return main;
  }
  if (!isId(org) || !(await organizations.ownsOrganization(main, org, reachesDeleted))) throw new DomainError('not_found');
  return { kind: 'organization', mainAccountId: actor.mainAccountId, organizationId: org };
}

function resolveForMember(kind: ScopeKind, actor: Actor, org: string | undefined): Scope {
  if (org !== undefined && org !== actor.organizationId) throw new DomainError('not_found');
  if (kind === 'main' || actor.organizationId === null) throw new DomainError('permission.denied');
  return { kind: 'organization', mainAccountId: actor.mainAccountId, organizationId: actor.organizationId };
}
