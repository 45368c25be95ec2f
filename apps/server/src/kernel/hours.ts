import { addDays, checkZone, dayIn, instantOf } from './calendar.ts';

/** Hours of the week in a time zone; `until` before `from` = past midnight, both equal = the whole day. */
export interface WeekHours {
  /** Days on which they begin, 0 = Sunday. */
  readonly days: readonly number[];
  /** HH:MM */
  readonly from: string;
  readonly until: string;
  /** IANA time zone. */
  readonly zone: string;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** A time in which the hours hold; epoch milliseconds, without the end. */
interface Window {
  readonly start: number;
  readonly end: number;
}

/** @throws DomainError `request.invalid` for an unknown zone, naming the field */
export function checkHours(hours: WeekHours | null, field: string): void {
  if (hours !== null) checkZone(hours.zone, `${field}.zone`);
}

/** Whether a time is within the hours. */
export function isWithin(hours: WeekHours, now: Date): boolean {
  return windowsAt(hours, now).length > 0;
}

/** When the hours begin next, from a time outside of them. */
export function nextStart(hours: WeekHours, now: Date): Date {
  const starts = windowsOf(hours, now, 0, 8).map(({ start }) => start);
  return new Date(Math.min(...starts.filter((start) => start > now.getTime())));
}

/** When the hours end that a time is within. */
export function endOf(hours: WeekHours, now: Date): Date {
  return new Date(Math.max(now.getTime() + MINUTE_MS, ...windowsAt(hours, now).map(({ end }) => end)));
}

function windowsAt(hours: WeekHours, now: Date): Window[] {
  // Those of yesterday may last until today; of the day before, where a clock change makes its hours longer.
  return windowsOf(hours, now, -2, 0).filter(({ start, end }) => start <= now.getTime() && now.getTime() < end);
}

/**
 * The windows that begin on days around a time, by the wall clock of the zone. One that a clock change skips as a whole is as long as on other days, and
 * begins with the change.
 */
function windowsOf({ days, from, until, zone }: WeekHours, now: Date, firstDay: number, lastDay: number): Window[] {
  const [begins, ends] = [minuteOfDay(from), minuteOfDay(until)];
  const length = (ends - begins + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const today = dayIn(zone, now);
  return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => addDays(today, firstDay + index))
    .filter((day) => days.includes(new Date(day).getUTCDay()))
    .map((day) => {
      const start = instantOf(zone, day, begins).getTime();
      const end = instantOf(zone, day, begins + length).getTime();
      return { start, end: end > start ? end : start + length * MINUTE_MS };
    });
}

function minuteOfDay(text: string): number {
  const [hour, minute] = text.split(':').map(Number) as [number, number];
  return hour * 60 + minute;
}
