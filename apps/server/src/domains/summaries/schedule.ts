import type { summaries as calls } from '@highline/contract';
import { addDays, dayIn, instantOf } from '../../kernel/index.ts';

/** When a summary is sent. */
export interface Schedule {
  readonly every: calls.SummaryInterval;
  /** Of the week, 1 = Monday; or of the month, where a day that it lacks is its last one. */
  readonly onDay: number;
  readonly hour: number;
  readonly zone: string;
}

const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
const lastOfMonth = (day: string) => new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();

function isOn({ every, onDay }: Schedule, day: string): boolean {
  if (every === 'week') return weekday(day) === Math.min(onDay, 7);
  return every === 'day' || Number(day.slice(8)) === Math.min(onDay, lastOfMonth(day));
}

/** The next time after another at which a summary is due; undefined = it is never sent. An hour that a clock change skips is the one after. */
export function nextTime(schedule: Schedule, after: Date): Date | undefined {
  if (schedule.every === 'never') return undefined;
  let day = dayIn(schedule.zone, after);
  // A month has at most 31 days, and the first may be over already.
  for (let tries = 0; tries < 63; tries += 1) {
    const at = isOn(schedule, day) ? instantOf(schedule.zone, day, schedule.hour * 60) : undefined;
    if (at !== undefined && at > after) return at;
    day = addDays(day, 1);
  }
  return undefined;
}

/** The reason of a run that is not sent, since too many others were missed with it. */
export const SKIPPED = 'skipped';

/** The times at which a summary was due until now, from one of them on, and the one after. */
export function dueTimes(
  schedule: Schedule,
  first: Date,
  now: Date,
): { readonly times: Date[]; readonly next: Date | undefined } {
  const times: Date[] = [];
  let next: Date | undefined = first;
  for (; next !== undefined && next <= now; next = nextTime(schedule, next)) times.push(next);
  return { times, next };
}

/** The days that a summary is about that is due at a time: the day, the seven days or the month before; of one that is never due, the last 30. */
export function daysBefore(
  { every, zone }: Pick<Schedule, 'every' | 'zone'>,
  due: Date,
): { readonly from: string; readonly until: string } {
  const today = dayIn(zone, due);
  if (every !== 'month') {
    const days = { day: 1, week: 7, never: 30 }[every];
    return { from: addDays(today, -days), until: addDays(today, -1) };
  }
  const until = addDays(`${today.slice(0, 8)}01`, -1);
  return { from: `${until.slice(0, 8)}01`, until };
}
