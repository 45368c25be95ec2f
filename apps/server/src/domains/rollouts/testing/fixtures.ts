import { listOf, type Fixtures } from '../../../testing/fixture.ts';
import { withSettings } from '../../../testing/settings.ts';

export const fixtures: Fixtures = {
  'bindings.list': listOf((tenant) => tenant.rollout.name),
  'bindings.firmware': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, group: ids.groupKey, firmware: ids.firmware.pk, schedule: 'immediate' },
    }),
    shows: (tenant) => tenant.firmware.version,
  },
  'bindings.config': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, group: scope.groupKey, config: ids.config.pk, schedule: 'bootup' },
    }),
    shows: (tenant) => tenant.config.name,
  },
  'bindings.settings': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, group: ids.groupKey, version: 1 } }),
    prepare: (tenant, _seeding, server) => withSettings(tenant, server),
    shows: () => '"kind":"settings"',
  },
  'bindings.unbindFirmware': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, group: ids.groupKey, mode: 'all' } }),
    shows: (tenant) => tenant.rollout.name,
  },
  'bindings.unbindConfig': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, group: ids.groupKey, mode: 'all' } }),
    shows: () => '"config":[]',
  },
  'bindings.impact': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, config: ids.config.pk, add: [ids.looseDeviceId] } }),
    shows: () => '"routers":1',
  },
  'bindings.moveImpact': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, group: ids.groupKey, add: [ids.looseDeviceId] } }),
    shows: () => '"routers":1',
  },
  'rollouts.list': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, group: ids.groupKey } }),
    shows: (tenant) => tenant.rollout.name,
  },
  'rollouts.targets': {
    names: 'ids',
    make: (scope, ids) => ({ query: { org: scope.organizationId, rollout: ids.rollout.id } }),
    shows: (tenant) => tenant.serial,
  },
  'rollouts.steer': {
    names: 'ids',
    make: (scope, ids) => ({ body: { org: scope.organizationId, rollout: ids.rollout.id, action: 'pause' } }),
    shows: () => '"pausedReason":"person"',
  },
};
