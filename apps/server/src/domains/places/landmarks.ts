import { type Corner, type GeofenceShape, places } from '@highline/contract';
import { nearestTown } from '@highline/contract/towns';
import { areaOf, boxOf, isWithin } from '../geofences/index.ts';
import { distanceKm, type Coordinates } from '../positions/index.ts';
import type { NamedArea } from './places.queries.ts';

type Landmark = NonNullable<places.Place['near']>;

/** A geofence farther away is no landmark. Metres. */
const FARTHEST = 30_000;
const METRES_OF_DEGREE = 111_195;

/** A geofence, prepared for many places. */
interface Fence {
  readonly name: string;
  readonly middle: Coordinates;
  /** Metres to the boundary; 0 = inside, undefined = not nearer than `most`, at most `FARTHEST`. */
  readonly metresTo: (place: Coordinates, most: number) => number | undefined;
}

export function prepareFences(areas: readonly NamedArea[]): readonly Fence[] {
  return areas.map(({ name, shape }) => ({ name, middle: middleOf(shape), metresTo: metresTo(shape) }));
}

/** What a place is near to: the nearest geofence, else the nearest town; null where there is neither (SAY-07). */
export function nearestLandmark(place: Coordinates, fences: readonly Fence[]): Landmark | null {
  let nearest: { readonly fence: Fence; readonly metres: number } | undefined;
  for (const fence of fences) {
    const metres = fence.metresTo(place, nearest?.metres ?? FARTHEST);
    if (metres !== undefined) nearest = { fence, metres };
    if (metres === 0) break;
  }
  if (nearest !== undefined) {
    const { name, middle } = nearest.fence;
    return { kind: 'geofence', name, chinese: null, metres: Math.round(nearest.metres), direction: directionOf(middle, place) };
  }
  const found = nearestTown(place.latitude, place.longitude);
  if (found === undefined) return null;
  const { name, chinese = null } = found.town;
  return { kind: 'town', name, chinese, metres: found.metres, direction: directionOf(found.town, place) };
}

function middleOf(shape: GeofenceShape): Coordinates {
  if (shape.kind === 'circle') return shape;
  const { south, north, west, east } = boxOf(
    shape.rings.flatMap((ring) => ring.map(([longitude, latitude]) => ({ latitude, longitude }))),
  );
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 };
}

function metresTo(shape: GeofenceShape): Fence['metresTo'] {
  if (shape.kind === 'circle')
    return (place, most) => {
      const metres = Math.max(0, distanceKm(shape, place) * 1_000 - shape.radius);
      return metres < most ? metres : undefined;
    };
  const area = areaOf(shape, FARTHEST);
  return (place, most) => {
    // Most areas are farther, which is found without their corners.
    if (!isWithin(area, place, most)) return undefined;
    if (isWithin(area, place, 0)) return 0;
    const shrink = Math.cos((place.latitude * Math.PI) / 180);
    const metres = Math.min(...shape.rings.map((ring) => metresToRing(ring, place, shrink)));
    return metres < most ? metres : undefined;
  };
}

/** On a plane that touches the earth at the place. */
function metresToRing(ring: readonly Corner[], { latitude, longitude }: Coordinates, shrink: number): number {
  let least = Infinity;
  for (let index = 1; index < ring.length; index += 1) {
    const [ax, ay] = [(ring[index - 1]![0] - longitude) * shrink, ring[index - 1]![1] - latitude];
    const [dx, dy] = [(ring[index]![0] - longitude) * shrink - ax, ring[index]![1] - latitude - ay];
    const length = dx * dx + dy * dy;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
    least = Math.min(least, Math.hypot(ax + part * dx, ay + part * dy));
  }
  return least * METRES_OF_DEGREE;
}

/** Where a place is from a middle, of eight directions. */
function directionOf(middle: Coordinates, place: Coordinates): places.Direction {
  const east = ((((place.longitude - middle.longitude + 540) % 360) + 360) % 360) - 180;
  const course = Math.atan2(east * Math.cos((place.latitude * Math.PI) / 180), place.latitude - middle.latitude);
  const eighth = Math.round((course / (2 * Math.PI)) * 8 + 8) % 8;
  return places.directions[eighth]!;
}
