import { randomUUID } from 'node:crypto';
import type { passkeys, Role } from '@highline/contract';
import { createAuthenticator } from '../../../testing/authenticator.ts';
import { ask } from '../../../testing/call.ts';
import { codeOf, PEOPLES_PASSWORD, PEOPLES_SECRET } from '../../../testing/second-factor.ts';
import type { Seeding } from '../../../testing/seeding.ts';
import type { TestServer } from '../../../testing/server.ts';
import type { Tenant } from '../../../testing/tenants.ts';
import { listOf, nothing, type Fixtures } from '../../../testing/fixture.ts';

/** Set passwords for the three signed-in users. */
async function withPasswords({ users }: Tenant, seeding: Seeding): Promise<void> {
  for (const id of Object.values(users)) await seeding.password(id, PEOPLES_PASSWORD);
}

/** Set second factors for the three signed-in users. */
async function withFactors({ users }: Tenant, seeding: Seeding, confirmed: boolean): Promise<void> {
  for (const id of Object.values(users)) await seeding.secondFactor(id, PEOPLES_SECRET, confirmed);
}

const ROLES = ['user', 'admin', 'main'] as const;

/** A passkey for each of the three signed-in users, with the user's id. */
async function withPasskeys({ users }: Tenant, _: Seeding, { owner }: Pick<TestServer, 'owner'>): Promise<void> {
  for (const id of Object.values(users))
    await owner.query(
      `insert into passkeys (id, account_id, credential_id, public_key, counter, name, transports, is_synced, created_at)
        values ($1::uuid, $1::uuid, $1::uuid::text, '', 0, 'Key', '{}', false, now()) on conflict do nothing`,
      [id],
    );
}

/** Answers of an authenticator to options that each role requested. */
const attestations = new WeakMap<Tenant, Partial<Record<Role, passkeys.Attestation>>>();

async function withAttestations(tenant: Tenant, seeding: Seeding, { url }: Pick<TestServer, 'url'>): Promise<void> {
  await withPasswords(tenant, seeding);
  const made: Partial<Record<Role, passkeys.Attestation>> = {};
  for (const role of ROLES) {
    // An authenticator has no passkey for an address.
    const options = await ask<{ challenge: string }>(
      `${url.replace('127.0.0.1', 'localhost')}/dmp_aa/api/v1/auth/passkeys/begin`,
      { bearer: tenant.bearers[role], body: { password: PEOPLES_PASSWORD } },
    );
    made[role] = createAuthenticator('http://localhost').attest(options.challenge);
  }
  attestations.set(tenant, made);
}

export const fixtures: Fixtures = {
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
  'accounts.leaves': {
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
  'secondFactor.beginAtSignIn': nothing,
  'secondFactor.confirmAtSignIn': nothing,
  'accounts.listPasskeys': { ...nothing, shows: () => '"list":[' },
  'accounts.beginPasskey': {
    names: 'nothing',
    make: () => ({ body: { password: PEOPLES_PASSWORD } }),
    prepare: withPasswords,
    shows: () => '"challenge":"',
  },
  'accounts.addPasskey': {
    names: 'nothing',
    make: (_, ids, role = 'admin') => ({ body: { name: 'Phone', credential: attestations.get(ids)?.[role] } }),
    prepare: withAttestations,
    shows: () => '"name":"Phone"',
  },
  'accounts.deletePasskey': {
    names: 'main-ids',
    make: (_, ids, role = 'admin') => ({ params: { passkey: ids.users[role] } }),
    prepare: withPasskeys,
    shows: () => '"deleted":1',
  },
  'accounts.beginPasskeySignIn': nothing,
  'accounts.passkeySignIn': nothing,
  'accounts.getPolicy': { ...nothing, shows: () => '"needsFactor":false' },
  'accounts.savePolicy': {
    names: 'nothing',
    make: () => ({ body: { needsFactor: false, idleMinutes: 60, lifetimeHours: 24, ranges: [], excepted: [] } }),
    shows: () => '"idleMinutes":60',
  },
  'accounts.listAdmins': { ...nothing, shows: () => '"list":[' },
  'accounts.listSessionsOf': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId } }),
    shows: () => '"list":[',
  },
  'accounts.endSessionOf': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { id: ids.accountId, session: 'all' } }),
    async prepare({ accountId }, seeding) {
      await seeding.bearer(accountId);
    },
    shows: () => '"ended":',
  },
};
