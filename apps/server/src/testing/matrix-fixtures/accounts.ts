import { randomUUID } from 'node:crypto';
import { codeOf, PEOPLES_PASSWORD, PEOPLES_SECRET } from '../second-factor.ts';
import type { Seeding } from '../seeding.ts';
import type { Tenant } from '../tenants.ts';
import { listOf, nothing, type Fixtures } from './fixture.ts';

/** Set passwords for the three signed-in users. */
async function withPasswords({ users }: Tenant, seeding: Seeding): Promise<void> {
  for (const id of Object.values(users)) await seeding.password(id, PEOPLES_PASSWORD);
}

/** Set second factors for the three signed-in users. */
async function withFactors({ users }: Tenant, seeding: Seeding, confirmed: boolean): Promise<void> {
  for (const id of Object.values(users)) await seeding.secondFactor(id, PEOPLES_SECRET, confirmed);
}

export const accountFixtures: Fixtures = {
  'accounts.loginFrame': nothing,
  'accounts.signIn': nothing,
  'accounts.forgotPassword': nothing,
  'accounts.readInvitation': nothing,
  'accounts.resetPassword': nothing,
  'accounts.changePassword': nothing,
  'accounts.setUp': nothing,
  'secondFactor.get': { ...nothing, shows: () => '"enabled":false' },
  'secondFactor.begin': {
    names: 'nothing',
    make: () => ({ body: { password: PEOPLES_PASSWORD } }),
    prepare: withPasswords,
    shows: () => 'otpauth://totp/Highline:',
  },
  'secondFactor.confirm': {
    names: 'nothing',
    make: () => ({ body: { code: codeOf(PEOPLES_SECRET) } }),
    prepare: (tenant, seeding) => withFactors(tenant, seeding, false),
    shows: () => '"recoveryCodes":["',
  },
  'secondFactor.end': {
    names: 'nothing',
    make: () => ({ body: { password: PEOPLES_PASSWORD, code: codeOf(PEOPLES_SECRET) } }),
    async prepare(tenant, seeding) {
      await withPasswords(tenant, seeding);
      await withFactors(tenant, seeding, true);
    },
    shows: () => '"ended":1',
  },
  'secondFactor.reset': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    prepare: (tenant, seeding) => withFactors(tenant, seeding, true),
    shows: () => '"ended":1',
  },
  'accounts.openSession': nothing,
  'accounts.introspect': nothing,
  'accounts.signOut': nothing,
  'accounts.signOutEverywhere': nothing,
  'accounts.saveLimit': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId }, body: { limitedTo: { groups: [ids.groupKey], tags: [] } } }),
    shows: (tenant) => tenant.groupName,
  },
  'accounts.get': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    shows: (tenant) => tenant.accountId,
  },
  'accounts.loginStatus': {
    names: 'organization',
    make: (scope) => ({ params: { org: scope.organizationId } }),
    shows: () => 'onlineUserNum',
  },
  'accounts.list': listOf((tenant) => tenant.accountId),
  'accounts.export': listOf((tenant) => `user-${tenant.serial.slice(2)}`),
  'accounts.create': {
    names: 'organization',
    make: ({ organizationId: org }) => ({
      body: { org, email: `${randomUUID()}@highline.invalid`, name: 'New', role: `r.${org}.vendor` },
    }),
    shows: (tenant) => `r.${tenant.organizationId}.vendor`,
  },
  'accounts.edit': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId }, body: { name: 'Renamed' } }),
    shows: () => 'Renamed',
  },
  'accounts.changeRole': {
    names: 'main-ids',
    // Demotion only: the main account cannot promote an account where an admin exists.
    async prepare({ accountId, organizationId: org }, _, { owner }) {
      await owner.query('update accounts set roles = $1 where id = $2', [[`r.${org}.super`], accountId]);
    },
    make: (_, { accountId: id, organizationId: org }) => ({
      body: { id, original: `r.${org}.super`, target: `r.${org}.vendor` },
    }),
    shows: (tenant) => `r.${tenant.organizationId}.vendor`,
  },
  'accounts.addRole': {
    names: 'main-ids',
    make: (_, { looseAccountId: id, organizationId: org }) => ({
      body: { id, role: `r.${org}.vendor`, serviceContacter: true },
    }),
    shows: (tenant) => tenant.looseAccountId,
  },
  'accounts.delete': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    shows: () => '"deleted":1',
  },
  'accounts.sendInvitation': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    shows: () => '"expires":',
  },
  'accounts.correctInvitation': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId }, body: { email: `${randomUUID()}@highline.invalid` } }),
    shows: () => '"expires":',
  },
  'accounts.listSessions': { ...nothing, shows: () => '"current":true' },
  // A session belongs to its account: a foreign one cannot be ended, like an unknown one.
  'accounts.endSession': { names: 'nothing', make: () => ({ params: { session: 'f'.repeat(64) } }), shows: () => '"ended":0' },
};
