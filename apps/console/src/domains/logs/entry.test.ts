import { expect, test } from 'vitest';
import { cutAction, detailLines } from './entry.ts';

test('LOG-01-partial an action of 120 characters is whole, a longer one is cut to 118 and an ellipsis', () => {
  expect(cutAction('x'.repeat(120))).toBe('x'.repeat(120));
  expect(cutAction('x'.repeat(121))).toBe(`${'x'.repeat(118)}…`);
  expect(cutAction('🚌'.repeat(121))).toBe(`${'🚌'.repeat(118)}…`);
});

test('LOG-01-partial changes are listed by name, before and after', () => {
  expect(
    detailLines({
      serial: 'HL-1',
      before: { note: '', vehicle: 'Bus 1' },
      after: { note: 'x', vehicle: 'Bus 2' },
      groups: ['a', 'b'],
    }),
  ).toEqual(['serial: HL-1', 'groups: a, b', 'note: -- → x', 'vehicle: Bus 1 → Bus 2']);
  expect(detailLines({ before: 'text', count: 3, nested: { a: 1 } })).toEqual(['count: 3', 'nested: {"a":1}']);
  expect(detailLines({})).toEqual([]);
});
