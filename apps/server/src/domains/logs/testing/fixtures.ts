import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'logs.list': listOf((tenant) => `Prepared ${tenant.name}`),
  'logs.people': listOf((tenant) => `prepared-${tenant.name.slice('Org '.length)}@highline.invalid`),
  'logs.export': listOf((tenant) => `Prepared ${tenant.name}`),
  'logs.evidence': listOf((tenant) => `Prepared ${tenant.name}`),
  'logs.key': { names: 'nothing', make: () => ({}), shows: () => 'PUBLIC KEY' },
};
