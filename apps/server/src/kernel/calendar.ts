import { DomainError } from './failure.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Zones that are kept; there are about 600. */
const MOST_FORMATS = 1_000;

/** ISO day (`YYYY-MM-DD`), this many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Whether a text is an ISO day that PostgreSQL takes: one that exists, of the years 1 to 9999. */
export function isDayText(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(text) && !text.startsWith('0000') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const INSTANT = /^([\d-]{10}) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?\+00$/u;

/** Whether a text is an instant as PostgreSQL writes one in UTC, as in cursors. Dates that do not exist, which JavaScript reads all the same, are none. */
export function isInstantText(text: string): boolean {
  const [, day] = INSTANT.exec(text) ?? [];
  return day !== undefined && isDayText(day);
}

/** A time as the API writes it: whole seconds since 1970. */
export function epochSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

/** ISO day in UTC of an instant. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * Parse a day as users and spreadsheets write it into ISO: `MM/DD/YYYY`, also without leading zeros, or `YYYY-MM-DD`. Undefined
 * when it is not a calendar day. Nothing is shifted: a day has no time zone (DECISIONS, Time).
 */
export function parseDay(text: string): string | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/((?:19|20|21)\d{2})$/u.exec(text.trim());
  const iso = /^((?:19|20|21)\d{2})-(\d{2})-(\d{2})$/u.exec(text.trim());
  const [year, month, day] = american ? [american[3], american[1], american[2]] : iso ? [iso[1], iso[2], iso[3]] : [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists ? date.toISOString().slice(0, 10) : undefined;
}

/** ISO day as `MM/DD/YYYY`; empty for a day never set. */
export function americanDay(day: string | null): string {
  return day === null ? '' : `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;
}

/**
 * Current ISO day in a time zone.
 * @throws DomainError `request.invalid` for an unknown zone
 */
export function dayIn(zone: string, now: Date): string {
  const { year, month, day } = clockIn(zone)(now);
  return `${year}-${month}-${day}`;
}

/** The instant at which a day begins in a time zone: the first that exists where a clock change skips midnight. @throws DomainError as `dayIn` */
export function startOfDay(zone: string, day: string): Date {
  return instantOf(zone, day);
}

/**
 * The instant at which the clock of a zone shows a time: the first of two, and where a clock change skips it, as much after the change as it would be
 * after the time that was skipped to.
 * @throws DomainError as `dayIn`
 */
export function instantOf(zone: string, day: string, minuteOfDay = 0): Date {
  const wall = Date.parse(`${day}T00:00:00Z`) + minuteOfDay * MINUTE_MS;
  const [before, after] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  const found = [wall - before, wall - after].filter((instant) => instant + offsetAt(zone, instant) === wall);
  return new Date(found.length === 0 ? wall - before : Math.min(...found));
}

interface DayBounds {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Epoch milliseconds at which it begins, and at which the next one does. */
  readonly start: number;
  readonly end: number;
}

/** The last bounds found for each zone: most requests are for today. */
const lastBounds = new Map<string, DayBounds>();

/** The day of a zone that an instant belongs to. @throws DomainError as `dayIn` */
export function dayBounds(zone: string, instant: number): DayBounds {
  if (zone === 'UTC') {
    const day = Math.floor(instant / DAY_MS);
    return { day, start: day * DAY_MS, end: (day + 1) * DAY_MS };
  }
  const last = lastBounds.get(zone);
  if (last !== undefined && instant >= last.start && instant < last.end) return last;
  const day = dayIn(zone, new Date(instant));
  const [start, end] = [startOfDay(zone, day).getTime(), startOfDay(zone, addDays(day, 1)).getTime()];
  const bounds = { day: Date.parse(day) / DAY_MS, start, end };
  lastBounds.set(zone, bounds);
  return bounds;
}

/** A day that a call names; undefined = none. @throws DomainError `request.invalid` for one that does not exist, naming the field */
export function readDay(text: string | undefined, field: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  const day = parseDay(text);
  if (day === undefined) throw new DomainError('request.invalid', { message: `${field}: does not exist`, field });
  return day;
}

/**
 * What `Intl` takes and PostgreSQL does not, or reads as another zone: offsets, whose sign PostgreSQL reads the other way, and old names of Java: of those
 * with three letters these are of the time zone database.
 */
const ONLY_INTL = /^(?:[+-]|SystemV\/|(?!CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)[a-z]{3}$)/iu;

/** @throws DomainError `request.invalid` for a name that is not in the time zone database, naming the field */
export function checkZone(zone: string, field: string): void {
  const invalid = new DomainError('request.invalid', { message: `${field}: is not a time zone`, field });
  if (ONLY_INTL.test(zone)) throw invalid;
  try {
    zoneFormat(zone);
  } catch {
    throw invalid;
  }
}

/** First and last day of today, this week (Sunday to Saturday) or this month, as ISO days of the zone's calendar. */
export function daysOf(
  span: 'today' | 'yesterday' | 'week' | 'month',
  zone: string,
  now: Date,
): { readonly from: string; readonly to: string } {
  const today = dayIn(zone, now);
  if (span === 'today') return { from: today, to: today };
  const before = addDays(today, -1);
  if (span === 'yesterday') return { from: before, to: before };
  if (span === 'week') {
    const sunday = addDays(today, -new Date(`${today}T00:00:00Z`).getUTCDay());
    return { from: sunday, to: addDays(sunday, 6) };
  }
  const first = `${today.slice(0, 7)}-01`;
  const nextMonth = `${addDays(first, 31).slice(0, 7)}-01`;
  return { from: first, to: addDays(nextMonth, -1) };
}

/** What the clock of a zone is ahead of UTC at an instant, milliseconds. @throws DomainError `request.invalid` for an unknown zone */
export function offsetAt(zone: string, instant: number): number {
  const { year, month, day, hour, minute, second } = clockIn(zone)(new Date(instant));
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(instant / 1_000) * 1_000;
}

/** Day and time of instants in a zone. @throws DomainError `request.invalid` for an unknown zone */
export function clockIn(zone: string) {
  const format = zoneFormat(zone);
  return (at: Date) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = parts;
    return { year: year.padStart(4, '0'), month, day, hour, minute, second };
  };
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  const kept = formats.get(timeZone);
  if (kept !== undefined) return kept;
  const two = '2-digit';
  try {
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
      second: two,
    });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(timeZone, made);
    return made;
  } catch {
    throw new DomainError('request.invalid', { message: 'zone: is not a time zone', field: 'zone' });
  }
}
