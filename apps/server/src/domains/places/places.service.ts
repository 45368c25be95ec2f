import type { Language, places } from '@highline/contract';
import type { Scope } from '../../kernel/scope.ts';
import type { Reader } from '../../platform/listing/index.ts';
import type { Coordinates } from '../positions/index.ts';
import { nearestLandmark, prepareFences } from './landmarks.ts';
import { placeText } from './place-text.ts';
import { readNamedAreas } from './places.queries.ts';
import type { FindStreet } from './streets.ts';

export interface PlacesDeps {
  readonly reader: Reader;
  readonly findStreet: FindStreet;
}

/** Describes places with the geofences of this moment; a main account alone has towns. */
async function openDescriber(
  { reader, findStreet }: PlacesDeps,
  scope: Scope,
): Promise<(place: Coordinates) => Promise<places.Place>> {
  const fences = scope.kind === 'organization' ? prepareFences(await readNamedAreas(reader, scope)) : [];
  return async (place) => {
    const { street = null, crossing = null } = (await findStreet(place)) ?? {};
    return { street, crossing, near: nearestLandmark(place, fences) };
  };
}

/** Describes places, in their order (SAY-07). Geofences are those of the organization. */
export async function describePlaces(
  deps: PlacesDeps,
  scope: Scope,
  pairs: readonly (readonly [latitude: number, longitude: number])[],
): Promise<places.Place[]> {
  const describe = await openDescriber(deps, scope);
  const described: places.Place[] = [];
  // One after the other: fifty places of one fleet share their tiles.
  for (const [latitude, longitude] of pairs) described.push(await describe({ latitude, longitude }));
  return described;
}

/** About ten metres: a vehicle whose position wavers is at one place. */
const DECIMALS = 4;
/** Texts that are kept while a file is written. */
const MOST_TEXTS = 20_000;

/**
 * Rows of a file with their places as text in one language, `''` where nothing is known (SAY-07). Each place is described once.
 * @param placeOf a text = what it is called is known; undefined = a row without a place
 */
export async function* withPlaceTexts<Row extends object>(
  deps: PlacesDeps,
  scope: Scope,
  language: Language,
  rows: AsyncIterable<Row> | Iterable<Row>,
  placeOf: (row: Row) => Coordinates | string | undefined,
): AsyncGenerator<Row & { readonly place: string }> {
  const describe = await openDescriber(deps, scope);
  const texts = new Map<string, string>();
  const textOf = async (place: Coordinates): Promise<string> => {
    const key = `${place.latitude.toFixed(DECIMALS)} ${place.longitude.toFixed(DECIMALS)}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = placeText(await describe(place), language);
    if (texts.size >= MOST_TEXTS) texts.clear();
    texts.set(key, text);
    return text;
  };
  for await (const row of rows) {
    const place = placeOf(row);
    yield { ...row, place: typeof place === 'object' ? await textOf(place) : (place ?? '') };
  }
}
