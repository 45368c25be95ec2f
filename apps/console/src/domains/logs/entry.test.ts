import { expect, test } from 'vitest';
import { contentOf, cutAction, textOf } from './entry.ts';

test('LOG-01-partial an action of 120 characters is whole, a longer one is cut to 118 and an ellipsis', () => {
  expect(cutAction('x'.repeat(120))).toBe('x'.repeat(120));
  expect(cutAction('x'.repeat(121))).toBe(`${'x'.repeat(118)}…`);
  expect(cutAction('🚌'.repeat(121))).toBe(`${'🚌'.repeat(118)}…`);
});

test('LOG-01-partial changes are listed by name, before and after; digests are left to the proof', () => {
  const { changes, rest } = contentOf({
    serial: 'HL-1',
    before: { failureThreshold: 20, note: '' },
    after: { failureThreshold: 10, note: 'x' },
    added: { count: 1, serials: ['UX-1'], digest: '6c45' },
    digest: 'ab',
  });
  expect(changes).toEqual([
    { name: 'Failure threshold', before: 20, after: 10 },
    { name: 'Note', before: '', after: 'x' },
  ]);
  expect(rest).toEqual([
    ['Serial', 'HL-1'],
    ['Added: count', 1],
    ['Added: serials', ['UX-1']],
  ]);
  expect(contentOf({ before: 'text', retention_days: 3 }).rest).toEqual([
    ['Before', 'text'],
    ['Retention days', 3],
  ]);
  expect(contentOf({})).toEqual({ changes: [], rest: [] });
});

test('LOG-01-partial values are read as people write them', () => {
  const texts = { yes: 'yes', no: 'no', none: 'none', time: (seconds: number) => `at ${seconds}` };
  const read = (value: unknown) => textOf(value, texts);
  expect([null, undefined, '', [], true, false, 20, 'x', ['a', 2]].map(read)).toEqual([
    'none',
    'none',
    'none',
    'none',
    'yes',
    'no',
    '20',
    'x',
    'a, 2',
  ]);
  expect(read('2026-11-20T12:00:00.000Z')).toBe('at 1795176000');
  expect(read({ maxWait: 3, nested: { on: true } })).toBe('Max wait: 3; Nested: On: yes');
});
