import type { places } from '@highline/contract';
import type { Scope } from '../../kernel/scope.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { nearestLandmark, prepareFences } from './landmarks.ts';
import { readNamedAreas } from './places.queries.ts';
import type { FindStreet } from './streets.ts';

export interface PlacesDeps {
  readonly reader: Reader;
  readonly findStreet: FindStreet;
}

/** Describes places, in their order (SAY-07). Geofences are those of the organization; a main account alone has towns. */
export async function describePlaces(
  { reader, findStreet }: PlacesDeps,
  scope: Scope,
  pairs: readonly (readonly [latitude: number, longitude: number])[],
): Promise<places.Place[]> {
  const fences = scope.kind === 'organization' ? prepareFences(await readNamedAreas(reader, scope)) : [];
  const described: places.Place[] = [];
  // One after the other: fifty places of one fleet share their tiles.
  for (const [latitude, longitude] of pairs) {
    const place = { latitude, longitude };
    const { street = null, crossing = null } = (await findStreet(place)) ?? {};
    described.push({ street, crossing, near: nearestLandmark(place, fences) });
  }
  return described;
}
