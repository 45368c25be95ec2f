import { expect, test } from 'vitest';
import { contentOf, cutAction, textOf } from './entry.ts';

test('LOG-01-partial an action of 120 characters is whole, a longer one is cut to 118 and an ellipsis', () => {
  expect(cutAction('x'.repeat(120))).toBe('x'.repeat(120));
  expect(cutAction('x'.repeat(121))).toBe(`${'x'.repeat(118)}…`);
  expect(cutAction('🚌'.repeat(121))).toBe(`${'🚌'.repeat(118)}…`);
});

test('LOG-01-partial changes are listed by name, before and after; digests are left to the proof', () => {
  const { changes, rest } = contentOf(
    {
      serial: 'HL-1',
      before: { failureThreshold: 20, note: '' },
      after: { failureThreshold: 10, note: 'x' },
      added: { count: 1, serials: ['UX-1'], digest: '6c45' },
      digest: 'ab',
    },
    'en-US',
  );
  expect(changes).toEqual([
    { name: 'Failure threshold', before: 20, after: 10 },
    { name: 'Note', before: '', after: 'x' },
  ]);
  expect(rest).toEqual([
    ['Serial', 'HL-1'],
    ['Added: count', 1],
    ['Added: serials', ['UX-1']],
  ]);
  expect(contentOf({ before: 'text', retention_days: 3 }, 'en-US').rest).toEqual([
    ['Before', 'text'],
    ['Retention days', 3],
  ]);
  expect(contentOf({}, 'en-US')).toEqual({ changes: [], rest: [] });
});

test('LOG-01-partial only what differs is a change, of nested values each by itself; before there may have been nothing', () => {
  const condition = { kind: 'reading', threshold: -105 };
  const before = { name: 'Weak', condition, hours: null, tags: ['a'] };
  const after = { name: 'Weak', condition: { ...condition, threshold: -110 }, hours: { from: '08:00' }, tags: ['a'] };
  expect(contentOf({ before, after }, 'en-US')).toEqual({
    changes: [
      { name: 'Condition: threshold', before: -105, after: -110 },
      { name: 'Hours: from', before: undefined, after: '08:00' },
    ],
    rest: [],
  });
  // None, an empty list and an empty text are all nothing.
  const empty = { note: '', tags: [], hours: null };
  expect(contentOf({ before: null, after: { ...empty, language: 'zh-TW' } }, 'en-US').changes).toEqual([
    { name: 'Language', before: undefined, after: 'zh-TW' },
  ]);
  expect(contentOf({ before: { ...empty, limited: true, groups: ['A'] }, after: { limited: false } }, 'en-US').changes).toEqual([
    { name: 'Limited', before: true, after: false },
    { name: 'Groups', before: ['A'], after: undefined },
  ]);
});

test('LOG-01-partial values are read as people write them', () => {
  const texts = { language: 'en-US' as const, yes: 'yes', no: 'no', none: 'none', time: (seconds: number) => `at ${seconds}` };
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

test('LOG-01-partial NAV-07-partial in Chinese fields have their Chinese names and joints, and what has none its own', () => {
  const detail = {
    serials: ['HL-1'],
    scope: { kind: 'tag' },
    'WiFi.SSID': 1,
    before: { forSeconds: 60 },
    after: { forSeconds: 120 },
  };
  expect(contentOf(detail, 'zh-TW')).toEqual({
    changes: [{ name: '持續秒數', before: 60, after: 120 }],
    rest: [
      ['序號', ['HL-1']],
      ['範圍：種類', 'tag'],
      ['Wi fi.ssid', 1],
    ],
  });
  const texts = { language: 'zh-TW' as const, yes: '是', no: '否', none: '無', time: String };
  expect(textOf([{ kind: 'tag', shared: true }, 'x'], texts)).toBe('種類：tag；共用：是、x');
  expect(textOf([{ from: 8000, to: 8080 }], texts)).toBe('自：8000；至：8080');
});
