import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'views.list': listOf(({ name }) => `View of ${name}`),
  'views.add': {
    names: 'organization',
    make: ({ organizationId: org }) => ({
      body: { org, list: 'devices', name: 'Another view', content: { search: { presence: 'offline' }, layout: {} } },
    }),
    shows: () => '"name":"Another view"',
  },
  'views.save': {
    names: 'ids',
    make: ({ organizationId: org }, { viewIds }, role = 'admin') => ({
      params: { view: viewIds[role] },
      body: { org, name: 'Renamed view' },
    }),
    shows: () => '"name":"Renamed view"',
  },
  'views.delete': {
    names: 'ids',
    make: ({ organizationId: org }, { viewIds }, role = 'admin') => ({ params: { view: viewIds[role] }, query: { org } }),
    shows: () => '"deleted":1',
  },
};
