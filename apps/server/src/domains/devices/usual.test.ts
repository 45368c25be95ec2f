import { expect, test } from 'vitest';
import { hoursOfUsual, offlineBeyond, usualOffline, type OnlineHour } from './usual.ts';

const HOUR_MS = 3_600_000;
/** A Thursday. */
const NOW = new Date('2026-11-26T10:58:00Z');
const SUNDAY = new Date('2026-11-29T10:58:00Z');

/** A history of so many days before a time. @param offline of 11 devices, at an hour */
function historyOf(days: number, offline: (hour: Date) => number, until = NOW): OnlineHour[] {
  const last = Math.floor(until.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: days * 24 }, (_, back) => {
    const hour = new Date(last - (back + 1) * HOUR_MS);
    return { hour, online: (11 - offline(hour)) * 12, devices: 132 };
  });
}
const isSunday = (hour: Date) => hour.getUTCDay() === 0;

test('SAY-01-partial what is usual is that of the same hour on the same weekday', () => {
  const history = historyOf(60, (hour) => (isSunday(hour) ? 11 : hour.getUTCHours() < 5 ? 9 : 0.4));
  expect(usualOffline(history, 11, NOW)).toEqual({ least: 0, most: 1 });
  expect(usualOffline(history, 11, new Date('2026-11-26T02:58:00Z'))).toEqual({ least: 9, most: 9 });
  // A whole fleet that is parked on Sundays is as usual.
  expect(
    usualOffline(
      historyOf(60, (hour) => (isSunday(hour) ? 11 : 0), SUNDAY),
      11,
      SUNDAY,
    ),
  ).toEqual({ least: 11, most: 11 });
  // The fleet has grown since.
  expect(usualOffline(history, 110, NOW)).toEqual({ least: 4, most: 4 });
});

test('SAY-01-partial a history of two days, or a Sunday without Sundays before it, says nothing', () => {
  expect(usualOffline([], 11, NOW)).toBeUndefined();
  expect(
    usualOffline(
      historyOf(2, () => 0),
      11,
      NOW,
    ),
  ).toBeUndefined();
  expect(
    usualOffline(
      historyOf(9, () => 0.4),
      11,
      NOW,
    ),
  ).toEqual({ least: 0, most: 1 });
  expect(
    usualOffline(
      historyOf(13, () => 0, SUNDAY),
      11,
      SUNDAY,
    ),
  ).toBeUndefined();
});

test('SAY-01-partial one holiday or outage among the weeks changes nothing', () => {
  const history = historyOf(60, (hour) => (hour.toISOString().startsWith('2026-11-12') ? 10 : 0.4));
  expect(usualOffline(history, 11, NOW)).toEqual({ least: 0, most: 1 });
});

test('SAY-01-partial one vehicle more is no deviation, and a large fleet deviates by more than its spread', () => {
  expect(offlineBeyond({ least: 0, most: 1 }, 2, 11)).toBe(0);
  expect(offlineBeyond({ least: 0, most: 1 }, 5, 11)).toBe(4);
  expect(offlineBeyond({ least: 90_000, most: 110_000 }, 118_000, 1_000_000)).toBe(0);
  expect(offlineBeyond({ least: 90_000, most: 110_000 }, 160_000, 1_000_000)).toBe(50_000);
  expect(offlineBeyond({ least: 0, most: 0 }, 1, 1)).toBe(0);
});

test('the hours that are read are those that count', () => {
  const needed = new Set(hoursOfUsual(NOW).map((hour) => hour.getTime()));
  expect(needed.size).toBeLessThan(60);
  const history = historyOf(60, () => 0.4);
  expect(
    usualOffline(
      history.filter(({ hour }) => needed.has(hour.getTime())),
      11,
      NOW,
    ),
  ).toEqual(usualOffline(history, 11, NOW));
});
