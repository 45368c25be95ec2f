import { writeDay } from '@highline/contract';
import { currentLanguage, type Language } from '../language.ts';
import { wallTime } from './zones.ts';

export { formatNumber } from '@highline/contract';

/** A time in an API answer: epoch seconds, or a date text. */
export type DateInput = number | string | Date;

/** Shown for a value that was never reported. */
export const NOT_REPORTED = '--';

/** The instant of an API value; undefined if it is invalid. */
export function instantOf(moment: DateInput | null | undefined): Date | undefined {
  if (moment === null || moment === undefined || moment === '') return undefined;
  const date = typeof moment === 'number' ? new Date(moment * 1000) : new Date(moment);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** How a day is typed and read: MM/DD/YYYY (NAV-07), or as the language has it (SAY-11). */
export const dayPatterns: Readonly<Record<Language, string>> = { 'en-US': 'MM/DD/YYYY', 'zh-TW': 'YYYY/MM/DD' };

/** A day in a zone as the calls have it, MM/DD/YYYY in every language; `--` for no moment. */
export function dayIn(moment: DateInput | null | undefined, zone: string): string {
  const instant = instantOf(moment);
  if (instant === undefined) return NOT_REPORTED;
  const { month, day, year } = wallTime(instant, zone);
  return `${month}/${day}/${year}`;
}

/**
 * A day that a filter chose, no later than today of the zone: its address may come from a zone where the next day has begun.
 * @param day MM/DD/YYYY; any other text stays as it is
 */
export function untilToday(day: string | undefined, zone: string): string | undefined {
  const today = dayIn(new Date(), zone);
  return isoFromDay(day ?? '') > isoFromDay(today) ? today : day;
}

/** A day for a person to read, in the order of the language (SAY-11). @param day ISO or MM/DD/YYYY; any other text stays as it is */
export function formatDay(day: string, language: Language = currentLanguage()): string {
  const [, month, date, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/u.exec(/^\d{4}-/u.test(day) ? dayFromIso(day) : day) ?? [];
  return year === undefined || month === undefined || date === undefined ? day : writeDay(year, month, date, language);
}

/** A day in a zone for a person to read: MM/DD/YYYY (NAV-07), or in the order of the language (SAY-11). */
export function formatDate(moment: DateInput | null | undefined, zone: string): string {
  return formatDay(dayIn(moment, zone));
}

/** The same with HH:mm:ss (NAV-07). */
export function formatDateTime(moment: DateInput | null | undefined, zone: string): string {
  const instant = instantOf(moment);
  if (instant === undefined) return NOT_REPORTED;
  const { hour, minute, second } = wallTime(instant, zone);
  return `${formatDate(instant, zone)} ${hour}:${minute}:${second}`;
}

const two = (value: number) => String(value).padStart(2, '0');

/** A running time in seconds as `12d 04:22:10` (DEV-01). */
export function formatUptime(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return NOT_REPORTED;
  const whole = Math.floor(seconds);
  const days = Math.floor(whole / 86_400);
  return `${days}d ${two(Math.floor(whole / 3600) % 24)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** The age in the largest unit that is at least one; `now` below one second or in the future. */
export interface Age {
  readonly unit: 'now' | 'seconds' | 'minutes' | 'hours' | 'days';
  readonly count: number;
}

/** The age of an instant as text. */
export function ageOf(instant: Date, now: Date): Age {
  const seconds = Math.floor((now.getTime() - instant.getTime()) / 1000);
  if (seconds < 1) return { unit: 'now', count: 0 };
  if (seconds < 60) return { unit: 'seconds', count: seconds };
  if (seconds < 3600) return { unit: 'minutes', count: Math.floor(seconds / 60) };
  if (seconds < 86_400) return { unit: 'hours', count: Math.floor(seconds / 3600) };
  return { unit: 'days', count: Math.floor(seconds / 86_400) };
}

/** A day typed as MM/DD/YYYY that exists; undefined otherwise. A date without time is never shifted. */
export function parseDay(text: string): { year: number; month: number; day: number } | undefined {
  const match = /^(\d{2})\/(\d{2})\/(\d{4})$/u.exec(text.trim());
  if (match === null) return undefined;
  const [month, day, year] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : undefined;
}

/** The day that a person typed, as MM/DD/YYYY: that, or year first, with or without leading zeros. '' if it does not exist. */
export function readTypedDay(text: string): string {
  const [, month, day, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/u.exec(text.trim()) ?? [];
  const [, yearFirst, monthNext, dayLast] = /^(\d{4})[/.年-](\d{1,2})[/.月-](\d{1,2})日?$/u.exec(text.trim()) ?? [];
  const [m, d, y] = [month ?? monthNext ?? '', day ?? dayLast ?? '', year ?? yearFirst ?? ''];
  const typed = `${m.padStart(2, '0')}/${d.padStart(2, '0')}/${y}`;
  return parseDay(typed) === undefined ? '' : typed;
}

/** An ISO day (`2026-11-21`) as MM/DD/YYYY, by its letters: no zone is involved. */
export function dayFromIso(iso: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/u.exec(iso);
  return match === null ? '' : `${match[2]}/${match[3]}/${match[1]}`;
}

/** The day before an ISO day, to read: the last one of a period whose end is the first day after it. */
export function formatDayBefore(iso: string): string {
  const day = Date.parse(`${iso.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(day) ? '' : formatDay(new Date(day - 86_400_000).toISOString());
}

/** MM/DD/YYYY as an ISO day; empty when it is no day. */
export function isoFromDay(text: string): string {
  const day = parseDay(text);
  return day === undefined ? '' : `${day.year}-${two(day.month)}-${two(day.day)}`;
}
