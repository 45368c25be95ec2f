import { expect, test } from 'vitest';
import { daysBefore, nextTime, type Schedule } from './schedule.ts';

const chicago = { zone: 'America/Chicago', hour: 6, onDay: 1 } as const;
const next = (schedule: Schedule, after: string) => nextTime(schedule, new Date(after))?.toISOString();

test('RPM-03-partial a summary is due at its hour of the zone, also across a change of the clock and at the end of a month', () => {
  expect(next({ ...chicago, every: 'month' }, '2026-10-15T00:00:00Z')).toBe('2026-11-01T12:00:00.000Z');
  // In summer time the same hour is another one of UTC.
  expect(next({ ...chicago, every: 'day' }, '2026-07-01T00:00:00Z')).toBe('2026-07-01T11:00:00.000Z');
  expect(next({ ...chicago, every: 'week', onDay: 1 }, '2026-11-27T00:00:00Z')).toBe('2026-11-30T12:00:00.000Z');
  expect(next({ ...chicago, every: 'month', onDay: 31 }, '2027-02-01T00:00:00Z')).toBe('2027-02-28T12:00:00.000Z');
  expect(next({ ...chicago, every: 'month', onDay: 31 }, '2028-02-01T00:00:00Z')).toBe('2028-02-29T12:00:00.000Z');
  expect(next({ ...chicago, every: 'month', onDay: 31 }, '2028-02-29T12:00:00Z')).toBe('2028-03-31T11:00:00.000Z');
  expect(next({ ...chicago, every: 'month', onDay: 30 }, '2027-03-30T11:00:00Z')).toBe('2027-04-30T11:00:00.000Z');
  // 02:00 does not exist on 2027-03-14 in Chicago: the hour after.
  expect(next({ ...chicago, hour: 2, every: 'day' }, '2027-03-14T06:30:00Z')).toBe('2027-03-14T08:00:00.000Z');
  expect(next({ ...chicago, every: 'never' }, '2026-10-15T00:00:00Z')).toBeUndefined();
});

test('RPM-03-partial it is about the whole day, the seven days or the month before, as the zone counts', () => {
  const due = new Date('2026-11-01T12:00:00Z');
  expect(daysBefore({ every: 'month', zone: 'America/Chicago' }, due)).toEqual({ from: '2026-10-01', until: '2026-10-31' });
  expect(daysBefore({ every: 'week', zone: 'America/Chicago' }, due)).toEqual({ from: '2026-10-25', until: '2026-10-31' });
  expect(daysBefore({ every: 'day', zone: 'Asia/Taipei' }, new Date('2026-11-01T18:00:00Z'))).toEqual({
    from: '2026-11-01',
    until: '2026-11-01',
  });
});
