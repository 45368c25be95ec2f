import { describe, expect, test } from 'vitest';
import { nextState, OUTSIDE, type Crossing, type FenceState } from './crossing.ts';

/** Follow positions: seconds, and metres outside. */
function follow(before: FenceState, ...positions: readonly (readonly [seconds: number, metres: number])[]) {
  let state = before;
  const crossings: Crossing[] = [];
  for (const [seconds, metres] of positions) {
    const next = nextState(state, seconds * 1_000, (most) => metres <= most);
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
