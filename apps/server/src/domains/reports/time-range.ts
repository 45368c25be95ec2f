import { parseInstant, type reports } from '@highline/contract';
import { addDays, dayIn, daysOf, DomainError, invalidField, startOfDay } from '../../kernel/index.ts';
import { historyBegins } from '../router-state/index.ts';

/** A time range, its end excluded. */
export interface TimeRange {
  readonly from: Date;
  readonly until: Date;
}

/** The limits of every time range. */
export interface Horizon {
  readonly now: Date;
  /** Days that time series of the organization are kept (`readKeptDays`). */
  readonly keptDays: number;
}

const DAY_MS = 86_400_000;

/**
 * The time range of a call, by its ends or by a preset; without either it is today. It is limited to the retention: nothing
 * before it can be found.
 * @param zone IANA time zone for the beginning of days
 * @throws DomainError `request.invalid` for an invalid time or zone, `report.time_range` for an end that is not after the
 * beginning and for a range entirely before the retention
 */
export function timeRangeOf(
  input: {
    readonly from?: string | undefined;
    readonly to?: string | undefined;
    readonly preset?: reports.DayPreset | undefined;
  },
  zone: string,
  horizon: Horizon,
): TimeRange {
  const { from, to } = input;
  const preset = presetRange(input.preset ?? 'today', zone, horizon.now);
  return kept(
    {
      from: isGiven(from) ? instantOf(from, 'on') : isGiven(to) ? new Date(0) : preset.from,
      until: isGiven(to) ? instantOf(to, 'to') : isGiven(from) ? horizon.now : preset.until,
    },
    horizon,
  );
}

/**
 * Today, yesterday, this week (from Sunday) or this month, in the calendar of a zone. It ends with today: days to come have no records,
 * and would make for wider windows.
 * @throws DomainError `request.invalid`
 */
function presetRange(preset: reports.DayPreset, zone: string, now: Date): TimeRange {
  const { from, to } = daysOf(preset, zone, now);
  const today = dayIn(zone, now);
  return { from: startOfDay(zone, from), until: startOfDay(zone, addDays(to < today ? to : today, 1)) };
}

/** Days of a time range, partial ones counted whole; at least one. A day with a clock change has 23 or 25 hours. */
export function daysWithin({ from, until }: TimeRange): number {
  return Math.max(1, Math.ceil((until.getTime() - from.getTime()) / DAY_MS - 1 / 24));
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function instantOf(text: string, field: string): Date {
  const at = new Date(parseInstant(text));
  if (!Number.isNaN(at.getTime())) return at;
  throw invalidField(field, 'is not a valid time');
}

function kept({ from, until }: TimeRange, { now, keptDays }: Horizon): TimeRange {
  const begin = new Date(Math.max(from.getTime(), historyBegins(now, keptDays).getTime()));
  if (until.getTime() <= from.getTime()) throw new DomainError('report.time_range', { field: 'to' });
  if (until.getTime() <= begin.getTime()) throw new DomainError('report.time_range', { field: 'on' });
  return { from: begin, until };
}
