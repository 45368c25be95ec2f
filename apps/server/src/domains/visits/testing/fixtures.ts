import type { Role } from '@highline/contract';
import type { Tenant } from '../../../testing/tenants.ts';
import type { Fixture, Fixtures } from '../../../testing/fixture.ts';

/** The visit that a role may enter: support of the organization for the main account, else one of a guest in the other organization. */
const visitOf = ({ deviceId, looseDeviceId, sentCommandId }: Tenant, role: Role): string =>
  ({ main: deviceId, admin: looseDeviceId, user: sentCommandId })[role];

const stored: Pick<Fixture, 'prepare'> = {
  async prepare(tenant, _seeding, { owner }) {
    const { mainAccountId, organizationId, branchId, users } = tenant;
    await owner.query('update visits set ended_at = now() where organization_id = $1 and ended_at is null', [organizationId]);
    for (const [role, organization, account] of [
      ['main', organizationId, null],
      ['admin', branchId, users.admin],
      ['user', branchId, users.user],
    ] as const)
      await owner.query(
        `insert into visits (id, main_account_id, organization_id, kind, account_id, role, granted_by_email, created_at, until)
         values ($1, $2, $3, $4, $5, $6, 'someone@example.com', now(), now() + interval '1 day') on conflict (id) do update set ended_at = null`,
        [
          visitOf(tenant, role),
          mainAccountId,
          organization,
          account === null ? 'support' : 'guest',
          account,
          role === 'user' ? 'user' : 'admin',
        ],
      );
  },
};

export const fixtures: Fixtures = {
  'visits.list': { ...stored, names: 'nothing', make: () => ({ query: { limit: '50' } }), shows: () => '"result":[' },
  'visits.open': {
    names: 'nothing',
    make: () => ({ body: { kind: 'support', role: 'user', hours: 1 } }),
    shows: () => '"kind":"support"',
  },
  'visits.end': {
    ...stored,
    names: 'ids',
    make: (_scope, { deviceId }) => ({ params: { visit: deviceId } }),
    shows: ({ deviceId }) => deviceId,
  },
  'visits.enter': {
    ...stored,
    names: 'main-ids',
    make: (_scope, ids, role = 'admin') => ({ params: { visit: visitOf(ids, role) } }),
    shows: () => '"entered":true',
  },
  'visits.leave': {
    names: 'nothing',
    async prepare(tenant, seeding, server) {
      await stored.prepare!(tenant, seeding, server);
      for (const role of ['main', 'admin', 'user'] as const)
        await server.owner.query('update sessions set visit_id = $1 where account_id = $2', [
          visitOf(tenant, role),
          tenant.users[role],
        ]);
    },
    make: () => ({}),
    shows: () => '"left":true',
  },
};
