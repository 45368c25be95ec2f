import { expect, test } from 'vitest';
import { barColor, barWidth, shortCarrier } from './carrier.ts';

test("OVW-04-partial a carrier's name is cut to 8 characters", () => {
  expect(shortCarrier('US Cellular')).toBe('US Cellu');
  expect(shortCarrier('Verizon')).toBe('Verizon');
  expect(shortCarrier('中華電信股份有限公司')).toBe('中華電信股份有限');
  expect(shortCarrier('📡📡📡📡📡📡📡📡📡')).toBe('📡📡📡📡📡📡📡📡');
});

test('OVW-04-partial the palette has five colours and begins again', () => {
  expect(new Set(Array.from({ length: 10 }, (_, index) => barColor(index))).size).toBe(5);
  expect(barColor(5)).toBe(barColor(0));
});

test('bars are in proportion, and the shortest can be hit', () => {
  expect(barWidth(50, 100)).toBe(50);
  expect(barWidth(1, 100_000)).toBe(2);
  expect(barWidth(0, 0)).toBe(0);
});
