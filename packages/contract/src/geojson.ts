import { z } from 'zod';
import { isWhole, typedName } from './conventions.ts';
import { cornersOf, MAX_CORNERS, MAX_CORNERS_OF_ALL, type Corner, type GeofenceShape } from './geofences/geofence-shape.ts';

/** The most areas of one file. */
export const MAX_IMPORTED = 500;
/** As a form takes it. */
const fileName = typedName(80).refine(isWhole);

/** An area of a file, before it is checked. */
export interface ImportedArea {
  /** Number of its feature, counted from 1. */
  readonly feature: number;
  /** Empty: it has none. */
  readonly name: string;
  readonly shape: GeofenceShape;
}

/** Why a feature is left out: it is no area. */
export const omissions = ['empty', 'geometry', 'no_radius'] as const;
export type Omission = (typeof omissions)[number];

/** A feature of a file that is no area, and the file is read without it. */
export interface LeftOut {
  readonly feature: number;
  readonly leftOut: Omission;
}

/** Why a file is not read. */
export const geoJsonFaults = ['not_geojson', 'too_many', 'too_many_corners', 'name'] as const;
export type GeoJsonFault = (typeof geoJsonFaults)[number];

/** The most features that are looked at. */
const MAX_FEATURES = 10_000;

const geometry = z.object({ type: z.string(), coordinates: z.unknown().optional() });
const properties = z.record(z.string(), z.unknown()).nullish();
const feature = z.object({ type: z.literal('Feature'), geometry: geometry.nullable(), properties });
const collection = z.object({ type: z.literal('FeatureCollection'), features: z.array(z.unknown()) });

type Feature = z.infer<typeof feature>;

/**
 * Read the areas of a GeoJSON text (RFC 7946): a Polygon; a MultiPolygon, which is one area of several parts; a Point with `radius` in
 * metres among its properties; a Feature or a FeatureCollection of these. Features that are no areas are left out. The shapes are not
 * checked yet, but no more corners are read than an organization can have.
 * @returns each feature in order; or why the file is not read, and of which feature; without one, of none
 */
export function readGeoJson(
  text: string,
): readonly (ImportedArea | LeftOut)[] | { readonly fault: GeoJsonFault; readonly feature?: number } {
  const found = featuresOf(text.replace(/^\ufeff+/u, ''));
  if (found === undefined) return { fault: 'not_geojson' };
  if (found.length > MAX_FEATURES) return { fault: 'too_many', feature: MAX_FEATURES + 1 };
  const read: (ImportedArea | LeftOut)[] = [];
  let corners = 0;
  let areas = 0;
  for (const [index, each] of found.entries()) {
    const number = index + 1;
    const parsed = feature.safeParse(each);
    const shape = parsed.success ? shapeOf(parsed.data) : ({ fault: 'not_geojson' } as const);
    if (typeof shape === 'string') {
      read.push({ feature: number, leftOut: shape });
      continue;
    }
    if ('fault' in shape) return { fault: shape.fault, feature: number };
    corners += cornersOf(shape);
    areas += 1;
    if (corners > MAX_CORNERS_OF_ALL || areas > MAX_IMPORTED) return { fault: 'too_many', feature: number };
    const name = nameOf(parsed.data?.properties?.['name']);
    if (name === undefined) return { fault: 'name', feature: number };
    read.push({ feature: number, name, shape });
  }
  return read;
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

function shapeOf({ geometry: found, properties: facts }: Feature): GeofenceShape | Omission | { readonly fault: GeoJsonFault } {
  if (found === null) return 'empty';
  const { type, coordinates } = found;
  if (type !== 'Point' && type !== 'Polygon' && type !== 'MultiPolygon') return 'geometry';
  if (Array.isArray(coordinates) && coordinates.length === 0) return 'empty';
  if (type === 'Point') {
    if (!isPosition(coordinates)) return { fault: 'not_geojson' };
    const radius = facts?.['radius'];
    if (typeof radius !== 'number') return 'no_radius';
    return { kind: 'circle', longitude: coordinates[0], latitude: coordinates[1], radius };
  }
  return polygonOf(type === 'Polygon' ? [coordinates] : coordinates);
}

/** @param parts coordinates of polygons */
function polygonOf(parts: unknown): GeofenceShape | { readonly fault: GeoJsonFault } {
  if (!isArrayOf(parts, Array.isArray) || !parts.every((part): part is unknown[][] => isArrayOf(part, Array.isArray)))
    return { fault: 'not_geojson' };
  const rings = parts.flat();
  // Before each of many corners is looked at; rings without corners are not many either.
  if (rings.reduce((sum, ring) => sum + Math.max(1, ring.length), 0) > MAX_CORNERS) return { fault: 'too_many_corners' };
  if (!isArrayOf(rings, (ring): ring is Position[] => isArrayOf(ring, isPosition))) return { fault: 'not_geojson' };
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

/** The name of a feature, '' if it has none; stops and zones have numbers. @returns undefined for one that cannot be stored */
function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return fileName.safeParse(String(value).replaceAll(/[\t\n\v\f\r]+/gu, ' ')).data;
}
