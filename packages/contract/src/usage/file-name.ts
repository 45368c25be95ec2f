import type { UsageCycle, UsageKind } from './calls.ts';

/**
 * The name of a file with the list: `usage_vehicles_2026-10` of a calendar month; where cycles begin on other days `usage_vehicles_cycle_2026-11-20`,
 * or `…_last_cycle_…`, with the day on which they were compared.
 * @param today ISO
 */
export function nameUsageFile(
  by: UsageKind,
  cycle: UsageCycle,
  { today, isCalendar }: { readonly today: string; readonly isCalendar: boolean },
): string {
  if (!isCalendar) return `usage_${by}_${cycle === 'last' ? 'last_' : ''}cycle_${today}`;
  const month = new Date(`${today.slice(0, 7)}-01`);
  if (cycle === 'last') month.setUTCMonth(month.getUTCMonth() - 1);
  return `usage_${by}_${month.toISOString().slice(0, 7)}`;
}
