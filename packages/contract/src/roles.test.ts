import { describe, expect, test } from 'vitest';
import type { Role } from './operation.ts';
import { deriveRole, roleOfWire, wireRole, type WireRole } from './roles.ts';

const north = '0190aaaa-0000-7000-8000-000000000001';
const south = '0190aaaa-0000-7000-8000-000000000002';

interface Row {
  readonly of: string;
  readonly roles: readonly string[];
  readonly wire: WireRole | undefined;
  readonly organizationId?: string;
}

const rows: readonly Row[] = [
  { of: 'the main account', roles: ['r.kmpService.vendor.super'], wire: 'vendorSuper' },
  { of: 'the main account without more', roles: ['r.kmpService.vendor'], wire: 'vendor' },
  { of: 'an organization’s admin', roles: [`r.${north}.super`], wire: 'super', organizationId: north },
  { of: 'an organization’s user', roles: [`r.${north}.vendor`], wire: 'vendor', organizationId: north },
  {
    of: 'both, the main account first',
    roles: ['r.kmpService.vendor.super', `r.${north}.vendor`],
    wire: 'vendorSuper',
    organizationId: north,
  },
  {
    of: 'both, the main account last',
    roles: [`r.${north}.vendor`, 'r.kmpService.vendor.super'],
    wire: 'vendorSuper',
    organizationId: north,
  },
  {
    of: 'a plain one of the main account before an admin’s',
    roles: ['r.kmpService.vendor', `r.${north}.super`],
    wire: 'super',
    organizationId: north,
  },
  {
    of: 'user and admin of one organization',
    roles: [`r.${north}.vendor`, `r.${north}.super`],
    wire: 'super',
    organizationId: north,
  },
  {
    of: 'two organizations: the first one counts, an admin’s of the second does not',
    roles: [`r.${north}.vendor`, `r.${south}.super`],
    wire: 'vendor',
    organizationId: north,
  },
  { of: 'an unknown third segment', roles: [`r.${north}.owner`], wire: undefined, organizationId: north },
  {
    of: 'an unknown third segment beside a known one',
    roles: [`r.${north}.owner`, `r.${north}.vendor`],
    wire: 'vendor',
    organizationId: north,
  },
  { of: 'an unknown one of the main account', roles: ['r.kmpService.super', 'r.kmpService.admin'], wire: undefined },
  { of: 'nobody', roles: [], wire: undefined },
  { of: 'another prefix', roles: [`x.${north}.super`, 'x.kmpService.vendor.super'], wire: undefined },
  { of: 'too few segments', roles: ['r', 'r.', `r.${north}`, '', '.', 'r.kmpService'], wire: undefined },
  { of: 'too many segments', roles: [`r.${north}.super.vendor`, `r.${north}.vendor.super`], wire: undefined },
  {
    of: 'other letters',
    roles: ['r.KMPSERVICE.vendor.super', `R.${north}.super`, `r.${north}.Super`],
    wire: undefined,
    organizationId: north,
  },
  { of: 'a longer main account role', roles: ['r.kmpService.vendor.super.more'], wire: undefined },
];

describe('AUTH-07 the role that role strings make', () => {
  test.each(rows)('of $of', ({ roles, wire, organizationId }) => {
    const derived = deriveRole(roles);
    expect(derived.role === undefined ? undefined : wireRole(derived.role)).toBe(wire);
    expect(derived.organizationId).toBe(organizationId);
  });

  test('is an admin’s or the main account’s by no string that merely holds the words', () => {
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

  test('has one name on the wire and comes back from it', () => {
    const names: Record<Role, WireRole> = { main: 'vendorSuper', admin: 'super', user: 'vendor' };
    for (const [role, wire] of Object.entries(names) as [Role, WireRole][])
      expect([wireRole(role), roleOfWire(wire)]).toEqual([wire, role]);
  });
});
