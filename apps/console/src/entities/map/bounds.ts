import type { MapLibreMap } from 'maplibre-gl';

/** In degrees; of a box over the date line the east is beyond 180. */
export type Box = [west: number, south: number, east: number, north: number];

export interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

/** A longitude from -180 to 180. */
export function wrapLongitude(longitude: number): number {
  return Math.abs(longitude) <= 180 ? longitude : ((((longitude + 180) % 360) + 360) % 360) - 180;
}

/** The smallest part of a map with all of these places; undefined without any. */
export function boundsOfPlaces(places: readonly Place[]): Box | undefined {
  if (places.length === 0) return undefined;
  const longitudes = places.map(({ longitude }) => wrapLongitude(longitude)).toSorted((a, b) => a - b);
  // All but the widest part of the earth without a place: that over the date line, unless there is a wider one.
  let [first, widest] = [0, longitudes[0]! + 360 - longitudes.at(-1)!];
  for (let index = 1; index < longitudes.length; index += 1) {
    const width = longitudes[index]! - longitudes[index - 1]!;
    if (width > widest) [first, widest] = [index, width];
  }
  const east = first === 0 ? longitudes.at(-1)! : longitudes[first - 1]! + 360;
  const south = places.reduce((least, { latitude }) => Math.min(least, latitude), Infinity);
  const north = places.reduce((most, { latitude }) => Math.max(most, latitude), -Infinity);
  return [longitudes[first]!, south, east, north];
}

/** Whether a map shows a place, also where it shows what is beyond the date line. */
export function isInView(map: Pick<MapLibreMap, 'getBounds'>, { longitude, latitude }: Place): boolean {
  const bounds = map.getBounds();
  return [-360, 0, 360].some((turn) => bounds.contains([longitude + turn, latitude]));
}
