import { describe, expect, test } from 'vitest';
import type { Role } from '../operation.ts';
import { deriveRole, fromApiRole, toApiRole, type ApiRole } from './role-strings.ts';

const north = '0190aaaa-0000-7000-8000-000000000001';
const south = '0190aaaa-0000-7000-8000-000000000002';

interface Row {
  readonly of: string;
  readonly roles: readonly string[];
  readonly apiRole: ApiRole | undefined;
  readonly organizationId?: string;
}

const rows: readonly Row[] = [
  { of: 'the main account', roles: ['r.kmpService.vendor.super'], apiRole: 'vendorSuper' },
  { of: 'the main account without more', roles: ['r.kmpService.vendor'], apiRole: 'vendor' },
  { of: 'an organization’s admin', roles: [`r.${north}.super`], apiRole: 'super', organizationId: north },
  { of: 'an organization’s user', roles: [`r.${north}.vendor`], apiRole: 'vendor', organizationId: north },
  {
    of: 'both, the main account first',
    roles: ['r.kmpService.vendor.super', `r.${north}.vendor`],
    apiRole: 'vendorSuper',
    organizationId: north,
  },
  {
    of: 'both, the main account last',
    roles: [`r.${north}.vendor`, 'r.kmpService.vendor.super'],
    apiRole: 'vendorSuper',
    organizationId: north,
  },
  {
    of: 'a plain one of the main account before an admin’s',
    roles: ['r.kmpService.vendor', `r.${north}.super`],
    apiRole: 'super',
    organizationId: north,
  },
  {
    of: 'user and admin of one organization',
    roles: [`r.${north}.vendor`, `r.${north}.super`],
    apiRole: 'super',
    organizationId: north,
  },
  {
    of: 'two organizations: the first one counts, an admin’s of the second does not',
    roles: [`r.${north}.vendor`, `r.${south}.super`],
    apiRole: 'vendor',
    organizationId: north,
  },
  { of: 'an unknown third segment', roles: [`r.${north}.owner`], apiRole: undefined, organizationId: north },
  {
    of: 'an unknown third segment and a known one',
    roles: [`r.${north}.owner`, `r.${north}.vendor`],
    apiRole: 'vendor',
    organizationId: north,
  },
  { of: 'an unknown one of the main account', roles: ['r.kmpService.super', 'r.kmpService.admin'], apiRole: undefined },
  { of: 'no one', roles: [], apiRole: undefined },
  { of: 'another prefix', roles: [`x.${north}.super`, 'x.kmpService.vendor.super'], apiRole: undefined },
  { of: 'too few segments', roles: ['r', 'r.', `r.${north}`, '', '.', 'r.kmpService'], apiRole: undefined },
  { of: 'too many segments', roles: [`r.${north}.super.vendor`, `r.${north}.vendor.super`], apiRole: undefined },
  {
    of: 'other letters',
    roles: ['r.KMPSERVICE.vendor.super', `R.${north}.super`, `r.${north}.Super`],
    apiRole: undefined,
    organizationId: north,
  },
  { of: 'a longer main account role', roles: ['r.kmpService.vendor.super.more'], apiRole: undefined },
];

describe('AUTH-07 the role derived from role strings', () => {
  test.each(rows)('of $of', ({ roles, apiRole, organizationId }) => {
    const derived = deriveRole(roles);
    expect(derived.role === undefined ? undefined : toApiRole(derived.role)).toBe(apiRole);
    expect(derived.organizationId).toBe(organizationId);
  });

  test('is not an admin’s or the main account’s for a string that merely contains the names', () => {
    const texts = [
      'super',
      'vendorSuper',
      'r.super',
      'r..super.x',
      'kmpService.vendor.super',
      ' r.kmpService.vendor.super',
      'r.kmpService.vendor.super ',
      `r.${north}.super `,
    ];
    for (const text of texts) expect(deriveRole([text]).role, text).toBeUndefined();
  });

  test('has one name in the API and is read from it', () => {
    const names: Record<Role, ApiRole> = { main: 'vendorSuper', admin: 'super', user: 'vendor' };
    for (const [role, apiRole] of Object.entries(names) as [Role, ApiRole][])
      expect([toApiRole(role), fromApiRole(apiRole)]).toEqual([apiRole, role]);
  });
});
