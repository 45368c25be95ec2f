import { z } from 'zod';
import { MAX_CORNERS, type GeofenceShape } from './geofence-shape.ts';

/** The most areas of one file. */
export const MAX_IMPORTED = 500;
const LONGEST_NAME = 80;

/** An area of a file, before it is checked. */
export interface ImportedArea {
  readonly name: string;
  readonly shape: GeofenceShape;
}

/** Why a file is not read. */
export const geoJsonFaults = ['not_geojson', 'geometry', 'no_radius', 'too_many', 'too_many_corners'] as const;
export type GeoJsonFault = (typeof geoJsonFaults)[number];

const position = z.array(z.number()).min(2).max(4);
const geometry = z.object({ type: z.string(), coordinates: z.unknown().optional() });
const properties = z.record(z.string(), z.unknown()).nullish();
const feature = z.object({ type: z.literal('Feature'), geometry: geometry.nullable(), properties });
const collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

type Feature = z.infer<typeof feature>;

/**
 * Read the areas of a GeoJSON text (RFC 7946): a Polygon; a Point with `radius` in metres among its properties; a Feature or a
 * FeatureCollection of these. The shapes are not checked yet.
 * @returns why it is not read, and of which feature, counted from 1
 */
export function readGeoJson(text: string): readonly ImportedArea[] | { readonly fault: GeoJsonFault; readonly feature: number } {
  const found = featuresOf(text);
  if (found === undefined) return { fault: 'not_geojson', feature: 1 };
  if (found.length > MAX_IMPORTED) return { fault: 'too_many', feature: MAX_IMPORTED + 1 };
  const areas: ImportedArea[] = [];
  for (const [index, each] of found.entries()) {
    const parsed = feature.safeParse(each);
    const shape = parsed.success ? shapeOf(parsed.data) : 'not_geojson';
    if (typeof shape === 'string') return { fault: shape, feature: index + 1 };
    const name = parsed.data?.properties?.['name'];
    areas.push({ name: typeof name === 'string' ? tidy(name) : '', shape });
  }
  return areas;
}

function featuresOf(text: string): readonly unknown[] | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const all = collection.safeParse(json);
  if (all.success) return all.data.features;
  if (feature.safeParse(json).success) return [json];
  return geometry.safeParse(json).success ? [{ type: 'Feature', geometry: json, properties: {} }] : undefined;
}

function shapeOf({ geometry: found, properties: facts }: Feature): GeofenceShape | GeoJsonFault {
  if (found?.type === 'Point') {
    const place = position.safeParse(found.coordinates);
    if (!place.success) return 'not_geojson';
    const radius = facts?.['radius'];
    if (typeof radius !== 'number') return 'no_radius';
    return { kind: 'circle', longitude: place.data[0]!, latitude: place.data[1]!, radius };
  }
  if (found?.type !== 'Polygon') return 'geometry';
  const { coordinates } = found;
  // Before each of many corners is looked at.
  if (Array.isArray(coordinates) && coordinates.some((ring) => Array.isArray(ring) && ring.length > MAX_CORNERS))
    return 'too_many_corners';
  const rings = z.array(z.array(position)).safeParse(coordinates);
  if (!rings.success) return 'not_geojson';
  return { kind: 'polygon', rings: rings.data.map((ring) => ring.map(([longitude, latitude]) => [longitude!, latitude!])) };
}

function tidy(name: string): string {
  return name
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}
