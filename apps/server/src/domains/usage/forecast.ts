import { startOfDay } from '../../kernel/index.ts';
import type { CycleTimes } from './cycles.ts';

const DAY_MS = 86_400_000;
/** Days that a rate is measured over at least, where the cycle before is known: a first busy day is no forecast. */
const LEAST_DAYS = 7;

/** What the SIMs of a plan used in its running cycle and in the one before. */
export interface CycleUse {
  /** Bytes. */
  readonly used: number;
  readonly before: number;
  /** The first day of both cycles of which anything was counted, ISO text; null = nothing was, or no forecast needs it. */
  readonly first_day: string | null;
}

/**
 * Bytes expected at the end of a cycle: those used, and for the remaining days the daily rate of this cycle. In its first week the days that are
 * missing are taken from the cycle before, if that had any (USE-03):
 *
 *     rate = (used + rateBefore × max(0, 7 − elapsed)) ÷ max(7, elapsed)      forecast = used + rate × remaining
 *
 * Without a cycle before, the rate is used ÷ elapsed, and there is no forecast for the first 24 hours: hours of one day say nothing about a month.
 * Days of a cycle begin with the first one of which anything was counted: routers that were installed later used nothing before.
 * @returns undefined where there is none yet
 */
export function forecastOf(
  { used, before: usedBefore, first_day: first }: CycleUse,
  { from, until, before, zone }: CycleTimes,
  now: Date,
): number | undefined {
  const startOf = (day: string) => startOfDay(zone, day).getTime();
  const later = (day: string) => startOf(first !== null && first > day ? first : day);
  const elapsed = Math.max(0, (now.getTime() - later(from)) / DAY_MS);
  if (usedBefore === 0 && elapsed < 1) return undefined;
  const remaining = Math.max(0, (startOf(until) - now.getTime()) / DAY_MS);
  if (usedBefore === 0) return Math.round(used + (used / elapsed) * remaining);
  const rateBefore = usedBefore / ((startOf(from) - later(before)) / DAY_MS);
  const rate = (used + rateBefore * Math.max(0, LEAST_DAYS - elapsed)) / Math.max(LEAST_DAYS, elapsed);
  return Math.round(used + rate * remaining);
}
