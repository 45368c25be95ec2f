import { describe, expect, test } from 'vitest';
import { healthRating } from './health-rating.ts';
import { healthOf, type HealthInputs } from './health.ts';

const well: HealthInputs = { rsrp: -90, rssi: -70, drops: 0, temperature: 45, voltage: 12.6 };
const score = (more: Partial<HealthInputs>) => healthOf({ ...well, ...more })?.score;

describe('DPG-03-partial the health of a device', () => {
  test('is 100 where all is well, and falls with each of its inputs by its share', () => {
    expect(healthOf(well)).toEqual({ score: 100, parts: { signal: 100, drops: 100, temperature: 100, voltage: 100 } });
    expect(score({ rsrp: -125 })).toBe(60);
    expect(score({ rsrp: -110 })).toBe(80);
    expect(score({ drops: 5 })).toBe(85);
    expect(score({ drops: 40 })).toBe(70);
    expect(score({ temperature: 85 })).toBe(85);
    expect(score({ voltage: 10.5 })).toBe(85);
    expect(score({ rsrp: -140, drops: 99, temperature: 120, voltage: 3 })).toBe(0);
  });

  test('a supply of 24 V is not better than one of 12 V, RSSI counts without RSRP', () => {
    expect(score({ voltage: 24.2 })).toBe(100);
    expect(score({ voltage: 21 })).toBe(85);
    expect(score({ rsrp: null, rssi: -95 })).toBe(80);
  });

  test('a part without a value leaves its share to the others; without any measurement there is no score', () => {
    expect(healthOf({ ...well, temperature: null, voltage: null, drops: 10 })).toEqual({
      score: 57,
      parts: { signal: 100, drops: 0, temperature: null, voltage: null },
    });
    expect(healthOf({ rsrp: null, rssi: null, drops: 3, temperature: null, voltage: null })).toBeNull();
  });

  test('is good, fair or poor', () => {
    expect([100, 80, 79, 50, 49, 0].map(healthRating)).toEqual(['good', 'good', 'fair', 'fair', 'poor', 'poor']);
  });
});
