import { places } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** About ten metres: a parked vehicle whose position wavers stays at its place. */
const PLACES = 4;

/** The description of a place (SAY-07). Streets do not move; geofences may. */
export const placeQuery = (latitude: number, longitude: number) => {
  const at: [latitude: number, longitude: number] = [Number(latitude.toFixed(PLACES)), Number(longitude.toFixed(PLACES))];
  return queryOptions({
    queryKey: ['places', ...at] as const,
    queryFn: async ({ signal }) => (await call(places.describePlaces, { query: { at: [at] }, signal })).result[0] ?? null,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    meta: { topics: ['geofences'] },
  });
};
