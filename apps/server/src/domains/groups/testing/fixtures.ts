import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'groups.list': listOf((tenant) => tenant.groupName),
  'groups.export': listOf((tenant) => tenant.groupName),
  'groups.get': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.groupName,
  },
  'groups.members': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.serial,
  },
  'groups.controls': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, query: { org: scope.organizationId } }),
    shows: ({ users }) => users.user,
  },
  'groups.changeControl': {
    names: 'ids',
    make: ({ organizationId: org }, { groupKey: group, users }) => ({
      params: { group },
      body: { org, account: users.user, control: 'read' },
    }),
    shows: () => '"control":"read"',
  },
  'groups.create': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, name: 'Matrix group', devices: [ids.looseDeviceId] } }),
    shows: () => 'Matrix group',
  },
  'groups.save': {
    names: 'ids',
    make: (scope, ids) => ({ params: { group: ids.groupKey }, body: { org: scope.organizationId, description: 'Matrix text' } }),
    shows: () => 'Matrix text',
  },
  'groups.saveWhole': {
    names: 'ids',
    // Without bindings: only admins may send them.
    make: (scope, ids) => ({
      params: { group: ids.groupKey },
      body: { org: scope.organizationId, description: 'Matrix text', add: [ids.looseDeviceId] },
    }),
    shows: () => 'Matrix text',
  },
  'groups.delete': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, groups: scope === ids ? [ids.groupKey] : [scope.groupKey, ids.groupKey] },
    }),
    shows: () => '"deleted":1',
  },
};
