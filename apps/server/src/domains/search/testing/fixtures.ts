import type { Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  // By the serial number of a device; the tests of the domain look for every other kind in the organizations of others.
  'search.find': {
    names: 'organization',
    make: ({ organizationId, serial }) => ({ query: { org: organizationId, text: serial } }),
    shows: ({ serial }) => serial,
  },
};
