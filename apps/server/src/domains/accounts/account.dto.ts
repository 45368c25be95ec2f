import { type accounts, deriveRole, MAIN_SERVICE, toApiRole, type Role } from '@highline/contract';
import type { Row } from '../../platform/ports/tables.ts';
import type { AccountRow } from './accounts.store.ts';
import { privilegeOf } from './privilege.ts';

/** An account as the API returns it (part 1 section 3, part 2 section 3). */
export function toAccountDto(row: Omit<AccountRow, 'is_contact'>): accounts.Account {
  const { role } = deriveRole(row.roles);
  const services = [...new Set(row.roles.map(serviceOf))];
  const roleMap = Object.fromEntries(services.map((service) => [service, shortRole(row.roles, service)]));
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    vendor: row.main_account_id,
    roles: services.map((service) => ({ service, roles: row.roles.filter((text) => serviceOf(text) === service) })),
    roleMap,
    serviceRoleMap: roleMap,
    role: toApiRole(role ?? 'user'),
    privilege: privilegeOf(toApiRole(role ?? 'user')),
    // The notification types of an account count for the admin role only (NTF-02).
    notificationTypes: role === 'admin' ? [...row.notification_types] : [],
    customData: row.custom_data,
  };
}

/** An account, whether it requires a second factor, its invitation, and its last sign-in. */
export type PersonRow = Omit<AccountRow, 'is_contact'> &
  InvitationRow &
  Row<'accounts', 'signed_in_at'> & {
    readonly second_factor: boolean;
    readonly named_limit: accounts.PersonLimit | null;
    readonly named_own_role: accounts.HeldRole | null;
    readonly guest_until: Date | null;
  };

export const toPersonDto = (row: PersonRow): accounts.ListedPerson => ({
  ...toAccountDto(row),
  secondFactor: row.second_factor,
  invitation: toInvitationDto(row),
  limitedTo: row.named_limit,
  ownRole: row.named_own_role,
  signedIn: seconds(row.signed_in_at),
  guestUntil: row.guest_until?.toISOString() ?? null,
});

/** The state of an account's invitation. */
export interface InvitationRow {
  /** No password was set yet. */
  readonly is_invited: boolean;
  /** Of the newest unused link; null after the link was purged. */
  readonly invited_at: Date | null;
  readonly link_ends_at: Date | null;
}

const seconds = (moment: Date | null) => (moment === null ? null : Math.floor(moment.getTime() / 1000));

/** An invitation while it is open. */
export function toInvitationDto(row: InvitationRow): accounts.OpenInvitation | null {
  return row.is_invited ? { sent: seconds(row.invited_at), expires: seconds(row.link_ends_at) } : null;
}

/** An account to save again: its current values and the version that a save is based on. */
export interface SavedAccount {
  readonly account: accounts.Account;
  readonly version: number;
}

export const toSavedDto = (row: AccountRow): SavedAccount => ({ account: toAccountDto(row), version: row.version });

/** First item: what the account may do with its main account's service; then, for a member, with its organization. */
export function scopesOf(
  role: Role,
  organizationId: string | null,
  hasOwnRole: boolean,
): { service: string; permissions: string[] }[] {
  // What an own role may change is in its rights (IAM-03).
  const permissions = role === 'user' || hasOwnRole ? ['read'] : ['create', 'read', 'update', 'delete'];
  if (role === 'main')
    return [{ service: MAIN_SERVICE, permissions: permissions.map((permission) => `${permission}.theSameVendor`) }];
  return organizationId === null ? [] : [{ service: organizationId, permissions }];
}

function serviceOf(roleString: string): string {
  return roleString.split('.')[1] ?? '';
}

function shortRole(roles: readonly string[], service: string): string {
  const third = roles.filter((text) => serviceOf(text) === service).map((text) => text.split('.').slice(2).join('.'));
  return third.includes('super') || third.includes('vendor.super') ? 'super' : (third[0] ?? '');
}
