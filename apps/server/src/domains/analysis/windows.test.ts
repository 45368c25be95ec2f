import { analysis } from '@highline/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startOfDay } from '../../kernel/calendar.ts';
import { windowStarts } from './windows.ts';

const range = (from: string, until: string) => ({ from: new Date(from), until: new Date(until) });
const starts = (from: string, until: string, window: analysis.Window, zone: string) =>
  windowStarts(range(from, until), window, zone).map((at) => at.toISOString());

describe('windows of a time range', () => {
  test('RPT-03-partial months, weeks from Sunday on, and days begin at midnight of the zone', () => {
    const [from, until] = ['2026-10-28T12:00:00Z', '2026-11-12T00:00:00Z'];
    expect(starts(from, until, '1mo', 'America/Chicago')).toEqual(['2026-10-01T05:00:00.000Z', '2026-11-01T05:00:00.000Z']);
    expect(starts(from, until, '1w', 'America/Chicago')).toEqual([
      '2026-10-25T05:00:00.000Z',
      '2026-11-01T05:00:00.000Z',
      '2026-11-08T06:00:00.000Z',
    ]);
    expect(starts(from, until, '1d', 'America/Chicago').slice(0, 2)).toEqual([
      '2026-10-28T05:00:00.000Z',
      '2026-10-29T05:00:00.000Z',
    ]);
  });

  test('RPT-03-partial the day on which clocks are put back has 25 windows of an hour, the one they are put on has 23', () => {
    const back = range('2026-11-01T05:00:00Z', '2026-11-02T06:00:00Z');
    expect(windowStarts(back, '1d', 'America/Chicago')).toHaveLength(1);
    expect(windowStarts(back, '1h', 'America/Chicago')).toHaveLength(25);
    const on = range('2026-03-08T06:00:00Z', '2026-03-09T05:00:00Z');
    expect(windowStarts(on, '1h', 'America/Chicago')).toHaveLength(23);
    expect(windowStarts(on, '3h', 'America/Chicago')).toHaveLength(8);
  });

  test('RPT-03-partial for any query, the windows continue without a gap from the one that contains the start', () => {
    const zone = fc.constantFrom('UTC', 'America/New_York', 'America/Puerto_Rico', 'Pacific/Pago_Pago', 'Asia/Taipei', '+05:30');
    const from = fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2026-12-31T00:00:00Z'), noInvalidDate: true });
    const hours = fc.integer({ min: 1, max: 24 * 6 });
    fc.assert(
      fc.property(zone, from, hours, fc.constantFrom(...analysis.windows), (place, begin, length, window) => {
        const input = { from: begin, until: new Date(begin.getTime() + length * 3_600_000) };
        const all = windowStarts(input, window, place);
        expect(all[0]!.getTime()).toBeLessThanOrEqual(begin.getTime());
        if (all.length > 1) expect(all[1]!.getTime()).toBeGreaterThan(begin.getTime());
        expect(all.at(-1)!.getTime()).toBeLessThan(input.until.getTime());
        for (const [index, start] of all.slice(1).entries()) expect(start.getTime()).toBeGreaterThan(all[index]!.getTime());
        if (window === '1d')
          expect(
            all.every(
              (start) =>
                startOfDay(
                  place,
                  new Date(start.getTime() + 12 * 3_600_000).toLocaleDateString('sv-SE', { timeZone: place }),
                ).getTime() === start.getTime(),
            ),
          ).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('RPT-03-partial more windows than a chart has points are rejected', () => {
    expect(() => starts('2026-11-01T00:00:00Z', '2026-11-30T00:00:00Z', '5m', 'UTC')).toThrow('window: is too short');
    expect(() => starts('2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '1h', 'Mars/Olympus')).toThrow(
      'zone: is not a time zone',
    );
  });
});
