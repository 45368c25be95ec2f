import { expect, test } from 'vitest';
import { percentOf } from './percent.ts';

test('a share in percent is rounded down, so that only all is 100', () => {
  expect([
    percentOf(10, 11),
    percentOf(6, 11),
    percentOf(999, 1_000),
    percentOf(29, 100),
    percentOf(5, 5),
    percentOf(0, 0),
  ]).toEqual([90, 54, 99, 29, 100, 0]);
});
