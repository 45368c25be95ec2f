import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, americanDay, dayIn, daysOf, isDayText, isInstantText, parseDay, startOfDay } from './calendar.ts';

test('a cursor has only days and times that PostgreSQL takes', () => {
  for (const day of ['2024-02-29', '0001-01-01', '9999-12-31']) expect([day, isDayText(day)]).toEqual([day, true]);
  for (const day of ['2026-02-29', '2026-02-30', '0000-01-01', '2026-1-1', '2026-13-01', ''])
    expect([day, isDayText(day)]).toEqual([day, false]);
  for (const at of ['2026-11-30 23:59:59.123456+00', '2026-01-01 00:00:00+00'])
    expect([at, isInstantText(at)]).toEqual([at, true]);
  for (const at of [
    '2026-02-30 00:00:00+00',
    '2026-01-01 24:00:00+00',
    '0000-01-01 00:00:00+00',
    '2026-01-01 00:00:00+23:00',
    'infinity',
  ])
    expect([at, isInstantText(at)]).toEqual([at, false]);
});

describe('days as users write them', () => {
  test.each([
    ['01/31/2026', '2026-01-31'],
    ['1/5/2026', '2026-01-05'],
    [' 12/31/2099 ', '2099-12-31'],
    ['02/29/2028', '2028-02-29'],
    ['2026-01-31', '2026-01-31'],
  ])('DEV-05-partial %s is a day', (text, day) => expect(parseDay(text)).toBe(day));

  test.each([
    '',
    '02/29/2026',
    '02/30/2028',
    '13/01/2026',
    '00/10/2026',
    '01/00/2026',
    '1/1/26',
    '31/01/2026',
    '2026/01/31',
    '01-31-2026',
    '01/31/2026x',
    '٠١/٣١/٢٠٢٦',
    '46000',
  ])('DEV-05-partial %j is not a day', (text) => expect(parseDay(text)).toBeUndefined());

  test('DEV-05-partial every day of the calendar is formatted as MM/DD/YYYY, in any time zone of the server', () => {
    const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2150-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10);
        expect(parseDay(americanDay(iso))).toBe(iso);
      }),
    );
    expect(americanDay(null)).toBe('');
  });
});

describe('relative days', () => {
  // Friday, 2026-11-20, 23:30 in Honolulu; already Saturday in New York, and in UTC.
  const now = new Date('2026-11-21T09:30:00Z');

  test('OGL-02-partial today is the day of the zone', () => {
    expect(daysOf('today', 'Pacific/Honolulu', now)).toEqual({ from: '2026-11-20', to: '2026-11-20' });
    expect(daysOf('today', 'America/New_York', now)).toEqual({ from: '2026-11-21', to: '2026-11-21' });
    expect(daysOf('today', 'Pacific/Guam', now)).toEqual({ from: '2026-11-21', to: '2026-11-21' });
  });

  test('OGL-02-partial a week begins on Sunday, also across a month and a change of clocks', () => {
    expect(daysOf('week', 'UTC', now)).toEqual({ from: '2026-11-15', to: '2026-11-21' });
    expect(daysOf('week', 'America/Chicago', new Date('2026-11-01T07:30:00Z'))).toEqual({ from: '2026-11-01', to: '2026-11-07' });
    expect(daysOf('week', 'America/Chicago', new Date('2026-11-01T04:30:00Z'))).toEqual({ from: '2026-10-25', to: '2026-10-31' });
  });

  test('OGL-02-partial a month is the whole month, February of a leap year and December included', () => {
    expect(daysOf('month', 'UTC', new Date('2028-02-10T00:00:00Z'))).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(daysOf('month', 'UTC', new Date('2026-12-31T23:59:59Z'))).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  });

  test('OGL-02-partial an unknown zone is rejected', () => {
    expect(() => dayIn('America/Gotham', now)).toThrow('zone: is not a time zone');
  });

  test('OVW-03-partial a day begins at midnight of its zone, also on days of clock changes', () => {
    expect(startOfDay('America/New_York', '2026-11-01').toISOString()).toBe('2026-11-01T04:00:00.000Z');
    expect(startOfDay('America/New_York', '2026-11-02').toISOString()).toBe('2026-11-02T05:00:00.000Z');
    expect(startOfDay('America/New_York', '2026-03-09').toISOString()).toBe('2026-03-09T04:00:00.000Z');
    expect(startOfDay('Pacific/Honolulu', '2026-11-20').toISOString()).toBe('2026-11-20T10:00:00.000Z');
    expect(startOfDay('UTC', '2026-11-20').toISOString()).toBe('2026-11-20T00:00:00.000Z');
  });

  test('OVW-03-partial an instant lies within its day in the zone', () => {
    const zones = fc.constantFrom('America/New_York', 'America/Anchorage', 'Pacific/Guam', 'Pacific/Pago_Pago', 'UTC');
    const at = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, at, (zone, instant) => {
        const day = dayIn(zone, instant);
        expect(startOfDay(zone, day).getTime()).toBeLessThanOrEqual(instant.getTime());
        expect(startOfDay(zone, addDays(day, 1)).getTime()).toBeGreaterThan(instant.getTime());
      }),
    );
  });
});
