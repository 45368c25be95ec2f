import { describe, expect, test } from 'vitest';
import { gapsOf, lengthKm, runsOf, stopsOf, thinned, withSignal, type TrailPoint } from './day-trail.ts';

/** A metre of latitude, in degrees. */
const METRE = 1 / 111_195;

/** A position some metres north of a corner, some seconds after midnight. */
const at = (seconds: number, north: number, more: Partial<TrailPoint> = {}): TrailPoint => ({
  at: seconds,
  latitude: 41.88 + north * METRE,
  longitude: -87.63,
  speed: null,
  heading: null,
  accuracy: null,
  signal: null,
  isJump: false,
  ...more,
});

describe('the trail of a day', () => {
  test('POS-04-partial has stops: two minutes or longer within 50 m, also while the position drifts', () => {
    const points = [
      at(0, 0),
      at(10, 100),
      at(20, 200),
      at(60, 230),
      at(90, 205),
      at(139, 240),
      at(150, 400),
      at(160, 500),
      at(200, 520),
      at(280, 530),
      at(300, 700),
    ];
    expect(stopsOf(points).map(({ from, until }) => [from, until])).toEqual([[160, 280]]);
    expect(stopsOf([...points.slice(0, 6), at(140, 240), ...points.slice(6)])[0]).toMatchObject({ from: 20, until: 140 });
    expect(stopsOf([])).toEqual([]);
  });

  test('POS-04-partial has gaps where it was not followed: three minutes if it moved meanwhile, half an hour at one place', () => {
    const parked = [at(0, 0), at(600, 3), at(1_200, 5)];
    expect(gapsOf(parked)).toEqual([]);
    expect(stopsOf(parked)).toHaveLength(1);
    const night = [...parked, at(1_200 + 1_801, 5), at(4_000, 5_000)];
    expect(gapsOf(night)).toEqual([
      [1_200, 3_001],
      [3_001, 4_000],
    ]);
    expect(runsOf(night).map((run) => run.length)).toEqual([3, 1, 1]);
  });

  test('POS-04-partial is not drawn or measured over a gap or a jump', () => {
    const runs = runsOf([at(0, 0), at(10, 100), at(20, 600_000, { isJump: true }), at(30, 600_100)]);
    expect(runs.map((run) => run.length)).toEqual([2, 2]);
    expect(lengthKm(runs)).toBeCloseTo(0.2, 3);
  });

  test('POS-04-partial has the signal that was measured nearest to each position, none from more than five minutes away', () => {
    const readings = [
      { at: 0, rssi: -70 },
      { at: 60, rssi: -80 },
      { at: 61, rssi: -81 },
    ];
    const shown = withSignal([at(5, 0), at(29, 0), at(31, 0), at(300, 0), at(400, 0)], readings);
    expect(shown.map(({ signal }) => signal)).toEqual([-70, -70, -80, -81, null]);
    expect(withSignal([at(5, 0)], [])[0]!.signal).toBeNull();
  });

  test('POS-04-partial of more positions than are answered has every second or third, and the last', () => {
    const many = Array.from({ length: 25 }, (_, index) => at(index, index));
    expect(thinned(many, 25)).toEqual({ kept: many, every: 1 });
    const { kept, every } = thinned(many.slice(0, 24), 10);
    expect(every).toBe(3);
    expect(kept.map((point) => point.at)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 23]);
    // Parts of one position each, more than are answered.
    const jumps = many.map((point) => ({ ...point, isJump: true }));
    expect(thinned(jumps, 10).kept.length).toBeLessThanOrEqual(10);
  });
});
