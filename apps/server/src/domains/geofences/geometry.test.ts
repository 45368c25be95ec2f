import type { Corner, GeofenceShape } from '@highline/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceKm, type Coordinates } from '../positions/index.ts';
import { areaOf, boxOf, isFar, isWithin } from './geometry.ts';

const DEGREE = 111_195;
const metre = 1 / DEGREE;

/** Metres from a place to the boundary, negative inside: the definition, which looks at each edge. */
function metresOutside(shape: GeofenceShape, place: Coordinates): number {
  if (shape.kind === 'circle') return distanceKm(shape, place) * 1_000 - shape.radius;
  const away = Math.min(...shape.rings.map((ring) => metresToRing(ring, place)));
  return isInside(shape.rings, place.longitude, place.latitude) ? -away : away;
}

/** Whether a place is within an odd number of rings: inside the outer one and in no hole. */
function isInside(rings: readonly (readonly Corner[])[], x: number, y: number): boolean {
  let within = false;
  for (const ring of rings)
    for (let index = 1; index < ring.length; index += 1) {
      const [[ax, ay], [bx, by]] = [ring[index - 1]!, ring[index]!];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) within = !within;
    }
  return within;
}

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

const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value));

/** A shape and places in and around it, on a grid, so that corners, edges and places often have the same longitude or latitude. */
const cases = fc
  .record({
    longitude: fc.constantFrom(121, -87.63, 0, 179.9995, -180),
    latitude: fc.constantFrom(24, 41.88, 0, -17, 89.999, -90),
    // From a yard of some metres to a country.
    step: fc.constantFrom(1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 0.1),
    rings: fc.array(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })), { minLength: 1, maxLength: 60 }),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    places: fc.array(fc.tuple(fc.integer({ min: -20, max: 60 }), fc.integer({ min: -20, max: 60 })), {
      minLength: 40,
      maxLength: 40,
    }),
    /** Of an edge in metres, from a corner. */
    near: fc.array(fc.tuple(fc.nat(), fc.integer({ min: -70, max: 70 }), fc.integer({ min: -70, max: 70 })), {
      minLength: 20,
      maxLength: 20,
    }),
  })
  .map(({ longitude, latitude, step, rings, places, near }) => {
    const at = (x: number, y: number): Corner => [clamp(longitude + x * step, 180), clamp(latitude + y * step, 90)];
    const corners = rings.map((ring) => [...ring, ring[0]!].map(([x, y]) => at(x, y)));
    const all = corners.flat();
    const around = near.map(([index, east, north]): Corner => {
      const [x, y] = all[index % all.length]!;
      return [clamp(x + east * metre, 180), clamp(y + north * metre, 90)];
    });
    const shape: GeofenceShape = { kind: 'polygon', rings: corners };
    const found = [...places.map(([x, y]) => at(x / 2, y / 2)), ...around];
    return { shape, places: found.map(([longitude, latitude]) => ({ longitude, latitude })) };
  });

describe('POS-05-partial a position at a geofence', () => {
  const circle = areaOf({ kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 200 }, 50);
  const yard = areaOf(
    {
      kind: 'polygon',
      rings: [
        [[-87.64, 41.88], [-87.62, 41.88], [-87.62, 41.9], [-87.64, 41.9], [-87.64, 41.88]],
        [[-87.635, 41.885], [-87.625, 41.885], [-87.625, 41.895], [-87.635, 41.895], [-87.635, 41.885]],
      ],
    },
    50,
  ); // prettier-ignore

  test('is in or near a circle, or a polygon with a hole, by metres', () => {
    const isNear = (area: typeof yard, latitude: number, metres: number, longitude = -87.63) =>
      isWithin(area, { latitude, longitude }, metres);
    expect(isNear(circle, 41.88 + 199 * metre, 0)).toBe(true);
    expect([29, 31].map((metres) => isNear(circle, 41.88 + 230 * metre, metres))).toEqual([false, true]);
    expect(isNear(circle, 42, 50)).toBe(false);
    expect(isNear(circle, 41.88, 50, -87.7)).toBe(false);
    expect(isNear(yard, 41.88 + 100 * metre, 0)).toBe(true);
    expect([39, 41].map((metres) => isNear(yard, 41.88 - 40 * metre, metres))).toEqual([false, true]);
    expect([19, 21].map((metres) => isNear(yard, 41.885 + 20 * metre, metres))).toEqual([false, true]);
    expect(isNear(yard, 41.89, 50)).toBe(false);
  });

  test('is in each part of an area, on both sides of the date line and at it', () => {
    const part = (west: number, east: number): Corner[] => [[west, -17], [east, -17], [east, -16], [west, -16], [west, -17]]; // prettier-ignore
    const area = areaOf({ kind: 'polygon', rings: [part(179, 180), part(-180, -179)] }, 50);
    const isIn = (longitude: number) => isWithin(area, { latitude: -16.5, longitude }, 0);
    expect([178.9, 179.5, 180, -180, -179.5, -178.9, 0].map(isIn)).toEqual([false, true, true, true, true, false, false]);
  });

  test('is in a circle over the date line', () => {
    const island = { kind: 'circle', latitude: -17, longitude: 179.999, radius: 500 } as const;
    expect(isWithin(areaOf(island, 50), { latitude: -17, longitude: -179.999 }, 0)).toBe(true);
    expect(isWithin(areaOf({ ...island, radius: 200 }, 50), { latitude: -17, longitude: -179.999 }, 12)).toBe(false);
    expect(isWithin(areaOf({ ...island, radius: 200 }, 50), { latitude: -17, longitude: -179.999 }, 13)).toBe(true);
  });

  test('is in or near any polygon exactly as when each edge is looked at', () => {
    fc.assert(
      fc.property(cases, ({ shape, places }) => {
        const [area, bare] = [areaOf(shape, 50), areaOf(shape, 0)];
        for (const place of places) {
          const metres = metresOutside(shape, place);
          const expected = { inside: metres <= 0, near: metres <= 10, left: metres > 50 };
          expect({
            inside: isWithin(area, place, 0),
            near: isWithin(area, place, 10),
            left: !isWithin(area, place, 50),
          }).toEqual(expected);
          expect(isWithin(bare, place, 0)).toBe(expected.inside);
          if (isFar(area, boxOf([place]))) expect(expected.left).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('far away is only what no place of the box is near of', () => {
    const island = areaOf({ kind: 'circle', latitude: -17, longitude: 179.999, radius: 500 }, 50);
    const near = { latitude: 41.88 + 230 * metre, longitude: -87.63 };
    expect(isFar(circle, boxOf([{ latitude: 42, longitude: -87.63 }]))).toBe(true);
    expect(isFar(circle, boxOf([{ latitude: 41.88, longitude: -87.7 }]))).toBe(true);
    expect(isFar(circle, boxOf([{ latitude: 42, longitude: -87.7 }, near]))).toBe(false);
    // A box around it, with a place on either side.
    expect(
      isFar(
        yard,
        boxOf([
          { latitude: 41, longitude: -88 },
          { latitude: 42, longitude: -87 },
        ]),
      ),
    ).toBe(false);
    expect(isFar(island, boxOf([{ latitude: -17, longitude: -179.999 }]))).toBe(false);
    expect(isFar(circle, boxOf([]))).toBe(true);
  });
});
