import { listOf, type Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  'firmware.list': listOf((tenant) => tenant.firmware.version),
  'firmware.upload': {
    names: 'nothing',
    make: (scope) => ({
      body: { profile: 'HL-MATRIX', version: scope.firmware.version.replace('1.0', '2.0') },
      file: scope.firmware.image,
    }),
    shows: (tenant) => tenant.firmware.version.replace('1.0', '2.0'),
  },
  'firmware.delete': {
    names: 'main-ids',
    make: (_, ids) => ({ params: { firmware: ids.firmware.pk } }),
    shows: () => '"deleted":1',
  },
};
