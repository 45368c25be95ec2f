import type { Actor } from '../../kernel/scope.ts';
import { standingOf, type OwnRoleRow } from '../accounts/index.ts';

/** The account that made a key, as it is now. */
export interface MakerRow extends OwnRoleRow {
  readonly organization_id: string | null;
  readonly maker_roles: string[] | null;
  readonly maker_organization: string | null;
}

/**
 * As whom a key may act: as its maker now, within the organization of the key. Undefined when its maker has none
 * there any more.
 */
export function standingOfKey({
  organization_id: organization,
  maker_roles: roles,
  maker_organization: own,
  own_role,
}: MakerRow): Pick<Actor, 'role' | 'ownRole'> | undefined {
  const standing = roles === null ? undefined : standingOf({ roles, organization_id: own, own_role });
  if (standing === undefined || standing.role === 'main') return standing;
  return organization !== null && organization === own ? standing : undefined;
}
