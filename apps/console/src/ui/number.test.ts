import { expect, test } from 'vitest';
import { numberOf } from './number.ts';

test.each([
  ['0', 0],
  ['-12.5', -12.5],
  ['007', 7],
  ['5,000', 5000],
  ['-1,234,567.25', -1_234_567.25],
  [' −60 ', -60],
  ['123456789012345', 123456789012345],
])('%s is a number', (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test.each([
  '',
  '12 000',
  '1,5',
  '5,00',
  ',500',
  '1234,567',
  '1,234.5,678',
  '1.',
  '.5',
  '1e3',
  'Infinity',
  '0x10',
  '1234567890123456',
])('%j is none', (text) => {
  expect(numberOf(text)).toBeUndefined();
});
