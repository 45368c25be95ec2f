import { hashToUnit } from './random.ts';

/** A closed loop of straight legs, in degrees (WGS 84), with the kilometres at which each leg begins. */
export type Route = { points: readonly (readonly [number, number])[]; startsKm: readonly number[]; lengthKm: number };

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
  const points = Array.from({ length: CORNERS }, (_, corner) => cornerOf(seed, centre, corner));
  const startsKm: number[] = [];
  let lengthKm = 0;
  points.forEach((point, at) => {
    startsKm.push(lengthKm);
    lengthKm += distanceKm(point, points[(at + 1) % CORNERS]!);
  });
  return { points, startsKm, lengthKm };
}

/** Position after driving `km` from the loop's first corner, and heading (degrees from north). */
export function pointOnRoute(route: Route, km: number): { latitude: number; longitude: number; heading: number } {
  const along = km % route.lengthKm;
  let leg = route.startsKm.length - 1;
  while (leg > 0 && route.startsKm[leg]! > along) leg--;
  const from = route.points[leg]!;
  const to = route.points[(leg + 1) % route.points.length]!;
  const part = (along - route.startsKm[leg]!) / distanceKm(from, to);
  return {
    latitude: rounded(from[0] + (to[0] - from[0]) * part),
    longitude: rounded(from[1] + (to[1] - from[1]) * part),
    heading: headingOf(from, to),
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

function distanceKm(from: readonly [number, number], to: readonly [number, number]): number {
  return KM_PER_DEGREE * Math.hypot(to[0] - from[0], (to[1] - from[1]) * shrink(from[0]));
}

function headingOf(from: readonly [number, number], to: readonly [number, number]): number {
  const degrees = (Math.atan2((to[1] - from[1]) * shrink(from[0]), to[0] - from[0]) * 180) / Math.PI;
  return Math.round((degrees + 360) % 360);
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
