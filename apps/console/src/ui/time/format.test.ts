import { describe, expect, test } from 'vitest';
import {
  ageOf,
  dayFromIso,
  dayIn,
  formatDate,
  formatDateTime,
  formatDay,
  formatDayBefore,
  formatUptime,
  isoFromDay,
  parseDay,
  readTypedDay,
} from './format.ts';

const zone = 'America/New_York';

describe('dates', () => {
  test('NAV-07-partial a date reads MM/DD/YYYY and a moment adds HH:mm:ss, in the zone', () => {
    const moment = Date.parse('2026-11-21T02:03:04Z') / 1000;
    expect(formatDate(moment, zone)).toBe('11/20/2026');
    expect(formatDateTime(moment, zone)).toBe('11/20/2026 21:03:04');
    expect(formatDateTime('2026-11-21T02:03:04Z', 'Pacific/Guam')).toBe('11/21/2026 12:03:04');
  });

  test.each([null, undefined, '', 'no date'])('a moment that is not known reads --: %s', (moment) => {
    expect(formatDateTime(moment, zone)).toBe('--');
  });

  test('a date without time is text: it converts to ISO and back without a shift', () => {
    expect(isoFromDay('03/01/2026')).toBe('2026-03-01');
    expect(dayFromIso('2026-03-01')).toBe('03/01/2026');
    expect(['2026-12-01', '2028-03-01', ''].map(formatDayBefore)).toEqual(['11/30/2026', '02/29/2028', '']);
    expect(dayFromIso(isoFromDay('02/29/2028'))).toBe('02/29/2028');
  });

  test.each(['02/29/2026', '13/01/2026', '00/10/2026', '1/2/2026', '2026-01-02', '02/30/2026 '])('%s is no day', (text) => {
    expect(parseDay(text)).toBeUndefined();
    expect(isoFromDay(text)).toBe('');
  });
});

describe('SAY-11-partial dates in the order of the language', () => {
  test('in Traditional Chinese the year comes first; what the calls have stays as it is', () => {
    const days = ['2026-03-01', '03/01/2026', '', 'Undefined'];
    expect(days.map((day) => formatDay(day, 'zh-TW'))).toEqual(['2026/03/01', '2026/03/01', '', 'Undefined']);
    expect(days.map((day) => formatDay(day, 'en-US'))).toEqual(['03/01/2026', '03/01/2026', '', 'Undefined']);
    expect(dayIn('2026-11-21T02:03:04Z', zone)).toBe('11/20/2026');
  });

  test.each(['02/03/2026', '2/3/2026', '2026/02/03', '2026-2-3', ' 2026年2月3日 ', '2.3.2026'])(
    'a day is typed as %s',
    (text) => {
      expect(readTypedDay(text)).toBe('02/03/2026');
    },
  );

  test.each(['02/30/2026', '2026/02/30', '2026-13-01', '3/2026', '20260203', 'x'])('%s is no day that was typed', (text) => {
    expect(readTypedDay(text)).toBe('');
  });
});

describe('uptime', () => {
  test.each([
    [0, '0d 00:00:00'],
    [59, '0d 00:00:59'],
    [3600, '0d 01:00:00'],
    [86_399, '0d 23:59:59'],
    [86_400, '1d 00:00:00'],
    [12 * 86_400 + 4 * 3600 + 22 * 60 + 10.9, '12d 04:22:10'],
  ])('DEV-01-partial %d s read %s', (seconds, text) => {
    expect(formatUptime(seconds)).toBe(text);
  });

  test.each([null, undefined, Number.NaN, -1, Number.POSITIVE_INFINITY])(
    'DEV-01-partial an uptime that was never reported reads --: %s',
    (value) => {
      expect(formatUptime(value)).toBe('--');
    },
  );
});

describe('ages', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  test.each([
    [0, 'now', 0],
    [-5, 'now', 0],
    [12, 'seconds', 12],
    [60, 'minutes', 1],
    [3599, 'minutes', 59],
    [3600, 'hours', 1],
    [86_400 * 2 + 1, 'days', 2],
  ] as const)('%d s ago is %s %d', (seconds, unit, count) => {
    expect(ageOf(new Date(now.getTime() - seconds * 1000), now)).toEqual({ unit, count });
  });
});
