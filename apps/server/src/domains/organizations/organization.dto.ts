import type { organizations } from '@highline/contract';
import { toApiRole } from '@highline/contract';
import type { Row } from '../../platform/ports/tables.ts';

export interface OrganizationRow extends Row<
  'organizations',
  'id' | 'name' | 'tags' | 'phone' | 'address' | 'description' | 'retention_days' | 'created_at' | 'updated_at'
> {
  /** Number of saves, for the ETag. */
  readonly version: number;
  readonly devices: number;
  /** Devices that are online; those that never connected; those that are off without a fault. */
  readonly online: number;
  readonly never: number;
  readonly apart: number;
  readonly expiring: number;
  /** Ended subscriptions; devices that never had one are not counted. */
  readonly ended: number;
  /** Groups, counted by a job; null before it has run. */
  readonly failed_rollouts: number | null;
  readonly paused_rollouts: number | null;
  /** Contacts by e-mail address, without the main account's users. */
  readonly contacts: readonly { readonly email: string; readonly roles: readonly string[] }[];
  /** Its users, if requested. */
  readonly people?: { readonly [kind in 'all' | 'admins' | 'users']: readonly string[] };
}

/** An organization as the API returns it; `contacter`, `expire` and similar names are the API's (DECISIONS). */
/**
 * @param rowId position in the list it was read from, from 1
 * @param keptDays days that the installation keeps readings and history
 */
export function toOrganizationDto(row: OrganizationRow, rowId: number, keptDays: number): organizations.Organization {
  const { id, name, tags, phone, address, description, devices, expiring } = row;
  return {
    id,
    name,
    tags,
    type: 'project',
    phone,
    address,
    contacter: row.contacts[0]?.email ?? '',
    description,
    contacts: row.contacts.map((contact) => ({ email: contact.email, phone, address, role: roleOf(contact.roles) })),
    devices,
    expire: expiring,
    expireDevices: `${expiring}/${devices}`,
    ended: row.ended,
    online: row.online,
    neverConnected: row.never,
    offlineExpected: row.apart,
    failedRollouts: row.failed_rollouts ?? 0,
    pausedRollouts: row.paused_rollouts ?? 0,
    retentionDays: row.retention_days,
    maxRetentionDays: keptDays,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
    rowId,
    ...(row.people === undefined ? {} : toUsersDto(row.people)),
  };
}

function toUsersDto({ all, admins, users }: NonNullable<OrganizationRow['people']>) {
  return { accounts: [...all], fullControl: [...admins], onlyRead: [...users] };
}

function roleOf(roles: readonly string[]): string {
  return roles.some((role) => role.endsWith('.super')) ? toApiRole('admin') : toApiRole('user');
}
