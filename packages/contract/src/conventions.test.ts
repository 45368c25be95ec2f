import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allOperations } from './all-operations.ts';
import {
  calendarDate,
  compareNames,
  DEFAULT_GROUP_KEY,
  email,
  line,
  nameKey,
  pageQuery,
  paragraph,
  tags,
  tidySearch,
  typedName,
} from './index.ts';

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) => schema.safeParse(value).success;

test('API-03-partial the key of the default group arrives also with spaces for plus signs, at each call that takes a group', () => {
  const parts = allOperations.flatMap(({ id, query, body }) => [query, body].map((part) => ({ id, part })));
  const fields = parts.flatMap(({ id, part }) => (part instanceof z.ZodObject && 'group' in part.shape ? [{ id, part }] : []));
  expect(fields.length).toBeGreaterThan(20);
  for (const { id, part } of fields)
    expect(part.pick({ group: true }).parse({ group: 'default group id' }), id).toEqual({ group: DEFAULT_GROUP_KEY });
});

describe('typed text', () => {
  test('of one line is trimmed, limited, and has no control characters', () => {
    expect(line(5).parse('  a b  ')).toBe('a b');
    expect(line(5).parse('路由器🚌')).toBe('路由器🚌');
    for (const text of ['a\nb', 'a\tb', 'a\u0000', 'a\u007fb', '123456', 5, null])
      expect(takes(line(5), text), String(text)).toBe(false);
  });

  test('is one spelling of each name: composed letters, one kind of blank, no invisible characters', () => {
    expect(typedName(20).parse('\u00a0Zu\u0308rich \u2003 1 ')).toBe('Z\u00fcrich 1');
    expect(paragraph(20).parse('Zu\u0308rich\n1')).toBe('Z\u00fcrich\n1');
    for (const text of ['\u200b', 'Dep\u200bot', 'De\ufeffpot', '\u202etoped', 'De\u00adpot', '\u3164'])
      expect(typedName(20).safeParse(text).error?.issues[0]?.message, text).toMatch(
        /^must not contain invisible characters \(U\+/u,
      );
    for (const text of [
      '👩🏽\u200d🚀 1',
      '❤️\u200d🔥',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      'می\u200cخواهم',
    ])
      expect(typedName(20).parse(text)).toBe(text);
    expect(nameKey(' Nord  DEPOT ')).toBe(nameKey('nord depot'));
    // Drawn in color or as text, it is the same name.
    for (const variation of ['\ufe0f', '\ufe0e', '\ufe00']) {
      expect(typedName(100).parse(`❤${variation} Depot${variation}`)).toBe('❤ Depot');
      expect(nameKey(`❤${variation} Depot`)).toBe(nameKey('❤ depot'));
      expect(tidySearch(`❤${variation}`)).toBe('❤');
    }
    expect(tags.parse(['Zu\u0308rich', 'Nord', 'Z\u00fcrich', 'NORD'])).toEqual(['Z\u00fcrich', 'Nord']);
  });

  test('has at most 30 marks on a letter, and is not read when it is far too long', () => {
    const marks = (count: number) => `a${'\u0323'.repeat(count)}`;
    expect(typedName(100).parse(marks(200))).toBe(marks(30).normalize('NFC'));
    expect(typedName(100).parse(`Ho\u0302\u0300 ${marks(3)}`)).toBe(`H\u1ed3 ${marks(3).normalize('NFC')}`);
    expect(typedName(100).parse('Bus \u{2f81a}')).toBe('Bus \u51ac');
    const tooLong = typedName(100).safeParse(marks(100_000));
    expect(tooLong.error?.issues.map(({ message }) => message)).toEqual(['must have at most 100 characters']);
    expect(takes(email, `a@${'\u6f22'.repeat(5_000)}.de`)).toBe(false);
    expect(email.parse('a@\u6f22.example')).toBe('a@xn--hex.example');
  });

  test('is as long as the characters that people count', () => {
    expect(typedName(5).parse('🚌🚌🚌🚌🚌')).toBe('🚌🚌🚌🚌🚌');
    expect(takes(typedName(5), '🚌🚌🚌🚌🚌🚌')).toBe(false);
  });

  test('sorts as people read it: numbers by value, without case, umlauts with their letter', () => {
    const sorted = [
      'apple',
      'Äpfel',
      'bus',
      'Truck 1',
      'Truck 2',
      'truck 3',
      'Truck 10',
      'Über',
      'Zebra',
      '路由器 2',
      '路由器 10',
    ];
    expect(sorted.toReversed().toSorted(compareNames)).toEqual(sorted);
  });

  test('of several lines keeps its breaks, all of one kind, and only tabs', () => {
    expect(paragraph(20).parse(' a\n\tb\r\nc ')).toBe('a\n\tb\nc');
    for (const text of ['a\u0000', 'a\u001b[31m', 'a\u000bb', 'x'.repeat(21)]) expect(takes(paragraph(20), text)).toBe(false);
  });

  test('that is an e-mail address is lower case and has one recipient', () => {
    expect(email.parse('  Dana.Alvarez+fleet@Highline.Example ')).toBe('dana.alvarez+fleet@highline.example');
    expect(email.parse('bu\u0308ro@highline.example')).toBe('b\u00fcro@highline.example');
    expect(email.parse('Info@Bücher.example')).toBe('info@xn--bcher-kva.example');
    expect(email.parse('a+b@example.co.uk')).toBe('a+b@example.co.uk');
    const rejected = [
      'dana',
      'da\u200bna@highline.example',
      'dana\u202e@highline.example',
      `${'x'.repeat(65)}@highline.example`,
      'dana..alvarez@highline.example',
      '.dana@highline.example',
      'dana.@highline.example',
      'dana@highline..example',
      'dana@bü/cher.example',
      'dana@',
      '@highline.example',
      'dana@highline',
      'dana@@highline.example',
      'dana@highline.example, thief@highline.example',
      'dana@highline.example\nbcc: thief@highline.example',
      'Dana <dana@highline.example>',
      'dana@-highline.example',
      'dana@highline.example.',
      'dana alvarez@highline.example',
      `${'x'.repeat(250)}@highline.example`,
    ];
    for (const text of rejected) expect(takes(email, text), text).toBe(false);
  });
});

describe('a calendar date', () => {
  test('is a day that exists, as MM/DD/YYYY, and stays text', () => {
    for (const text of ['01/31/2026', '02/28/2026', '02/29/2028', '12/31/2199', '01/01/1900'])
      expect(calendarDate.parse(text)).toBe(text);
    const rejected = [
      '02/29/2026',
      '02/30/2028',
      '04/31/2026',
      '13/01/2026',
      '00/10/2026',
      '1/2/2026',
      '2026-01-31',
      '31/01/2026',
      '01/31/26',
      '01/31/1899',
      '',
      '01/31/2026 x',
    ];
    for (const text of rejected) expect(takes(calendarDate, text), text).toBe(false);
  });
});

describe('paging', () => {
  test('is read from text and is a number within its limits', () => {
    expect(pageQuery.parse({ limit: '50', offset: '0' })).toEqual({ limit: 50, offset: 0 });
    for (const query of [
      { limit: '0' },
      { limit: '201' },
      { limit: '-1' },
      { limit: '1.5' },
      { limit: 'x' },
      { offset: '-1' },
      { limit: 'Infinity' },
    ])
      expect(takes(pageQuery, query), JSON.stringify(query)).toBe(false);
  });
});

describe('the table of operations', () => {
  test('names each once, by module and verb, and gives no two the same URL', () => {
    const ids = allOperations.map(({ id }) => id);
    const addresses = allOperations.map(
      ({ method, path }) => `${method} ${path.replace(/\/$/u, '').replaceAll(/\{\w+\}/gu, '{}')}`,
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z]*\.[a-zA-Z]+$/u);
  });

  test('allows no one to call what is not public, and lists the roles for everything else', () => {
    for (const { id, scope, roles } of allOperations) expect(roles.length > 0, id).toBe(scope !== 'public');
    for (const { id, scope, roles } of allOperations) if (scope === 'main') expect(roles, id).toEqual(['main']);
  });

  test('has a field for every placeholder of a path, and no body if none is sent', () => {
    for (const { id, path, params, method, bodyKind } of allOperations) {
      const fields = Object.keys((params as unknown as { shape: object }).shape);
      expect(fields, id).toEqual([...path.matchAll(/\{(\w+)\}/gu)].map((match) => match[1]));
      if (method === 'GET') expect(bodyKind, id).toBe('none');
    }
  });
});
