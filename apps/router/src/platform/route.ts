import { hashToUnit } from './random.ts';

/** Degrees (WGS 84): latitude, longitude. */
export type Point = readonly [number, number];

/** A closed loop of straight legs, with the kilometres at which each leg begins. */
export type Route = {
  points: readonly Point[];
  startsKm: readonly number[];
  lengthKm: number;
  /** Kilometres of one drive, after which the vehicle is parked. Absent: chosen by the seed. */
  driveKm?: number;
  /** Minutes of one drive, and of the pause after it. Absent: those of a bus. */
  minutes?: { readonly drive: number; readonly parked: number };
  /** Where no satellite is received: kilometres from and to. */
  tunnelsKm?: readonly (readonly [number, number])[];
};

const CITIES: readonly (readonly [number, number])[] = [
  [40.7128, -74.006],
  [41.8781, -87.6298],
  [39.7392, -104.9903],
  [34.0522, -118.2437],
  [47.6062, -122.3321],
  [29.7604, -95.3698],
];
const CORNERS = 10;
const KM_PER_DEGREE = 111.2;

/** A loop of 2 to 8 km radius around `home`, or around a city that the seed chooses. */
export function makeRoute(seed: number, home?: readonly [number, number]): Route {
  const centre = home ?? CITIES[Math.floor(hashToUnit(seed, 70) * CITIES.length)] ?? CITIES[0]!;
  return loopOf(Array.from({ length: CORNERS }, (_, corner) => cornerOf(seed, centre, corner)));
}

/** The closed loop through these points. */
export function loopOf(points: readonly Point[]): Route {
  const startsKm: number[] = [];
  let lengthKm = 0;
  points.forEach((point, at) => {
    startsKm.push(lengthKm);
    lengthKm += distanceKm(point, points[(at + 1) % points.length]!);
  });
  return { points, startsKm, lengthKm };
}

/** Position after driving `km` from the loop's first point, heading (degrees from north), and whether it is in a tunnel. */
export function pointOnRoute(
  route: Route,
  km: number,
): { latitude: number; longitude: number; heading: number; isCovered: boolean } {
  const along = km % route.lengthKm;
  let leg = route.startsKm.length - 1;
  while (leg > 0 && route.startsKm[leg]! > along) leg--;
  const from = route.points[leg]!;
  const to = route.points[(leg + 1) % route.points.length]!;
  const part = (along - route.startsKm[leg]!) / Math.max(distanceKm(from, to), 1e-6);
  return {
    latitude: rounded(from[0] + (to[0] - from[0]) * part),
    longitude: rounded(from[1] + (to[1] - from[1]) * part),
    heading: headingOf(from, to),
    isCovered: route.tunnelsKm?.some(([begin, end]) => along >= begin && along < end) ?? false,
  };
}

function cornerOf(seed: number, [latitude, longitude]: readonly [number, number], corner: number): readonly [number, number] {
  const angle = (corner / CORNERS) * 2 * Math.PI;
  const radius = (2 + 6 * hashToUnit(seed, 71, corner)) / KM_PER_DEGREE;
  return [latitude + radius * Math.cos(angle), longitude + (radius * Math.sin(angle)) / shrink(latitude)];
}

/** A degree of longitude is shorter away from the equator. */
function shrink(latitude: number): number {
  return Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
}

/** Over a few kilometres, where the earth is flat. */
export function distanceKm(from: readonly [number, number], to: readonly [number, number]): number {
  return KM_PER_DEGREE * Math.hypot(to[0] - from[0], (to[1] - from[1]) * shrink(from[0]));
}

function headingOf(from: readonly [number, number], to: readonly [number, number]): number {
  const degrees = (Math.atan2((to[1] - from[1]) * shrink(from[0]), to[0] - from[0]) * 180) / Math.PI;
  return Math.round((degrees + 360) % 360);
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
