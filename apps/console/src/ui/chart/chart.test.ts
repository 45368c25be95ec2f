import { describe, expect, test } from 'vitest';
import { gapOf, nearest, runsOf } from './points.ts';
import { timeTicks, valueScale } from './scale.ts';

const point = (at: number, value = 1) => ({ at, value });

describe('DPG-02-partial ATT-02-partial charts', () => {
  test('a gap or an outage breaks the line, and the nearest point is named', () => {
    const points = [0, 60, 120, 1_000, 1_060, 1_120].map((at) => point(at));
    const lengths = (...more: [gap: number, breaks?: [number, number][]]) => runsOf(points, ...more).map((run) => run.length);
    expect(lengths(180)).toEqual([3, 3]);
    expect(lengths(10_000)).toEqual([6]);
    expect(lengths(10_000, [[70, 110]])).toEqual([2, 4]);
    expect(
      lengths(10_000, [
        [-50, -10],
        [10, 20],
        [130, 900],
        [1_200, 1_300],
      ]),
    ).toEqual([1, 2, 3]);
    expect(runsOf([], 60)).toEqual([]);
    expect([nearest(points, 95), nearest(points, 900), nearest(points, 1e9), nearest([], 5)]).toEqual([2, 3, 5, 0]);
    // Three usual distances, or three steps where values are closer than a step.
    expect([gapOf(points, 10), gapOf(points, 300), gapOf([point(0)], 60)]).toEqual([180, 900, 180]);
  });

  test('ticks of values are round, enclose all values, and are few', () => {
    expect(valueScale([-104, -71])).toEqual({ min: -120, max: -60, ticks: [-120, -100, -80, -60] });
    expect(valueScale([12.4, 12.6]).ticks).toEqual([12.4, 12.5, 12.6]);
    expect(valueScale([5])).toMatchObject({ min: 4, max: 6 });
    expect(valueScale([])).toMatchObject({ min: 0, max: 1 });
    for (const values of [
      [0.001, 3],
      [-1e6, 2e6],
      [46, 46.001],
    ]) {
      const { min, max, ticks } = valueScale(values);
      expect(min).toBeLessThanOrEqual(values[0]!);
      expect(max).toBeGreaterThanOrEqual(values[1]!);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(7);
    }
  });

  test('ticks of time are round times of the zone, also across a change of its clock', () => {
    const from = Date.parse('2026-11-01T03:30:00Z') / 1000;
    const texts = (hours: number) => timeTicks(from, from + hours * 3_600, 'America/Chicago').map(({ text }) => text);
    expect(texts(1)).toEqual(['22:30', '22:40', '22:50', '23:00', '23:10', '23:20', '23:30']);
    expect(texts(24)).toEqual(['00:00', '06:00', '12:00', '18:00']);
    expect(texts(24 * 30).length).toBeGreaterThan(4);
    expect(texts(24 * 5)).toEqual(['11/01', '11/02', '11/03', '11/04', '11/05']);
  });
});
