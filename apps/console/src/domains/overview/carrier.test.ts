import { expect, test } from 'vitest';
import { barWidth, shortCarrier } from './carrier.ts';

test("OVW-04-partial a carrier's name is cut to 8 characters", () => {
  expect(shortCarrier('US Cellular')).toBe('US Cellu');
  expect(shortCarrier('Verizon')).toBe('Verizon');
  expect(shortCarrier('中華電信股份有限公司')).toBe('中華電信股份有限');
  expect(shortCarrier('📡📡📡📡📡📡📡📡📡')).toBe('📡📡📡📡📡📡📡📡');
});

test('bars are in proportion, and the shortest can be hit', () => {
  expect(barWidth(50, 100)).toBe(50);
  expect(barWidth(1, 100_000)).toBe(2);
  expect(barWidth(0, 0)).toBe(0);
});
