import { describe, expect, test } from 'vitest';
import { dayOfReport, daysOfPreset, daysOfReport, defaultName, formatReportTime, isSingleDay, timeRangeOf } from './range.ts';

const zone = 'America/New_York';
const now = new Date('2026-11-19T03:30:00Z');
const iso = (range: ReturnType<typeof timeRangeOf>) =>
  range && [new Date(range.on).toISOString(), new Date(range.to).toISOString()];

describe('days of a report', () => {
  test("RPT-01-partial presets are days of the person's zone, and a week starts on Sunday", () => {
    expect(daysOfPreset('today', zone, now)).toEqual({ from: '11/18/2026', until: '11/18/2026' });
    expect(daysOfPreset('today', 'UTC', now)).toEqual({ from: '11/19/2026', until: '11/19/2026' });
    expect(daysOfPreset('yesterday', zone, now)).toEqual({ from: '11/17/2026', until: '11/17/2026' });
    expect(daysOfPreset('week', zone, now)).toEqual({ from: '11/15/2026', until: '11/18/2026' });
    expect(daysOfPreset('month', zone, now)).toEqual({ from: '11/01/2026', until: '11/18/2026' });
    expect(daysOfPreset('yesterday', zone, new Date('2027-01-01T12:00:00Z')).from).toBe('12/31/2026');
  });

  test('they begin at midnight and end at the next, also where summer time ends or begins', () => {
    expect(iso(timeRangeOf({}, zone, now))).toEqual(['2026-11-18T05:00:00.000Z', '2026-11-19T05:00:00.000Z']);
    const ends = { day: 'custom', from: '11/01/2026', until: '11/01/2026' } as const;
    expect(iso(timeRangeOf(ends, zone, now))).toEqual(['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
    const chile = { day: 'custom', from: '09/06/2026', until: '09/06/2026' } as const;
    expect(iso(timeRangeOf(chile, 'America/Santiago', now))?.[0]).toBe('2026-09-06T04:00:00.000Z');
  });

  test.each([
    ['2026/11/01 00:00:00', '2026/11/05 23:59:59', '11/01/2026', '11/05/2026'],
    ['10/01/2026', '10/31/2026', '10/01/2026', '10/31/2026'],
    ['2026-11-01', '2026-11-05', '11/01/2026', '11/05/2026'],
    ['2026-10-01 00:00:00', '2026-10-31 23:59', '10/01/2026', '10/31/2026'],
    ['2026/11/01T00:00:00', '2026/11/05 0:00:00', '11/01/2026', '11/05/2026'],
    ['2026/11/01 00:00:00Z', '2026/11/05 at noon', '11/01/2026', '11/05/2026'],
    ['2026-11-01T00:00:00', '2026-11-05 00:00:00.000', '11/01/2026', '11/05/2026'],
    ['2026/11/011', '2026/02/30 00:00:00', '', ''],
    ['2026-11-01T04:00:00.000Z', '2026-11-06T05:00:00.000Z', '11/01/2026', '11/05/2026'],
    ['1793505600', '1793941200', '11/01/2026', '11/05/2026'],
    ['soon', 'October', '', ''],
  ])(
    'RPT-01-partial API-03-partial a report saved from %s until %s has its days, and none is shifted',
    (start, end, from, until) => {
      expect(daysOfReport(start, end, zone)).toEqual({ day: 'custom', from, until });
    },
  );

  test.each([
    { day: 'custom' },
    { day: 'custom', from: '11/02/2026' },
    { day: 'custom', from: '11/02/2026', until: '11/01/2026' },
    { day: 'custom', from: '02/30/2026', until: '11/01/2026' },
  ] as const)('%j is no time range', (days) => {
    expect(timeRangeOf(days, zone, now)).toBeUndefined();
  });

  test('a run chart takes one day', () => {
    expect(
      [{}, { day: 'yesterday' }, { day: 'custom', from: '11/02/2026', until: '11/02/2026' }].map((days) =>
        isSingleDay(days as object),
      ),
    ).toEqual([true, true, true]);
    expect(
      [{ day: 'week' }, { day: 'month' }, { day: 'custom', from: '11/02/2026', until: '11/03/2026' }].map((days) =>
        isSingleDay(days as object),
      ),
    ).toEqual([false, false, false]);
  });

  test('RPT-01-partial RPT-02-partial names and dates of reports', () => {
    expect(defaultName({}, zone, now)).toBe('2026/11/18 00:00:00 - 2026/11/18 23:59:59');
    expect(formatReportTime(now.getTime(), zone)).toBe('2026/11/18 22:30:00');
    expect(dayOfReport('2026/11/18 00:00:00')).toBe('11/18/2026');
    expect(dayOfReport('x')).toBe('');
  });
});
