import type { Fixtures } from '../../../testing/fixture.ts';

export const fixtures: Fixtures = {
  // In the depot that every tenant has; the names of geofences of others must not be found.
  'places.describe': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ query: { org, at: '41.88,-87.63' } }),
    shows: () => '"kind":"geofence"',
  },
};
