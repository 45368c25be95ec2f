import type { CycleTimes } from './cycles.ts';

const DAY_MS = 86_400_000;
/** Days that a rate is measured over at least: a first busy day is no forecast. */
const LEAST_DAYS = 7;

/**
 * Bytes expected at the end of a cycle: those used, and for the remaining days the daily rate of this cycle. In its first week the days that are
 * missing are taken from the cycle before, if that had any (USE-03):
 *
 *     rate = (used + rateBefore × max(0, 7 − elapsed)) ÷ max(7, elapsed)      forecast = used + rate × remaining
 *
 * Without a cycle before, the rate is used ÷ max(1, elapsed).
 */
export function forecastOf(used: number, usedBefore: number, { from, until, before }: CycleTimes, now: Date): number {
  const [start, end] = [Date.parse(from), Date.parse(until)];
  const elapsed = Math.max(0, (now.getTime() - start) / DAY_MS);
  const remaining = Math.max(0, (end - now.getTime()) / DAY_MS);
  const rateBefore = usedBefore / ((start - Date.parse(before)) / DAY_MS);
  const rate =
    usedBefore === 0
      ? used / Math.max(1, elapsed)
      : (used + rateBefore * Math.max(0, LEAST_DAYS - elapsed)) / Math.max(LEAST_DAYS, elapsed);
  return Math.round(used + rate * remaining);
}
