import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifierCell, safeCell } from './csv-cell.ts';

describe('cells of a CSV', () => {
  test.each([
    '=1+1',
    '=HYPERLINK("http://evil.test","x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    '@SUM(A1:A2)',
    '  =1+1',
    '"=1+1',
    '＝1+1',
    '＋1+1',
    '－1+1',
    '＠SUM(A1)',
    '\u202e=1+1',
    '\u200b=1+1',
    '\ufeff=1+1',
    '+1-312-555',
    '-A1',
    '-2.8.1',
    '+',
    '-',
  ])('SHR-08-partial %j is prefixed with an apostrophe, so that no spreadsheet evaluates it', (text) => {
    expect(safeCell(text)).toBe(`'${text}`);
    expect(identifierCell(text)).toBe(`'${text}`);
  });

  test.each([
    ['a;=1+1', "a;'=1+1"],
    ['note\n=1', "note\n'=1"],
    ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
    ['a; -2+3', "a;' -2+3"],
    [';;=1', ";;'=1"],
    ['\t=1+1', "'\t'=1+1"],
    ['\r=1+1', "'\r'=1+1"],
    ['\n=1+1', "'\n'=1+1"],
    ['=1;b', "'=1;b"],
    ['roof; -3; left', 'roof; -3; left'],
    ['a; b\nc', 'a; b\nc'],
  ])(
    'SHR-08-partial %j contains no formula either for a spreadsheet that separates by semicolons, tabs or lines',
    (text, safe) => {
      expect(safeCell(text)).toBe(safe);
    },
  );

  test.each([
    '-95',
    '+1.5',
    '-1,200.50',
    '-3%',
    '+1 312 555 0142',
    '+1 (312) 555-0142',
    '+886 2 2345 6789',
    'Bus 2104',
    'a=b',
    'someone@example.com',
    '<script>alert(1)</script>',
    '王小明',
    '🚌',
    '',
  ])('SHR-08-partial %j stays as it is', (text) => expect(safeCell(text)).toBe(text));

  test.each([
    ['89014103211118510720', 'an ICCID'],
    ['356938035643809', 'an IMEI'],
    ['89049032000001000000000000000121', 'an EID'],
    ['00B2D0', 'not numeric'],
    ['0042', 'a number with leading zeros'],
    ['112233445E66', 'a MAC that looks like a power of ten'],
    ['3-4', 'a text that looks like a date'],
    ['MAR1', 'a text that looks like a month'],
  ])('SHR-08-partial %s (%s) keeps its digits', (text, what) => {
    expect(identifierCell(text)).toBe(what === 'not numeric' ? text : `'${text}`);
  });

  test('SHR-08-partial an MTN of eleven digits stays a number, which a spreadsheet shows in full', () => {
    expect(identifierCell('13125550142')).toBe('13125550142');
    expect(identifierCell(null)).toBe('');
  });

  test('SHR-08-partial a cell begins like a formula only if it is a plain number or a phone number', () => {
    const start = fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', ' ', '"', '\u202e', 'x', '1');
    fc.assert(
      fc.property(fc.tuple(start, fc.string({ unit: 'grapheme' })), ([first, rest]) => {
        const cell = safeCell(first + rest);
        const bare = cell.replace(/^[\s"\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/u, '');
        // Only apostrophes were added.
        expect(cell.replaceAll("'", '')).toBe((first + rest).replaceAll("'", ''));
        if (/^[=@＝＋－＠]/u.test(bare)) expect.fail(`${JSON.stringify(cell)} starts a formula`);
        if (/^[+-]/u.test(bare)) expect(bare).toMatch(/^[+-]\d[\d.,() -]*(?: ?%)?$/u);
      }),
    );
  });
});
