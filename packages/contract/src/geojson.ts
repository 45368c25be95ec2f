import { z } from 'zod';
import { cornersOf, MAX_CORNERS, MAX_CORNERS_OF_ALL, type Corner, type GeofenceShape } from './geofence-shape.ts';

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

const geometry = z.object({ type: z.string(), coordinates: z.unknown().optional() });
const properties = z.record(z.string(), z.unknown()).nullish();
const feature = z.object({ type: z.literal('Feature'), geometry: geometry.nullable(), properties });
const collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

type Feature = z.infer<typeof feature>;

/**
 * Read the areas of a GeoJSON text (RFC 7946): a Polygon; a Point with `radius` in metres among its properties; a Feature or a
 * FeatureCollection of these. The shapes are not checked yet, but no more corners are read than an organization can have.
 * @returns why it is not read, and of which feature, counted from 1
 */
export function readGeoJson(text: string): readonly ImportedArea[] | { readonly fault: GeoJsonFault; readonly feature: number } {
  const found = featuresOf(text);
  if (found === undefined) return { fault: 'not_geojson', feature: 1 };
  if (found.length > MAX_IMPORTED) return { fault: 'too_many', feature: MAX_IMPORTED + 1 };
  const areas: ImportedArea[] = [];
  let corners = 0;
  for (const [index, each] of found.entries()) {
    const parsed = feature.safeParse(each);
    const shape = parsed.success ? shapeOf(parsed.data) : 'not_geojson';
    if (typeof shape === 'string') return { fault: shape, feature: index + 1 };
    corners += cornersOf(shape);
    if (corners > MAX_CORNERS_OF_ALL) return { fault: 'too_many', feature: index + 1 };
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
    const { coordinates: place } = found;
    if (!isPosition(place)) return 'not_geojson';
    const radius = facts?.['radius'];
    if (typeof radius !== 'number') return 'no_radius';
    return { kind: 'circle', longitude: place[0], latitude: place[1], radius };
  }
  if (found?.type !== 'Polygon') return 'geometry';
  const { coordinates: rings } = found;
  if (!isArrayOf(rings, Array.isArray)) return 'not_geojson';
  // Before each of many corners is looked at; rings without corners are not many either.
  if (rings.reduce((sum, ring) => sum + Math.max(1, ring.length), 0) > MAX_CORNERS) return 'too_many_corners';
  if (!isArrayOf(rings, (ring): ring is Position[] => isArrayOf(ring, isPosition))) return 'not_geojson';
  return { kind: 'polygon', rings: rings.map((ring) => ring.map(([longitude, latitude]): Corner => [longitude, latitude])) };
}

type Position = readonly [longitude: number, latitude: number, ...more: number[]];

// By hand: a schema takes a second for the corners of the longest text.
function isArrayOf<Item>(value: unknown, is: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(is);
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.length >= 2 && value.length <= 4 && value.every(Number.isFinite);
}

function tidy(name: string): string {
  return name
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed();
}
