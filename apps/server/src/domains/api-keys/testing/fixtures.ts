import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'apiKeys.list': listOf(({ apiKeyId }) => apiKeyId),
  'apiKeys.operations': listOf(() => '"devices.list"'),
  'apiKeys.create': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another key', operations: ['devices.list'] } }),
    shows: () => '"secret":"hlk_',
  },
  'apiKeys.rotate': {
    names: 'ids',
    make: ({ organizationId: org }, { apiKeyId: key }) => ({ params: { key }, body: { org } }),
    shows: () => '"secret":"hlk_',
  },
  'apiKeys.revoke': {
    names: 'ids',
    make: ({ organizationId: org }, { apiKeyId: key }) => ({ params: { key }, body: { org } }),
    shows: () => '"revoked":1',
  },
};
