import type { Role } from '@highline/contract';
import { roleOf } from '../accounts/index.ts';

/** The account that made a key, as it is now. */
export interface MakerRow {
  readonly organization_id: string | null;
  readonly maker_roles: string[] | null;
  readonly maker_organization: string | null;
}

/**
 * The role by which a key may act: that of its maker now, within the organization of the key. Undefined when its maker has none
 * there any more.
 */
export function roleOfKey({
  organization_id: organization,
  maker_roles: roles,
  maker_organization: own,
}: MakerRow): Role | undefined {
  const role = roles === null ? undefined : roleOf({ roles, organization_id: own });
  if (role === 'main' || role === undefined) return role;
  return organization !== null && organization === own ? role : undefined;
}
