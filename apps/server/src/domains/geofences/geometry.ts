import type { Corner, GeofenceShape } from '@highline/contract';
import { distanceKm, type Coordinates } from '../positions/index.ts';

/** Metres of a degree of latitude. */
const DEGREE = 111_195;

/** An area, prepared for many positions. */
export interface Area {
  readonly shape: GeofenceShape;
  /** Degrees; beyond it a position is farther outside than `margin`. */
  readonly south: number;
  readonly north: number;
  /** Degrees; null where the area is near the date line or a pole, and every longitude is looked at. */
  readonly west: number | null;
  readonly east: number | null;
}

/** @param margin metres around the area that are still measured */
export function areaOf(shape: GeofenceShape, margin: number): Area {
  const places = shape.kind === 'circle' ? [[shape.longitude, shape.latitude] as const] : shape.rings.flat();
  const reach = (margin + (shape.kind === 'circle' ? shape.radius : 0)) * 1.01;
  const latitudes = places.map(([, latitude]) => latitude);
  const longitudes = places.map(([longitude]) => longitude);
  const south = Math.min(...latitudes) - reach / DEGREE;
  const north = Math.max(...latitudes) + reach / DEGREE;
  const shrink = Math.cos((Math.max(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const sideways = shrink > 0.01 ? reach / (DEGREE * shrink) : 360;
  const [west, east] = [Math.min(...longitudes) - sideways, Math.max(...longitudes) + sideways];
  return west < -180 || east > 180 ? { shape, south, north, west: null, east: null } : { shape, south, north, west, east };
}

/** The least and greatest coordinates of places. */
export interface Box {
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
}

export function boxOf(places: readonly Coordinates[]): Box {
  const box = { south: Infinity, north: -Infinity, west: Infinity, east: -Infinity };
  for (const { latitude, longitude } of places) {
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
  }
  return box;
}

/** Whether all places of a box are certainly farther from an area than the margin: `metresOutside` is Infinity for each. */
export function isFar({ south, north, west, east }: Area, box: Box): boolean {
  if (box.north < south || box.south > north) return true;
  return west !== null && east !== null && (box.east < west || box.west > east);
}

/** Metres from a position to the boundary of an area: negative inside, Infinity where it is certainly farther than the margin. */
export function metresOutside({ shape, south, north, west, east }: Area, place: Coordinates): number {
  const { latitude, longitude } = place;
  if (latitude < south || latitude > north) return Infinity;
  if (west !== null && east !== null && (longitude < west || longitude > east)) return Infinity;
  if (shape.kind === 'circle') return distanceKm(shape, place) * 1_000 - shape.radius;
  const away = Math.min(...shape.rings.map((ring) => metresToRing(ring, place)));
  return isWithin(shape.rings, longitude, latitude) ? -away : away;
}

/** Whether a place is within an odd number of rings: inside the outer one and in no hole. */
function isWithin(rings: readonly (readonly Corner[])[], x: number, y: number): boolean {
  let within = false;
  for (const ring of rings)
    for (let index = 1; index < ring.length; index += 1) {
      const [[ax, ay], [bx, by]] = [ring[index - 1]!, ring[index]!];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
    }
  return within;
}

/** Metres to the nearest edge, on a plane that touches the earth at the place: right to a thousandth for what is near. */
function metresToRing(ring: readonly Corner[], { latitude, longitude }: Coordinates): number {
  const shrink = Math.cos((latitude * Math.PI) / 180);
  const x = (corner: Corner) => (corner[0] - longitude) * DEGREE * shrink;
  const y = (corner: Corner) => (corner[1] - latitude) * DEGREE;
  let least = Infinity;
  for (let index = 1; index < ring.length; index += 1) {
    const [ax, ay, bx, by] = [x(ring[index - 1]!), y(ring[index - 1]!), x(ring[index]!), y(ring[index]!)];
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
    least = Math.min(least, Math.hypot(ax + part * dx, ay + part * dy));
  }
  return least;
}
