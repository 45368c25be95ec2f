import { parseInstant, type reports } from '@highline/contract';
import { dayIn, parseDay, readTypedDay } from '../../ui/time/format.ts';
import { nextEpoch } from '../../ui/time/slots.ts';
import { wallTime } from '../../ui/time/zones.ts';

/** The requested days: a preset, or the days from `from` to `until`, MM/DD/YYYY, both inclusive. */
export interface Days {
  readonly day?: reports.DayPreset | 'custom' | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** A time range in epoch milliseconds; its end is exclusive. */
export interface TimeRange {
  readonly on: number;
  readonly to: number;
}

const two = (value: number) => String(value).padStart(2, '0');
const dayText = (date: Date) => `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${date.getUTCFullYear()}`;

/** The day some days after another; days are counted on the calendar, so that no zone is involved. */
function dayAfter(day: string, days: number): string {
  const { year, month, day: date } = parseDay(day) ?? { year: 1970, month: 1, day: 1 };
  return dayText(new Date(Date.UTC(year, month - 1, date + days)));
}

function weekdayOf(day: string): number {
  const { year, month, day: date } = parseDay(day) ?? { year: 1970, month: 1, day: 1 };
  return new Date(Date.UTC(year, month - 1, date)).getUTCDay();
}

/** The first and last day of a preset in a time zone; a week starts on Sunday, and the last day is today. */
export function daysOfPreset(preset: reports.DayPreset, zone: string, now: Date): { from: string; until: string } {
  const { year, month, day } = wallTime(now, zone);
  const today = `${month}/${day}/${year}`;
  switch (preset) {
    case 'today':
      return { from: today, until: today };
    case 'yesterday':
      return { from: dayAfter(today, -1), until: dayAfter(today, -1) };
    case 'week':
      return { from: dayAfter(today, -weekdayOf(today)), until: today };
    case 'month':
      return { from: `${month}/01/${year}`, until: today };
  }
}

/** The days themselves, whichever way they were given; undefined where they are incomplete or end before they begin. */
export function wholeDays({ day = 'today', from = '', until = '' }: Days, zone: string, now: Date) {
  if (day !== 'custom') return daysOfPreset(day, zone, now);
  const [first, last] = [parseDay(from), parseDay(until)];
  if (first === undefined || last === undefined) return undefined;
  const order = (date: { year: number; month: number; day: number }) => date.year * 10_000 + date.month * 100 + date.day;
  return order(first) <= order(last) ? { from, until } : undefined;
}

/** True for one calendar day: what a run chart shows. */
export function isSingleDay(days: Days): boolean {
  if (days.day === 'custom') return days.from !== undefined && days.from === days.until;
  return days.day === undefined || days.day === 'today' || days.day === 'yesterday';
}

/** The start and end of the days in a zone. If daylight saving time skips midnight, the day begins at the next instant. */
export function timeRangeOf(days: Days, zone: string, now: Date): TimeRange | undefined {
  const whole = wholeDays(days, zone, now);
  if (whole === undefined) return undefined;
  const on = nextEpoch({ day: whole.from, slot: '00:00' }, zone);
  const to = nextEpoch({ day: dayAfter(whole.until, 1), slot: '00:00' }, zone);
  return on === undefined || to === undefined ? undefined : { on: on * 1000, to: to * 1000 };
}

/** `YYYY/MM/DD HH:mm:ss` on the wall clock of a zone (RPT-02). */
export function formatReportTime(instant: number, zone: string): string {
  const { year, month, day, hour, minute, second } = wallTime(new Date(instant), zone);
  return `${year}/${month}/${day} ${hour}:${minute}:${second}`;
}

/** `YYYY/MM/DD` of a day written MM/DD/YYYY. */
export function reportDay(day: string): string {
  return day.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/u, '$3/$1/$2');
}

/** MM/DD/YYYY of an instant in a zone; empty if it is invalid. */
function dayOfInstant(instant: number, zone: string): string {
  return Number.isNaN(instant) ? '' : dayIn(new Date(instant), zone);
}

/** The days of a range of instants, as calls take them, in a zone; undefined unless both ends are valid. */
export function daysOfInstants(start: string, end: string, zone: string): Days | undefined {
  const from = dayOfInstant(parseInstant(start), zone);
  // The end does not belong to it.
  const until = dayOfInstant(parseInstant(end) - 1, zone);
  return from === '' || until === '' ? undefined : { day: 'custom', from, until };
}

/**
 * MM/DD/YYYY of a day, as reports are saved: of `YYYY/MM/DD` whatever follows, of other dates also with a time that has no zone. It is never
 * shifted; empty if it is invalid.
 */
export function dayOfReport(text: string): string {
  const [date = text.trim().replace(/[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/u, '')] =
    /^\d{4}\/\d{1,2}\/\d{1,2}(?!\d)/u.exec(text.trim()) ?? [];
  return readTypedDay(date);
}

/** The days of a saved report; one that a program saved may have instants, or no days at all: today. */
export function daysOfReport(start: string, end: string, zone: string): Days {
  if (start === '' && end === '') return {};
  const from = dayOfReport(start) || dayOfInstant(parseInstant(start), zone);
  // The end does not belong to it.
  const until = dayOfReport(end) || dayOfInstant(parseInstant(end) - 1, zone);
  return { day: 'custom', from, until };
}

/** From the start of the first day to the end of the last, as shown in a report. */
export function reportDates({ from, until }: { from: string; until: string }): { startDate: string; endDate: string } {
  return { startDate: `${reportDay(from)} 00:00:00`, endDate: `${reportDay(until)} 23:59:59` };
}

/** The default name of a report: its days from start to end (RPT-01). */
export function defaultName(days: Days, zone: string, now: Date): string {
  const whole = wholeDays(days, zone, now);
  if (whole === undefined) return '';
  const { startDate, endDate } = reportDates(whole);
  return `${startDate} - ${endDate}`;
}
