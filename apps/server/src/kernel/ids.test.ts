import { expect, test } from 'vitest';
import { isId, newId } from './ids.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

test('ids sort in creation order, also within a millisecond, and are unique', () => {
  const made = Array.from({ length: 10_000 }, () => {
    newId();
    return newId(NOON);
  });
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(newId(NOON + 1) > made.at(-1)!).toBe(true);
  expect(made.filter((id) => !isId(id) || id[14] !== '7' || !'89ab'.includes(id[19]!))).toEqual([]);
});
