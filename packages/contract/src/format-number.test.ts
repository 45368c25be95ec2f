import { expect, test } from 'vitest';
import { formatNumber } from './format-number.ts';

test('SHR-09-partial numbers have their thousands and a real minus sign', () => {
  expect(formatNumber(100_000)).toBe('100,000');
  expect(formatNumber(0.1 + 0.2)).toBe('0.3');
  expect(formatNumber(1 / 3)).toBe('0.3333333333');
  expect(formatNumber(-73.5)).toBe('\u221273.5');
  expect(formatNumber(-1_234_567)).toBe('\u22121,234,567');
  expect(formatNumber(-0)).toBe('0');
});
