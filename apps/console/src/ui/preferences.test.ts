import { expect, test } from 'vitest';
import { parsePreferences } from './preferences.ts';

test('what was remembered for a list is taken up', () => {
  expect(parsePreferences({ size: 20, density: 'compact', columns: { imsi: true, note: false } })).toEqual({
    size: 20,
    density: 'compact',
    columns: { imsi: true, note: false },
  });
});

test.each([null, 'text', 3, [], { size: '20', density: 'huge', columns: { a: 'yes' } }, { columns: [] }])(
  'what storage holds is checked like any other door: %j',
  (stored) => {
    expect(parsePreferences(stored).size).toBeUndefined();
    expect(parsePreferences(stored).density).toBeUndefined();
    expect(parsePreferences(stored).columns ?? {}).toEqual({});
  },
);
