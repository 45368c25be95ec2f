import * as fc from 'fast-check';

/** Texts that have broken parsers, stores and screens elsewhere. */
const knownTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u0001\u0008\u001b[31m',
  '\r\n',
  'a\r\nX-Injected: 1',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202e\u2066',
  '\u0130\u0131\ufb01',
  'Z\u0351\u036b\u0343\u036a',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  '[object Object]',
  'undefined',
  'null',
  'NaN',
  'true',
  '-1',
  '0',
  '1e309',
  '9007199254740993',
  '99999999999999999999999999',
  '0x10',
  '-0',
  '1e-7',
  "' or 1=1 --",
  '"; drop table devices; --',
  '%00',
  '%',
  '%zz',
  '%_\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=1+1',
  '${7*7}',
  '{{7*7}}',
  'a'.repeat(5_000),
  '.'.repeat(5_000),
  `${'.'.repeat(5_000)}x`,
  ' '.repeat(5_000),
  '('.repeat(2_000),
  '🚌'.repeat(500),
  '02/30/2026',
  '13/13/2026',
  '01/01/0000',
  '12/31/9999',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '192.0.2.1',
  '::ffff:192.0.2.1',
  'self::highline',
] as const;

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...knownTexts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...knownTexts), fc.nat(40))
      .map(([text, times]) => text.repeat(Math.min(times, 20_000 / (text.length + 1)))),
  },
);

export const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e21, 1e308, -1e308, 5e-324),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const names = fc.oneof(
  hostileText,
  fc.constantFrom('org', 'device', 'id', 'toJSON', 'then', 'length', '__proto__', 'constructor'),
);

/** An object whose keys may be names of prototypes. */
function objectOf(entries: readonly (readonly [string, unknown])[]): unknown {
  const object = {};
  for (const [name, value] of entries)
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

/** Any JSON value, including deep ones and ones with the names of prototypes. */
export const hostileJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: false },
    hostileText,
    hostileNumber,
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 4 }).map(objectOf),
    fc.nat(2_000).map((depth) => deep(depth)),
    fc.nat(20_000).map((length) => Array.from({ length }, () => 0)),
  ),
})).value;

/** Nested arrays. */
function deep(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** A header value: any byte but the two that end a line, and sometimes those too. */
export const hostileHeader: fc.Arbitrary<string> = fc.oneof(
  hostileText.map((text) => text.replaceAll(/[\r\n]/gu, '').slice(0, 6_000)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/[\r\n]/gu, ''),
  ),
  fc.nat(20_000).map((length) => 'h'.repeat(length)),
);
