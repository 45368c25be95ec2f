import { expect, test } from 'vitest';
import { hasTooManyValues, MAX_VALUES } from './storable.ts';

test('API-03-partial a body is counted over all its levels; what has as many values as a call may take is not too much', () => {
  const isTooMuch = (body: unknown) => hasTooManyValues(body, MAX_VALUES);
  const flat = Array.from({ length: MAX_VALUES - 1 }, (_, index) => `device ${index}`);
  expect(isTooMuch({ add: flat })).toBe(false);
  expect(isTooMuch({ add: flat, org: 'north' })).toBe(true);
  const half = Array.from({ length: MAX_VALUES / 2 }, () => []);
  expect(isTooMuch({ rings: [half] })).toBe(false);
  expect(isTooMuch({ rings: [half, half] })).toBe(true);
  let deep: unknown = [];
  for (let depth = 0; depth < MAX_VALUES; depth++) deep = [deep];
  expect(isTooMuch(deep)).toBe(false);
  expect(isTooMuch([deep])).toBe(true);
  for (const body of [undefined, null, 'text', 7, {}]) expect(isTooMuch(body)).toBe(false);
});
