import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as numbers from './numbers.ts';

const nth = fc.integer({ min: 0, max: 999_999 });

describe('numbers with a check digit', () => {
  it('valid ones pass, in common notations', () => {
    expect(numbers.normalizeEid('89034011 56001000 00000000 00000121')).toBe('89034011560010000000000000000121');
    expect(numbers.normalizeIccid('8944110068123456783F')).toBe(numbers.normalizeIccid('8944110068123456783'));
    expect(numbers.normalizeImei('49-015420-323751-8')).toBe('490154203237518');
    expect(numbers.normalizeImsi('310150123456789')).toBe('310150123456789');
    expect(numbers.normalizeMsisdn('+1 (415) 555-0100')).toBe('14155550100');
    for (const text of ['00B2D056C227', '00:b2:d0:56:c2:27', '00-B2-D0-56-C2-27', '00b2.d056.c227'])
      expect(numbers.normalizeMac(text)).toBe('00B2D056C227');
  });

  it.each([
    [numbers.normalizeMac, '\u00a000\u2013B2\u2013D0\u201356\u2013C2\u201327\u200b', '00B2D056C227'],
    [numbers.normalizeEid, '(8903) 4011-5600 1000\u00a00000 0000+0000 0121', '89034011560010000000000000000121'],
    [numbers.normalizeMsisdn, '\u202a+1 (415) 555\u20110100\u202c', '14155550100'],
    [numbers.normalizeMsisdn, '１４１５５５５０１００', '14155550100'],
    [numbers.normalizeImei, '490154-20-323751-8', '490154203237518'],
    [numbers.normalizeImei, '49-015420-323751-78', '490154203237518'],
    [numbers.normalizeIccid, '8944 4765 0000 8878 576FF', '8944476500008878576'],
  ] as const)('any separators, also those that cannot be seen, and any dash: %o %j', (normalize, text, stored) => {
    expect(normalize(text)).toBe(stored);
  });

  it.each([
    ['8944476500008878576', { iccid: '8944476500008878576' }],
    ['8944476500008878576f', { iccid: '8944476500008878576' }],
    ['898510000000123455', { iccid: '898510000000123455' }],
    ['894447650000887857', { doubt: 'check-digit', meant: '894447650000887857', typed: '894447650000887857' }],
    ['898600A1234567890123', { doubt: 'check-digit', meant: '898600A1234567890123', typed: '898600A1234567890123' }],
    ['8914800999999999901', { doubt: 'check-digit', meant: '8914800999999999901', typed: '8914800999999999901' }],
    ['89444765000088785760', { doubt: 'digit-too-many', meant: '8944476500008878576', typed: '89444765000088785760' }],
    ['89444765000088785765', { doubt: 'digit-too-many', meant: '8944476500008878576', typed: '89444765000088785765' }],
    ['8.94448E+18', { fault: 'spreadsheet' }],
    ['8,94448E+18', { fault: 'spreadsheet' }],
    ['8944476500008870000', { fault: 'spreadsheet' }],
    ['89444765000088700000', { fault: 'spreadsheet' }],
    ['894447650000887000', { fault: 'spreadsheet' }],
    ['89444765000088785', { fault: 'form' }],
    ['8944476500008878576123', { fault: 'form' }],
    ['1234567890123456789', { fault: 'form' }],
    ['89O0000000000000001', { fault: 'form' }],
  ])('SIM-04-partial the ICCID %s is read as %j', (text, read) => {
    expect(numbers.readIccid(text)).toEqual(read);
  });

  it.each([
    ['+1 (312) 555-0101', '13125550101'],
    ['+49 (0)171 2345678', '491712345678'],
    ['0013125550101', '13125550101'],
    ['312-555-0101', '3125550101'],
    ['8901 4101 2345 6779 193F', '8901410123456779193'],
    ['89014101234567791930', '8901410123456779193'],
    ['012345-00-520001-4', '012345005200014'],
    ['0123450052000149', '012345005200014'],
    ['4901542032375178', '490154203237518'],
    ['00:b2:d0:56:c2:2f', '00B2D056C22F'],
    ['b2:d0:56', 'B2D056'],
  ])('BLK-04-partial a pasted %s finds %s', (pasted, stored) => {
    const { text, others } = numbers.readPastedNumber(pasted)!;
    expect(stored.includes(text) || others.includes(stored)).toBe(true);
  });

  it('a pasted text with other letters, or of a few digits, is no number', () => {
    for (const text of ['Bus 2104', '89:01', 'facade', '', 'x'.repeat(300), '2104'])
      expect(numbers.readPastedNumber(text)).toBeUndefined();
  });

  it('others are rejected', () => {
    expect(numbers.normalizeEid('89034011560010000000000000000122')).toBeUndefined();
    expect(numbers.readIccid('8944110068123456784')).toMatchObject({ doubt: 'check-digit' });
    expect(numbers.normalizeImei('490154203237519')).toBeUndefined();
    expect(numbers.normalizeImsi('3101501234567')).toBeUndefined();
    expect(numbers.normalizeMsisdn('0123456789')).toBeUndefined();
    for (const text of ['', '00B2D056C2', '00B2D056C22G', '00B2D056C22700']) expect(numbers.normalizeMac(text)).toBeUndefined();
  });

  it('generated ones pass, and are unique', () => {
    fc.assert(
      fc.property(nth, nth, (a, b) => {
        expect(numbers.readIccid(numbers.makeIccid(a))).toEqual({ iccid: numbers.makeIccid(a) });
        expect(numbers.normalizeImei(numbers.makeImei(a))).toBe(numbers.makeImei(a));
        expect(numbers.normalizeEid(numbers.makeEid(a))).toBe(numbers.makeEid(a));
        expect(numbers.normalizeImsi(numbers.makeImsi(a))).toBe(numbers.makeImsi(a));
        expect(numbers.normalizeMsisdn(numbers.makeMsisdn(a))).toBe(numbers.makeMsisdn(a));
        expect(numbers.normalizeMac(numbers.makeMac(a))).toBe(numbers.makeMac(a));
        expect(numbers.makeIccid(a) === numbers.makeIccid(b)).toBe(a === b);
      }),
    );
  });

  it('one changed digit fails the check', () => {
    fc.assert(
      fc.property(nth, fc.nat({ max: 31 }), fc.integer({ min: 1, max: 9 }), (n, at, by) => {
        const changed = numbers.makeEid(n).split('');
        changed[at] = String((Number(changed[at]) + by) % 10);
        expect(numbers.normalizeEid(changed.join(''))).toBeUndefined();
      }),
    );
  });

  it('any text is rejected or accepted without throwing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const check of [
          numbers.normalizeEid,
          numbers.normalizeIccid,
          numbers.normalizeImei,
          numbers.normalizeMsisdn,
          numbers.normalizeMac,
        ])
          expect(['string', 'undefined']).toContain(typeof check(text));
      }),
    );
  });
});
