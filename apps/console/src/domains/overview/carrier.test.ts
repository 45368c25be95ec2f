import { expect, test } from 'vitest';
import { barWidth, placesOf, shortCarrier } from './carrier.ts';

test("OVW-04-partial a carrier's name is cut to 8 characters", () => {
  expect(shortCarrier('US Cellular')).toBe('US Cellu');
  expect(shortCarrier('Verizon')).toBe('Verizon');
  expect(shortCarrier('中華電信股份有限公司')).toBe('中華電信股份有限');
  expect(shortCarrier('📡📡📡📡📡📡📡📡📡')).toBe('📡📡📡📡📡📡📡📡');
});

test('OVW-04-partial a carrier keeps its colour of five in any order, while others come and go', () => {
  const all = ['Verizon', 'AT&T', 'T-Mobile', 'US Cellular', 'Bell'];
  const first = placesOf(all, {});
  expect(new Set(Object.values(first)).size).toBe(5);
  expect(placesOf(all.toReversed(), first)).toEqual(first);
  const later = placesOf(['Rogers', 'Bell', 'Verizon'], first);
  expect(later).toMatchObject({ Bell: first['Bell'], Verizon: first['Verizon'] });
  expect(new Set(Object.values(later)).size).toBe(3);
  expect(placesOf([...all, 'Rogers'], { ...first, ...later })).toMatchObject(first);
});

test('bars are in proportion, and the shortest can be hit', () => {
  expect(barWidth(50, 100)).toBe(50);
  expect(barWidth(1, 100_000)).toBe(2);
  expect(barWidth(0, 0)).toBe(0);
});
