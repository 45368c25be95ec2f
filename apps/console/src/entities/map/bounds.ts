import { LngLatBounds } from 'maplibre-gl';

/** The smallest part of a map with all of these places; undefined without any. */
export function boundsOfPlaces(
  places: readonly { readonly longitude: number; readonly latitude: number }[],
): LngLatBounds | undefined {
  if (places.length === 0) return undefined;
  const bounds = new LngLatBounds();
  for (const { longitude, latitude } of places) bounds.extend([longitude, latitude]);
  return bounds;
}
