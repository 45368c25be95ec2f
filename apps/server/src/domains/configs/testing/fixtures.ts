import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'configs.list': listOf((tenant) => tenant.config.name),
  'configs.get': {
    names: 'ids',
    make: (scope, ids) => ({ params: { config: ids.config.pk }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.config.name,
  },
  'configs.read': {
    names: 'ids',
    make: (scope, ids) => ({ params: { config: ids.config.pk, number: '1' }, query: { org: scope.organizationId } }),
    shows: (tenant) => tenant.config.name,
  },
  'configs.upload': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId }, file: 'hostname matrix\n' }),
    shows: () => 'rows.csv',
  },
  'configs.save': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { config: ids.config.pk },
      body: { org: scope.organizationId, note: 'Matrix 1' },
    }),
    shows: () => 'Matrix 1',
  },
  'configs.delete': {
    names: 'ids',
    make: (scope, ids) => ({
      params: { config: scope === ids ? ids.config.pk : `${scope.config.pk},${ids.config.pk}` },
      query: { org: scope.organizationId },
    }),
    shows: () => '"deleted":1',
  },
};
