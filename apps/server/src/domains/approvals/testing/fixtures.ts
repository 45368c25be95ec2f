import { PEOPLES_PASSWORD } from '../../../testing/second-factor.ts';
import type { Tenant } from '../../../testing/tenants.ts';
import type { Fixture, Fixtures } from '../../../testing/fixture.ts';

/** Requests of someone else: one of the organization, under the id of its device, and one of the main account under that of the other device. */
const stored: Pick<Fixture, 'prepare'> = {
  prepare: async ({ mainAccountId, organizationId, deviceId, looseDeviceId, accountId, name }, _seeding, { owner }) => {
    for (const [id, company, operation] of [
      [deviceId, organizationId, 'bindings.config'],
      [looseDeviceId, mainAccountId, 'organizations.delete'],
    ])
      await owner.query(
        `insert into approvals (id, company_id, main_account_id, organization_id, rule, operation, call, author, requested_by, requested_by_email,
           acts, routers, names, digest, created_at, expires_at)
         values ($1, $2, $3, $4, 'rollouts', $5, '{}', '{"role":"admin"}', $6, 'someone@example.com', '[{"key":"approval.policy_changed","params":[]}]', 1,
           array[$7], 'digest', now(), now() + interval '1 day')
         on conflict (id) do update set state = 'waiting', decided_at = null`,
        [id, company, mainAccountId, organizationId, operation, accountId, `Bus of ${name}`],
      );
  },
};

/** A second person who can approve, for the organization and for the main account; no rules. */
const withSeconds: Pick<Fixture, 'prepare'> = {
  async prepare({ users, colleagueId, organizationId, mainAccountId }: Tenant, seeding, { owner }) {
    for (const id of [...Object.values(users), colleagueId]) await seeding.password(id, PEOPLES_PASSWORD);
    await owner.query(
      `insert into accounts (id, main_account_id, organization_id, email, name, roles, password_hash, created_at)
         select gen_random_uuid(), $1::uuid, $2::uuid, 'second-' || $2::uuid::text || '@example.com', 'Second', array['r.' || $2::uuid::text || '.super'],
           password_hash, now()
         from accounts where id = $3 on conflict do nothing`,
      [mainAccountId, organizationId, users.admin],
    );
    await owner.query('delete from approval_policies where main_account_id = $1', [mainAccountId]);
  },
};

export const fixtures: Fixtures = {
  'approvals.getPolicy': { names: 'nothing', make: () => ({}), shows: () => '"rolloutsAbove":' },
  'approvals.savePolicy': {
    names: 'nothing',
    ...withSeconds,
    make: (_scope, _ids, role = 'admin') => ({
      body: {
        rolloutsAbove: role === 'main' ? null : 1_000_000,
        factoryReset: false,
        settings: false,
        deletion: role === 'main',
        password: PEOPLES_PASSWORD,
      },
    }),
    shows: () => '"people":',
  },
  'approvals.list': {
    ...stored,
    names: 'nothing',
    make: () => ({ query: { limit: '50' } }),
    shows: ({ name }) => `Bus of ${name}`,
  },
  'approvals.decide': {
    ...stored,
    names: 'main-ids',
    make: (_scope, { deviceId, looseDeviceId }, role = 'admin') => ({
      params: { approval: role === 'main' ? looseDeviceId : deviceId },
      body: { decision: 'reject', reason: 'Not now' },
    }),
    shows: () => '"state":"rejected"',
  },
};
