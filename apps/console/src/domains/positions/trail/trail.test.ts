import { describe, expect, test } from 'vitest';
import { dayAfter, parseTrailDay } from './trail-day.ts';
import { fixAt, linesOf, minutesOf, nearestTo, trailToneOf, type Fix } from './trail.ts';

const fix = (at: number, longitude: number, more: Partial<Fix> = {}): Fix => ({
  at,
  latitude: 41,
  longitude,
  speed: 30,
  heading: 90,
  accuracy: 5,
  signal: -70,
  isJump: false,
  ...more,
});

describe('a trail', () => {
  test('POS-04-partial has the colour of the speed or of the signal', () => {
    expect([null, 0, 19.9, 20, 50, 79, 80, 130].map((speed) => trailToneOf({ speed, signal: null }, 'speed'))).toEqual([
      'none',
      'slow',
      'slow',
      'city',
      'road',
      'road',
      'fast',
      'fast',
    ]);
    expect([null, -60, -80, -110].map((signal) => trailToneOf({ speed: 1, signal }, 'signal'))).toEqual([
      'none',
      'good',
      'fair',
      'poor',
    ]);
  });

  test('POS-04-partial is drawn in lines of one colour, with another one over gaps and jumps, and goes on beyond the date line', () => {
    const fixes = [
      fix(0, 179.9),
      fix(10, 179.95),
      fix(20, -179.9),
      fix(30, -179.8, { speed: 60 }),
      fix(500, -179.5),
      fix(510, -170, { isJump: true }),
    ];
    const { features } = linesOf(fixes, [[30, 500]], 'speed');
    expect(
      features.map(({ properties, geometry }) => [
        properties?.['tone'],
        geometry.coordinates.map(([x]) => Number(x!.toFixed(2))),
      ]),
    ).toEqual([
      ['city', [179.9, 179.95, 180.1]],
      ['road', [180.1, 180.2]],
      ['gap', [180.2, 180.5, 190]],
    ]);
    expect(linesOf([fix(0, 1)], [], 'speed').features).toEqual([]);
  });

  test('POS-04-partial a time leads to the position then, or to the last one before', () => {
    const fixes = [fix(10, 0), fix(20, 0), fix(30, 0)];
    expect([0, 10, 19, 20, 29, 30, 99].map((at) => fixAt(fixes, at))).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(fixAt([], 5)).toBe(0);
  });

  test('POS-04-partial charts have one point for each minute', () => {
    const points = minutesOf(
      [fix(60, 0, { speed: 10 }), fix(90, 0, { speed: 20 }), fix(121, 0, { speed: null }), fix(180, 0)],
      ({ speed }) => speed,
    );
    expect(points).toEqual([
      { at: 60, value: 15, low: 10, high: 20 },
      { at: 180, value: 30, low: 30, high: 30 },
    ]);
  });

  test('a day of the address', () => {
    expect(['2026-11-23', '2028-02-29'].map(parseTrailDay)).toEqual(['2026-11-23', '2028-02-29']);
    for (const text of ['11/23/2026', 'x', 3, '2026-13-01', '2026-02-30', '2026-11-23T00:00'])
      expect(parseTrailDay(text)).toBeUndefined();
    expect([dayAfter('2026-11-01', -1), dayAfter('2026-02-28', 1)]).toEqual(['2026-10-31', '2026-03-01']);
  });
});

test('POS-04-partial a click on the trail beyond the date line chooses the position there', () => {
  const fixes = [179.8, 179.95, -179.9].map((longitude) => ({ longitude, latitude: 1 }));
  expect(nearestTo(fixes, { lng: 180.1, lat: 1 })).toBe(2);
  expect(nearestTo(fixes, { lng: 179.94, lat: 1 })).toBe(1);
});
