import { expect, test } from 'vitest';
import { parsePageSize, parsePreferences } from './preferences.ts';

test('stored preferences of a list are restored', () => {
  expect(parsePreferences({ density: 'compact', columns: { imsi: true, note: false } })).toEqual({
    density: 'compact',
    columns: { imsi: true, note: false },
  });
});

test.each([null, 'text', 3, [], { density: 'huge', columns: { a: 'yes' } }, { columns: [] }])(
  'what storage holds is checked like any other door: %j',
  (stored) => {
    expect(parsePreferences(stored).density).toBeUndefined();
    expect(parsePreferences(stored).columns ?? {}).toEqual({});
  },
);

test.each([null, '20', 0, -3, 2.5, 201, {}])('SHR-02-partial %j is no page size', (stored) => {
  expect(parsePageSize(stored)).toBeUndefined();
});

test('SHR-02-partial a stored page size is taken up', () => {
  expect(parsePageSize(20)).toBe(20);
});
