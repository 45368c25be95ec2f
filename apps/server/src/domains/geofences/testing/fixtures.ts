import { listOf, type Fixtures } from '../../../testing/fixture.ts';

const shape = { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 100 };

export const fixtures: Fixtures = {
  'geofences.list': listOf(({ geofenceId }) => geofenceId),
  'geofences.add': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, name: 'Another depot', shape } }),
    shows: () => '"name":"Another depot"',
  },
  'geofences.import': {
    names: 'organization',
    make: ({ organizationId: org }) => ({
      body: {
        org,
        geojson: JSON.stringify({ type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }), // prettier-ignore
      },
    }),
    shows: () => '"added":1',
  },
  'geofences.save': {
    names: 'ids',
    make: ({ organizationId: org }, { geofenceId: geofence }) => ({ params: { geofence }, body: { org, name: 'Renamed depot' } }),
    shows: () => '"name":"Renamed depot"',
  },
  'geofences.delete': {
    names: 'ids',
    make: ({ organizationId: org }, { geofenceId: geofence }) => ({ params: { geofence }, query: { org } }),
    shows: () => '"deleted":1',
  },
};
