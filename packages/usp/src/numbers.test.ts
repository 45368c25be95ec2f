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

  it('others are rejected', () => {
    expect(numbers.normalizeEid('89034011560010000000000000000122')).toBeUndefined();
    expect(numbers.normalizeIccid('8944110068123456784')).toBeUndefined();
    expect(numbers.normalizeImei('490154203237519')).toBeUndefined();
    expect(numbers.normalizeImsi('3101501234567')).toBeUndefined();
    expect(numbers.normalizeMsisdn('0123456789')).toBeUndefined();
    for (const text of ['', '00B2D056C2', '00B2D056C22G', '00B2D056C22700']) expect(numbers.normalizeMac(text)).toBeUndefined();
  });

  it('generated ones pass, and are unique', () => {
    fc.assert(
      fc.property(nth, nth, (a, b) => {
        expect(numbers.normalizeIccid(numbers.makeIccid(a))).toBe(numbers.makeIccid(a));
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
