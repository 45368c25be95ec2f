import type { alerts } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const formats = new Map<string, Intl.DateTimeFormat>();
/** Zones that are kept; there are about 600. */
const MOST_FORMATS = 1_000;

/** @throws DomainError `request.invalid` for an unknown zone, naming the field */
export function checkHours(hours: alerts.Hours | null, field: string): void {
  if (hours === null) return;
  try {
    formatOf(hours.zone);
  } catch {
    throw new DomainError('request.invalid', { message: `${field}.zone: is not a time zone`, field: `${field}.zone` });
  }
}

/** Whether a time is within the hours. */
export function isWithin(hours: alerts.Hours, now: Date): boolean {
  return windowsOf(hours, now).some(({ sinceStart, length }) => sinceStart < length);
}

/** When the hours begin next, from a time outside of them. A clock change in between shifts it by at most its own length. */
export function nextStart(hours: alerts.Hours, now: Date): Date {
  const wait = Math.min(...windowsOf(hours, now).map(({ sinceStart }) => WEEK_MINUTES - sinceStart));
  return new Date(startOfMinute(now) + wait * MINUTE_MS);
}

/** When the hours end that a time is within. */
export function endOf(hours: alerts.Hours, now: Date): Date {
  const left = windowsOf(hours, now).map(({ sinceStart, length }) => length - sinceStart);
  return new Date(startOfMinute(now) + Math.max(1, ...left) * MINUTE_MS);
}

const startOfMinute = (now: Date) => Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;

/** For each day of the hours: minutes since it began last, and how many it lasts. */
function windowsOf({ days, from, until, zone }: alerts.Hours, now: Date) {
  const minute = minuteOfWeek(zone, now);
  const [start, end] = [minuteOfDay(from), minuteOfDay(until)];
  const length = (end - start + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  return days.map((day) => ({ sinceStart: (minute - (day * DAY_MINUTES + start) + WEEK_MINUTES) % WEEK_MINUTES, length }));
}

function minuteOfDay(text: string): number {
  const [hour, minute] = text.split(':').map(Number) as [number, number];
  return hour * 60 + minute;
}

function minuteOfWeek(zone: string, now: Date): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
  return weekdays.indexOf(parts['weekday'] ?? '') * DAY_MINUTES + Number(parts['hour']) * 60 + Number(parts['minute']);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone);
  if (kept !== undefined) return kept;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(timeZone, made);
  return made;
}
