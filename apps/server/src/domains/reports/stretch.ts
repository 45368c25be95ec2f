import type { reports } from '@highline/contract';
import { addDays, dayIn, daysOf, startOfDay } from '../../calendar.ts';
import { DomainError } from '../../failure.ts';

/** A stretch of time, its end excluded. */
export interface Stretch {
  readonly from: Date;
  readonly until: Date;
}

/** What bounds every stretch. */
export interface Horizon {
  readonly now: Date;
  /** Days that time series are kept (setting TELEMETRY_DAYS). */
  readonly keptDays: number;
}

const DAY_MS = 86_400_000;
/** Below it a number is epoch seconds, from it on epoch milliseconds: 1973 in the one, the year 5138 in the other. */
const FIRST_MILLISECONDS = 100_000_000_000;

/**
 * The stretch a call names by its ends, or by a preset; without either it is today. Ends at what is kept: nothing before it can be found.
 * @param zone IANA time zone that days begin in
 * @throws DomainError `request.invalid` for what is no instant or no zone, `report.time_range` for an end that does not come after
 * the beginning and for a stretch of which nothing is kept
 */
export function stretchOf(
  asked: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly preset?: reports.DayPreset | undefined;
  },
  zone: string,
  horizon: Horizon,
): Stretch {
  const { from, to } = asked;
  const preset = presetStretch(asked.preset ?? 'today', zone, horizon.now);
  return kept(
    {
      from: isGiven(from) ? instantOf(from, 'on') : isGiven(to) ? new Date(0) : preset.from,
      until: isGiven(to) ? instantOf(to, 'to') : isGiven(from) ? horizon.now : preset.until,
    },
    horizon,
  );
}

/** Today, yesterday, this week (Sunday to Saturday) or this month, in the calendar of a zone. @throws DomainError `request.invalid` */
export function presetStretch(preset: reports.DayPreset, zone: string, now: Date): Stretch {
  const days = preset === 'yesterday' ? yesterdayOf(zone, now) : daysOf(preset, zone, now);
  return { from: startOfDay(zone, days.from), until: startOfDay(zone, addDays(days.to, 1)) };
}

function yesterdayOf(zone: string, now: Date): { from: string; to: string } {
  const day = addDays(dayIn(zone, now), -1);
  return { from: day, to: day };
}

/** Days of a stretch, begun ones counted whole; at least one. A day of a clock change is a day of 23 or 25 hours. */
export function daysWithin({ from, until }: Stretch): number {
  return Math.max(1, Math.ceil((until.getTime() - from.getTime()) / DAY_MS - 1 / 24));
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function instantOf(text: string, field: string): Date {
  const number = /^\d{1,16}(?:\.\d+)?$/u.test(text.trim()) ? Number(text) : undefined;
  const at = new Date(number === undefined ? isoOf(text) : number < FIRST_MILLISECONDS ? number * 1_000 : number);
  if (!Number.isNaN(at.getTime())) return at;
  throw new DomainError('request.invalid', { message: `${field}: is no instant`, field });
}

/** ISO 8601 alone: what else `Date.parse` takes depends on the machine's zone. */
function isoOf(text: string): number {
  const iso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/u;
  return iso.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
}

function kept({ from, until }: Stretch, { now, keptDays }: Horizon): Stretch {
  // Partitions are days of UTC; the day before the oldest whole one may still be there.
  const oldest = now.getTime() - (keptDays + 1) * DAY_MS;
  const begin = new Date(Math.max(from.getTime(), oldest));
  if (until.getTime() <= from.getTime()) throw new DomainError('report.time_range', { field: 'to' });
  if (until.getTime() <= begin.getTime()) throw new DomainError('report.time_range', { field: 'on' });
  return { from: begin, until };
}
