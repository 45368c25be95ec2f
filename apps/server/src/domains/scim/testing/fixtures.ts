import type { Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'scim.get': { names: 'organization', make: ({ organizationId: org }) => ({ query: { org } }), shows: ({ scim }) => scim.group },
  'scim.saveRoles': {
    names: 'ids',
    make: ({ organizationId: org }, { scim }) => ({
      body: { org, defaultRole: 'user', groups: [{ id: scim.group, role: null }] },
    }),
    shows: ({ scim }) => scim.group,
  },
  'scim.createSecret': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another secret', days: 30 } }),
    shows: () => '"secret":"hls_',
  },
  'scim.revokeSecret': {
    names: 'ids',
    make: ({ organizationId: org }, { scim }) => ({ params: { secret: scim.secret }, body: { org } }),
    shows: ({ scim }) => scim.group,
  },
};
