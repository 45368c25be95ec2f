import type { apiKeys, Role } from '@highline/contract';
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

/** A key as lists read it. */
export interface KeyRow extends MakerRow {
  readonly id: string;
  readonly org_name: string | null;
  readonly name: string;
  readonly hint: string;
  readonly operations: string[];
  readonly ranges: string[];
  readonly created_at: Date;
  readonly made_by_email: string;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_address: string | null;
  readonly previous_until: Date | null;
}

/** A key as the API returns it. */
export const toKeyDto =
  (now: Date) =>
  (row: KeyRow): apiKeys.ApiKey => ({
    id: row.id,
    org: row.organization_id,
    orgName: row.org_name ?? '',
    name: row.name,
    hint: row.hint,
    operations: row.operations,
    ranges: row.ranges,
    state: stateOf(row, now),
    created: row.created_at.toISOString(),
    by: row.made_by_email,
    expires: row.expires_at?.toISOString() ?? null,
    lastUsed: row.last_used_at?.toISOString() ?? null,
    lastAddress: row.last_used_address,
    previousUntil: row.previous_until !== null && row.previous_until > now ? row.previous_until.toISOString() : null,
  });

function stateOf(row: KeyRow, now: Date): apiKeys.KeyState {
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at !== null && row.expires_at <= now) return 'expired';
  return roleOfKey(row) === undefined ? 'suspended' : 'active';
}
