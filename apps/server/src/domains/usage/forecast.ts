import { startOfDay } from '../../kernel/index.ts';
import type { CycleTimes } from './cycles.ts';

const DAY_MS = 86_400_000;
/** Days that a rate is measured over at least, where the cycle before is known: a first busy day is no forecast. */
const LEAST_DAYS = 7;

/**
 * Bytes expected at the end of a cycle: those used, and for the remaining days the daily rate of this cycle. In its first week the days that are
 * missing are taken from the cycle before, if that had any (USE-03):
 *
 *     rate = (used + rateBefore × max(0, 7 − elapsed)) ÷ max(7, elapsed)      forecast = used + rate × remaining
 *
 * Without a cycle before, the rate is used ÷ elapsed, and there is no forecast for the first 24 hours: hours of one day say nothing about a month.
 * @returns undefined where there is none yet
 */
export function forecastOf(
  used: number,
  usedBefore: number,
  { from, until, before, zone }: CycleTimes,
  now: Date,
): number | undefined {
  const [startBefore, start, end] = [before, from, until].map((day) => startOfDay(zone, day).getTime()) as [
    number,
    number,
    number,
  ];
  const elapsed = Math.max(0, (now.getTime() - start) / DAY_MS);
  if (usedBefore === 0 && elapsed < 1) return undefined;
  const remaining = Math.max(0, (end - now.getTime()) / DAY_MS);
  const rateBefore = usedBefore / ((start - startBefore) / DAY_MS);
  const rate =
    usedBefore === 0 ? used / elapsed : (used + rateBefore * Math.max(0, LEAST_DAYS - elapsed)) / Math.max(LEAST_DAYS, elapsed);
  return Math.round(used + rate * remaining);
}
