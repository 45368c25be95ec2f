import type { Tenant } from '../../../testing/tenants.ts';
import { aroundNow, listOf, type Fixtures } from '../../../testing/fixture.ts';

/** A chart to pin. */
const chartOf = ({ groupKey: groupId }: Tenant) => ({
  spec: { mark: 'bar' },
  api: { chartType: 'device', arguments: { groupId, propertyId: 'rssi' } },
  content: { mark: 'bar', title: 'Matrix chart', argsLabel: [] },
});

export const fixtures: Fixtures = {
  'analysis.statistics': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { category: 'device' },
      query: { org: scope.organizationId, group: ids.groupKey, property: 'rssi', ...aroundNow() },
    }),
    shows: (tenant) => tenant.deviceId,
  },
  'analysis.prepare': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { chartType: 'runChart' },
      body: { org: scope.organizationId, groupId: scope.groupKey, deviceId: ids.deviceId, propertyId: 'rssi' },
    }),
    shows: () => '"y":-70',
  },
  'analysis.pin': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId, ...chartOf(scope) } }),
    shows: () => 'Matrix chart',
  },
  'analysis.pins': listOf((tenant) => `Chart of ${tenant.name}`),
  'analysis.unpin': {
    names: 'ids',
    make: (scope, ids) => ({ params: { draw: ids.pinId }, query: { org: scope.organizationId } }),
    shows: () => '"deleted":1',
  },
};
