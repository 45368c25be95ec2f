import { describe, expect, test } from 'vitest';
import { nextState, OUTSIDE, type Crossing, type FenceState } from './crossing.ts';
import { areaOf, boxOf, isFar, metresOutside } from './geometry.ts';

/** Follow positions: seconds, and metres outside. */
function follow(before: FenceState, ...positions: readonly (readonly [seconds: number, metres: number])[]) {
  let state = before;
  const crossings: Crossing[] = [];
  for (const [seconds, metres] of positions) {
    const next = nextState(state, seconds * 1_000, metres);
    state = next.state;
    if (next.crossing !== undefined) crossings.push(next.crossing);
  }
  return { state, crossings: crossings.map(({ kind, at }) => [kind, at / 1_000]) };
}

const inside: FenceState = { isInside: true, since: 0, pendingSince: null };

describe('POS-05-partial a vehicle at a geofence', () => {
  test('enters after 30 s inside, at the time of the first position there', () => {
    expect(follow(OUTSIDE, [0, 20], [10, -1], [39, -5]).crossings).toEqual([]);
    expect(follow(OUTSIDE, [0, 20], [10, -1], [40, 0])).toEqual({
      crossings: [['entered', 10]],
      state: { isInside: true, since: 10_000, pendingSince: null },
    });
  });

  test('leaves after 30 s more than 50 m outside', () => {
    expect(follow(inside, [10, 50], [100, 49]).state).toEqual(inside);
    expect(follow(inside, [10, 51], [39, 300]).crossings).toEqual([]);
    expect(follow(inside, [10, 51], [40, 300])).toEqual({ crossings: [['left', 10]], state: OUTSIDE });
  });

  test('that comes back in time never left, and one at the boundary does neither', () => {
    expect(follow(inside, [10, 60], [30, 10], [45, 60], [60, 60]).crossings).toEqual([]);
    expect(follow(OUTSIDE, [0, -1], [20, 1], [40, -1], [60, 1], [80, -1]).crossings).toEqual([]);
    expect(follow(OUTSIDE, [0, -1], [20, 1]).state).toEqual(OUTSIDE);
  });

  test('does both within one report', () => {
    expect(follow(OUTSIDE, [0, -9], [60, -9], [90, 100], [200, 100]).crossings).toEqual([
      ['entered', 0],
      ['left', 90],
    ]);
  });
});

describe('POS-05-partial the distance to a geofence', () => {
  const metre = 1 / 111_195;
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

  test('of a circle and of a polygon with a hole, in metres', () => {
    expect(metresOutside(circle, { latitude: 41.88, longitude: -87.63 })).toBeCloseTo(-200, 0);
    expect(metresOutside(circle, { latitude: 41.88 + 230 * metre, longitude: -87.63 })).toBeCloseTo(30, 0);
    expect(metresOutside(circle, { latitude: 42, longitude: -87.63 })).toBe(Infinity);
    expect(metresOutside(circle, { latitude: 41.88, longitude: -87.7 })).toBe(Infinity);
    expect(metresOutside(yard, { latitude: 41.88 + 100 * metre, longitude: -87.63 })).toBeCloseTo(-100, 0);
    expect(metresOutside(yard, { latitude: 41.88 - 40 * metre, longitude: -87.63 })).toBeCloseTo(40, 0);
    expect(metresOutside(yard, { latitude: 41.885 + 20 * metre, longitude: -87.63 })).toBeCloseTo(20, 0);
  });

  test('of a circle over the date line', () => {
    const island = areaOf({ kind: 'circle', latitude: -17, longitude: 179.999, radius: 500 }, 50);
    expect(metresOutside(island, { latitude: -17, longitude: -179.999 })).toBeCloseTo(-287, 0);
  });

  test('POS-05-partial far away is only what no place of the box is near of', () => {
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
