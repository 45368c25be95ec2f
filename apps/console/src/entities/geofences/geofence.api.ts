import { geofences } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

export type Geofence = geofences.Geofence;

/** All geofences of the organization, by name. */
export const geofencesQuery = () =>
  queryOptions({
    queryKey: ['geofences', 'list'],
    queryFn: async ({ signal }) => (await call(geofences.listGeofences, { query: {}, signal })).result,
    meta: { topics: ['geofences'] },
  });
