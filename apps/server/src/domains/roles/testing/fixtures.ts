import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'roles.list': listOf(({ ownRole }) => ownRole.id),
  'roles.rights': listOf(() => '"access":"read"'),
  'roles.show': {
    names: 'ids',
    make: ({ organizationId: org }, { ownRole }) => ({ params: { role: ownRole.id }, query: { org } }),
    shows: ({ ownRole }) => `"holders":[{"id":"${ownRole.holderId}"`,
  },
  'roles.create': {
    names: 'organization',
    make: ({ organizationId: org }, _, role) => ({
      body: { org, name: `Another role by ${role ?? 'anyone'}`, rights: ['devices.read'] },
    }),
    shows: () => '"rights":["devices.read"]',
  },
  'roles.save': {
    names: 'ids',
    make: ({ organizationId: org }, { ownRole, groupKey }) => ({
      params: { role: ownRole.id },
      body: { org, name: `Saved ${ownRole.id}`, rights: ['devices.read'], limitedTo: { groups: [groupKey], tags: [] } },
    }),
    shows: ({ ownRole }) => `"name":"Saved ${ownRole.id}"`,
  },
  'roles.delete': {
    names: 'ids',
    make: ({ organizationId: org }, { ownRole }) => ({ params: { role: ownRole.id }, body: { org, instead: 'user' } }),
    shows: () => '"deleted":1',
  },
  'roles.give': {
    names: 'ids',
    make: (_, { ownRole, accountId }) => ({ params: { id: accountId }, body: { role: ownRole.id } }),
    shows: ({ ownRole }) => `"ownRole":{"id":"${ownRole.id}"`,
  },
};
