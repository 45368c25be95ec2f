import type { Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'organizations.list': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.organizationId },
  'organizations.export': { names: 'nothing', make: () => ({}), shows: (tenant) => tenant.name },
  'organizations.fleet': { names: 'nothing', make: () => ({}), shows: () => '"organizations":' },
  'organizations.create': { names: 'nothing', make: () => ({ body: { name: 'Matrix org' } }), shows: () => '"dryRun":false' },
  'organizations.save': {
    names: 'organization',
    make: (scope) => ({ params: { org: scope.organizationId }, body: { phone: '+1 312 555 0142' } }),
    shows: (tenant) => tenant.organizationId,
  },
  'organizations.devices': {
    names: 'organization',
    make: (scope) => ({ params: { org: scope.organizationId } }),
    shows: (tenant) => tenant.serial,
  },
  'organizations.delete': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId } }),
    async prepare({ mainAccountId }, _seeding, { owner }) {
      // Else it waits for a second person.
      await owner.query('delete from approval_policies where company_id = $1', [mainAccountId]);
    },
    shows: () => '"devices":2',
  },
  'organizations.transferDevices': {
    names: 'ids',
    make: (scope, ids) => ({
      body: {
        origin: ids.organizationId,
        target: scope.branchId,
        serials: scope === ids ? [ids.serial] : [scope.serial, ids.serial],
      },
    }),
    shows: () => '"transferred":1',
  },
};
