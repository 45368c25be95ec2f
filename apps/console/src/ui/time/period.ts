import { wallTime } from './zones.ts';

/** The periods of the address; absent = the last 30 days. */
export type PeriodName = '7' | '90' | 'last-week' | 'month' | 'last-month' | undefined;

/** ISO days of a zone, both within. */
export interface Days {
  readonly from: string;
  readonly until: string;
}

const dayOf = (time: number, zone: string) => {
  const { year, month, day } = wallTime(new Date(time), zone);
  return `${year}-${month}-${day}`;
};
const DAY_MS = 86_400_000;
const before = (day: string, days: number) => new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** The days of a period up to today. @param now epoch milliseconds */
export function daysOf(name: PeriodName, now: number, zone: string): Days {
  const today = dayOf(now, zone);
  const first = `${today.slice(0, 8)}01`;
  if (name === 'month') return { from: first, until: today };
  if (name === 'last-week') {
    // From Monday to Sunday, as schedules count the days of a week.
    const until = before(today, new Date(today).getUTCDay() || 7);
    return { from: before(until, 6), until };
  }
  if (name === 'last-month') {
    const until = before(first, 1);
    return { from: `${until.slice(0, 8)}01`, until };
  }
  return { from: before(today, Number(name ?? '30') - 1), until: today };
}

/** The first day, in UTC, of which history is kept for so many days. */
export function historyBegins(now: Date, days: number): Date {
  return new Date(Math.floor((now.getTime() - days * DAY_MS) / DAY_MS) * DAY_MS);
}

/** The days of a period from when history begins; of one that ended before, the last. */
export function daysSince({ from, until }: Days, begins: Date, zone: string): Days {
  const first = dayOf(begins.getTime(), zone);
  if (first <= from) return { from, until };
  return { from: first < until ? first : until, until };
}
