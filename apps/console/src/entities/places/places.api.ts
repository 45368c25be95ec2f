import { places } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

/** About ten metres: a parked vehicle whose position wavers stays at its place. */
const DECIMALS = 4;

type Pair = [latitude: number, longitude: number];

interface Waiting {
  readonly at: Pair;
  readonly resolve: (place: places.Place | null) => void;
  readonly reject: (error: unknown) => void;
}

let waiting: Waiting[] = [];

/** Rows of a list ask in the same moment: their places are one call. */
function describe(at: Pair): Promise<places.Place | null> {
  const { promise, resolve, reject } = Promise.withResolvers<places.Place | null>();
  waiting.push({ at, resolve, reject });
  if (waiting.length === 1) setTimeout(send);
  return promise;
}

function send(): void {
  const all = waiting;
  waiting = [];
  for (let first = 0; first < all.length; first += places.MOST_PLACES)
    void sendSome(all.slice(first, first + places.MOST_PLACES));
}

async function sendSome(some: readonly Waiting[]): Promise<void> {
  try {
    const { result } = await call(places.describePlaces, { query: { at: some.map(({ at }) => at) } });
    some.forEach(({ resolve }, index) => resolve(result[index] ?? null));
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}

/** The description of a place (SAY-07). Streets do not move; geofences may. */
export const placeQuery = (latitude: number, longitude: number) => {
  const at: Pair = [Number(latitude.toFixed(DECIMALS)), Number(longitude.toFixed(DECIMALS))];
  return queryOptions({
    queryKey: ['places', ...at] as const,
    queryFn: () => describe(at),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    meta: { topics: ['geofences'] },
  });
};
