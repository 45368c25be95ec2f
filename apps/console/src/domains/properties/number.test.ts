import { expect, test } from 'vitest';
import { numberOf } from './number.ts';

test.each([
  ['0', 0],
  ['-12.5', -12.5],
  ['007', 7],
  ['123456789012345', 123456789012345],
])('%s is a number', (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test.each(['', '12 000', '1,5', '1.', '.5', '1e3', 'Infinity', '0x10', '1234567890123456'])('%j is none', (text) => {
  expect(numberOf(text)).toBeUndefined();
});
