import type { Role } from '../operation.ts';

/** The service name in a main account's role strings in the API (AUTH-07). */
export const MAIN_SERVICE = 'kmpService';

export type ApiRole = 'vendorSuper' | 'super' | 'vendor';

const apiRoles: Record<Role, ApiRole> = { main: 'vendorSuper', admin: 'super', user: 'vendor' };
const internalRoles: Record<ApiRole, Role> = { vendorSuper: 'main', super: 'admin', vendor: 'user' };

/** A role by its API name. */
export function toApiRole(role: Role): ApiRole {
  return apiRoles[role];
}

/** A role from its API name. */
export function fromApiRole(role: ApiRole): Role {
  return internalRoles[role];
}

/** The role of an account, derived from its role strings. No role at all: `role` is undefined (AUTH-04). */
export interface DerivedRole {
  readonly role: Role | undefined;
  /** Second segment of the first role that is not kmpService's. */
  readonly organizationId: string | undefined;
}

/**
 * Derive the role from strings `r.{org}.{role}` (AUTH-07): the main account first, else the organization's, else user. A string
 * of another form, or with an unknown third segment, is ignored.
 */
export function deriveRole(roles: readonly string[]): DerivedRole {
  const parsed = roles.map((text) => text.split('.')).filter((parts) => parts[0] === 'r' && parts.length >= 3);
  const organizational = parsed.filter((parts) => parts[1] !== MAIN_SERVICE && parts.length === 3);
  const organizationId = organizational[0]?.[1];
  if (parsed.some((parts) => parts.join('.') === `r.${MAIN_SERVICE}.vendor.super`)) return { role: 'main', organizationId };
  if (organizational.some((parts) => parts[1] === organizationId && parts[2] === 'super'))
    return { role: 'admin', organizationId };
  if (organizational.some((parts) => parts[1] === organizationId && parts[2] === 'vendor'))
    return { role: 'user', organizationId };
  if (parsed.some((parts) => parts.join('.') === `r.${MAIN_SERVICE}.vendor`)) return { role: 'user', organizationId };
  return { role: undefined, organizationId };
}
