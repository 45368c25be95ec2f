import { describe, expect, test } from 'vitest';
import { checkHours, endOf, isWithin, nextStart } from './hours.ts';

const NEW_YORK = 'America/New_York';
const everyDay = [0, 1, 2, 3, 4, 5, 6];
const hours = (from: string, until: string, zone = NEW_YORK, days = everyDay) => ({ days, from, until, zone });
const iso = (time: Date) => time.toISOString();

describe('ALR-01-partial hours by the wall clock, over clock changes', () => {
  test.each([
    ['the night in which an hour is skipped', '2027-03-14T05:30:00Z', '2027-03-14T10:00:00.000Z'],
    ['the night in which an hour comes twice', '2027-11-07T03:00:00Z', '2027-11-07T11:00:00.000Z'],
    ['any other night', '2027-06-01T04:00:00Z', '2027-06-01T10:00:00.000Z'],
  ])('quiet hours until 06:00 end at 06:00 in %s', (_, at, end) => {
    expect(iso(endOf(hours('22:00', '06:00'), new Date(at)))).toBe(end);
    expect(isWithin(hours('22:00', '06:00'), new Date(Date.parse(end) - 1))).toBe(true);
    expect(isWithin(hours('22:00', '06:00'), new Date(end))).toBe(false);
  });

  test('working hours of Monday begin at 08:00 after the clock change of Sunday', () => {
    const working = hours('08:00', '18:00', NEW_YORK, [1, 2, 3, 4, 5]);
    expect(iso(nextStart(working, new Date('2027-03-13T15:00:00Z')))).toBe('2027-03-15T12:00:00.000Z');
    expect(iso(nextStart(working, new Date('2027-11-06T15:00:00Z')))).toBe('2027-11-08T13:00:00.000Z');
    // In them, the next ones are those of tomorrow.
    expect(iso(nextStart(working, new Date('2027-06-01T14:00:00Z')))).toBe('2027-06-02T12:00:00.000Z');
    expect(iso(nextStart(hours('08:00', '18:00', NEW_YORK, [1]), new Date('2027-06-07T12:00:00Z')))).toBe(
      '2027-06-14T12:00:00.000Z',
    );
  });

  test('hours that a clock change skips open with the change, for as long as on other days', () => {
    const skipped = hours('02:00', '03:00');
    expect(iso(nextStart(skipped, new Date('2027-03-14T06:30:00Z')))).toBe('2027-03-14T07:00:00.000Z');
    expect(isWithin(skipped, new Date('2027-03-14T07:30:00Z'))).toBe(true);
    expect(iso(endOf(skipped, new Date('2027-03-14T07:30:00Z')))).toBe('2027-03-14T08:00:00.000Z');
    // Santiago skips midnight.
    expect(iso(nextStart(hours('00:00', '06:00', 'America/Santiago'), new Date('2026-09-06T03:30:00Z')))).toBe(
      '2026-09-06T04:00:00.000Z',
    );
    // Lord Howe's change is of half an hour.
    expect(iso(endOf(hours('22:00', '06:00', 'Australia/Lord_Howe'), new Date('2026-10-03T14:00:00Z')))).toBe(
      '2026-10-03T19:00:00.000Z',
    );
  });

  test('hours of a whole day are within all day, on a day of 23 and of 25 hours too', () => {
    for (const at of ['2027-03-14T12:00:00Z', '2027-11-07T12:00:00Z'])
      expect(isWithin(hours('00:00', '00:00'), new Date(at))).toBe(true);
    expect(iso(endOf(hours('00:00', '00:00', NEW_YORK, [0]), new Date('2027-03-14T12:00:00Z')))).toBe('2027-03-15T04:00:00.000Z');
    expect(iso(endOf(hours('00:00', '00:00', NEW_YORK, [0]), new Date('2027-11-07T12:00:00Z')))).toBe('2027-11-08T05:00:00.000Z');
    expect(() => checkHours(hours('00:00', '00:00', 'Nowhere/At_All'), 'hours')).toThrow('hours.zone: is not a time zone');
  });
});
