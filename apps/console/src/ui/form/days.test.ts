import { expect, test } from 'vitest';
import { moveDay, weeksOf } from './days.ts';

test('NAV-07-partial the weeks of a month begin on Sunday and have each of its days once', () => {
  const february = weeksOf('2026-02');
  expect(february).toHaveLength(4);
  expect(february[0]?.[0]).toBe('2026-02-01');
  const november = weeksOf('2026-11');
  expect(november.flat().filter((day) => day !== undefined)).toHaveLength(30);
  expect(november.at(-1)).toEqual(['2026-11-29', '2026-11-30', ...Array.from({ length: 5 })]);
  expect(weeksOf('2028-02').flat()).toContain('2028-02-29');
});

test.each([
  ['2026-11-01', 'ArrowLeft', '2026-10-31'],
  ['2026-12-28', 'ArrowDown', '2027-01-04'],
  ['2026-11-26', 'Home', '2026-11-22'],
  ['2026-11-26', 'End', '2026-11-28'],
  ['2026-03-31', 'PageUp', '2026-02-28'],
  ['2026-12-31', 'PageDown', '2027-01-31'],
  ['2026-11-26', 'a', undefined],
])('NAV-07-partial from %s the key %s leads to %s', (from, key, to) => {
  expect(moveDay(from, key)).toBe(to);
});
