import type { Tenant } from '../../../testing/tenants.ts';
import { aroundNow, listOf, type Fixtures } from '../../../testing/fixture.ts';

/** A report to save. */
const reportOf = ({ groupKey: groupId, deviceId }: Tenant) => ({
  reportName: 'Matrix report',
  dayType: 'today',
  startDate: '',
  endDate: '',
  queryId: '',
  groupId,
  deviceId,
  properties: { id: 'rssi' },
  num: '',
});

export const fixtures: Fixtures = {
  'reports.properties': listOf(() => 'rssi'),
  'reports.devices': listOf((tenant) => tenant.serial),
  'reports.records': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, ...aroundNow() } }),
    shows: (tenant) => tenant.serial,
  },
  'reports.export': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, format: 'csv', ...aroundNow() } }),
    shows: (tenant) => tenant.serial,
  },
  'reports.count': {
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId, ...aroundNow() } }),
    shows: () => '"count":1',
  },
  'reports.list': listOf((tenant) => `Report of ${tenant.name}`),
  'reports.save': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId, ...reportOf(scope) } }),
    shows: () => 'Matrix report',
  },
  'reports.delete': {
    names: 'ids',
    make: (scope, ids) => ({ params: { report: ids.reportId }, query: { org: scope.organizationId } }),
    shows: () => '"deleted":1',
  },
};
