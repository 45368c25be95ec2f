import type { Corner, GeofenceShape } from '@highline/contract';
import { distanceKm, type Coordinates } from '../positions/index.ts';

/** Metres of a degree of latitude. */
const DEGREE = 111_195;

/** The least and greatest coordinates of places. */
export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

/** An area, prepared for many positions. */
export interface Area {
  readonly circle: Extract<GeofenceShape, { kind: 'circle' }> | undefined;
  /** Of a polygon, one for each ring. */
  readonly chains: readonly Chain[];
  /** Degrees; beyond it a position is farther outside than `margin`. */
  readonly south: number;
  readonly north: number;
  /** Degrees; null where the area is near the date line or a pole, and every longitude is looked at. */
  readonly west: number | null;
  readonly east: number | null;
}

/**
 * Consecutive edges of a ring and the box around them. Halves have halves: where a place is not near a box, none of its edges is looked at,
 * and of a thousand edges a few remain.
 */
interface Chain extends Box {
  readonly first: Corner;
  readonly last: Corner;
  readonly halves: readonly [Chain, Chain] | undefined;
  /** All of them; none where there are halves. */
  readonly corners: readonly Corner[];
}

/** Edges that are not divided further: about as quickly looked at as two boxes. */
const SHORT = 6;

/** @param margin metres around the area that are still measured */
export function areaOf(shape: GeofenceShape, margin: number): Area {
  const circle = shape.kind === 'circle' ? shape : undefined;
  const chains = shape.kind === 'circle' ? [] : shape.rings.filter((ring) => ring.length > 1).map(chainOf);
  const bare = circle === undefined ? around(chains) : boxOf([circle]);
  const reach = (margin + (circle?.radius ?? 0)) * 1.01;
  const south = bare.south - reach / DEGREE;
  const north = bare.north + reach / DEGREE;
  const shrink = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const sideways = shrink > 0.01 ? reach / (DEGREE * shrink) : 360;
  const [west, east] = [bare.west - sideways, bare.east + sideways];
  const isAtDateLine = west < -180 || east > 180;
  return { circle, chains, south, north, west: isAtDateLine ? null : west, east: isAtDateLine ? null : east };
}

function chainOf(corners: readonly Corner[]): Chain {
  const [first, last] = [corners[0]!, corners.at(-1)!];
  if (corners.length <= SHORT + 1) {
    const box = boxOf(corners.map(([longitude, latitude]) => ({ latitude, longitude })));
    return { ...box, first, last, halves: undefined, corners };
  }
  // Both have the corner in the middle.
  const middle = corners.length >> 1;
  const halves = [chainOf(corners.slice(0, middle + 1)), chainOf(corners.slice(middle))] as const;
  return { ...around(halves), first, last, halves, corners: [] };
}

export function boxOf(places: readonly Coordinates[]): Box {
  return around(
    places.map(({ latitude, longitude }) => ({ south: latitude, north: latitude, west: longitude, east: longitude })),
  );
}

/** The box around boxes. */
function around(boxes: readonly Box[]): Box {
  const all = { south: Infinity, north: -Infinity, west: Infinity, east: -Infinity };
  for (const { south, north, west, east } of boxes) {
    all.south = Math.min(all.south, south);
    all.north = Math.max(all.north, north);
    all.west = Math.min(all.west, west);
    all.east = Math.max(all.east, east);
  }
  return all;
}

/** Whether all places of a box are certainly farther from an area than its margin: `isWithin` is false for each. */
export function isFar({ south, north, west, east }: Area, box: Box): boolean {
  if (box.north < south || box.south > north) return true;
  return west !== null && east !== null && (box.east < west || box.west > east);
}

/** Whether a place is inside of an area, or outside and at most so many metres from its boundary. @param metres at most the margin of the area */
export function isWithin({ circle, chains, south, north, west, east }: Area, place: Coordinates, metres: number): boolean {
  const { latitude, longitude } = place;
  if (latitude < south || latitude > north) return false;
  if (west !== null && east !== null && (longitude < west || longitude > east)) return false;
  if (circle !== undefined) return distanceKm(circle, place) * 1_000 - circle.radius <= metres;
  // Inside of the outer ring and in no hole: the line to the east crosses an odd number of edges.
  let isInside = false;
  for (const chain of chains) if (isCrossed(chain, longitude, latitude)) isInside = !isInside;
  if (isInside) return true;
  const shrink = Math.cos((latitude * Math.PI) / 180);
  return chains.some((chain) => isNear(chain, place, shrink, metres));
}

/** Degrees, more than what rounding makes of the longitude at which an edge is crossed. */
const ROUNDING = 1e-9;

/** Whether the line from a place to the east crosses an odd number of edges. */
function isCrossed({ south, north, west, east, first, last, halves, corners }: Chain, x: number, y: number): boolean {
  if (y < south || y >= north || x > east + ROUNDING) return false;
  // All edges are to the east: how often it is crossed follows from its ends.
  if (x < west - ROUNDING) return first[1] > y !== last[1] > y;
  if (halves !== undefined) return isCrossed(halves[0], x, y) !== isCrossed(halves[1], x, y);
  let isOdd = false;
  for (let index = 1; index < corners.length; index += 1)
    if (isEdgeCrossed(corners[index - 1]!, corners[index]!, x, y)) isOdd = !isOdd;
  return isOdd;
}

function isEdgeCrossed(a: Corner, b: Corner, x: number, y: number): boolean {
  return a[1] > y !== b[1] > y && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0];
}

/** Whether an edge is at most so many metres away. @param shrink what a degree of longitude is of one of latitude, at the place */
function isNear(
  { south, north, west, east, halves, corners }: Chain,
  place: Coordinates,
  shrink: number,
  metres: number,
): boolean {
  const { latitude, longitude } = place;
  // A millimetre for rounding.
  const reach = metres + 0.001;
  if (Math.max(south - latitude, latitude - north) * DEGREE > reach) return false;
  if (Math.max(west - longitude, longitude - east) * DEGREE * shrink > reach) return false;
  if (halves !== undefined) return isNear(halves[0], place, shrink, metres) || isNear(halves[1], place, shrink, metres);
  for (let index = 1; index < corners.length; index += 1)
    if (isEdgeNear(corners[index - 1]!, corners[index]!, place, shrink, metres)) return true;
  return false;
}

/** On a plane that touches the earth at the place: right to a thousandth for what is near. */
function isEdgeNear(a: Corner, b: Corner, { latitude, longitude }: Coordinates, shrink: number, metres: number): boolean {
  const ax = (a[0] - longitude) * DEGREE * shrink;
  const ay = (a[1] - latitude) * DEGREE;
  const dx = (b[0] - longitude) * DEGREE * shrink - ax;
  const dy = (b[1] - latitude) * DEGREE - ay;
  const length = dx * dx + dy * dy;
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
  const x = ax + part * dx;
  const y = ay + part * dy;
  // The exact length is ten times as slow; it decides only where it could matter.
  return (x * x + y * y) * 0.999999 <= metres * metres && Math.hypot(x, y) <= metres;
}
