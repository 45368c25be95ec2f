import { daysOf } from '../../ui/time/period.ts';
import type { UsageCycle, UsageRow } from './usage.api.ts';

const DAY_MS = 86_400_000;

/** The days that the report of a list is about. */
interface ReportPeriod {
  /** It is the calendar month, and the cycles of the list are others. */
  readonly isOtherMonth: boolean;
  readonly search:
    | { readonly period: 'month' | 'last-month' }
    | { readonly period: 'dates'; readonly from: string; readonly until: string };
}

interface Listed {
  readonly rows: readonly Pick<UsageRow, 'cycleFrom' | 'cycleUntil'>[];
  readonly total: number;
}

/**
 * The days of the report: those of the cycle of the list where all of its rows have the same one, else the calendar month on the page, which may
 * differ from that of today's of the reader.
 * @param month of the page; undefined = not known yet
 */
export function reportPeriod(
  cycle: UsageCycle,
  month: { readonly today: string; readonly isCalendar: boolean } | undefined,
  listed: Listed | undefined,
): ReportPeriod {
  const name = cycle === 'last' ? ('last-month' as const) : ('month' as const);
  if (month === undefined) return { isOtherMonth: false, search: { period: name } };
  const { today, isCalendar } = month;
  const days = isCalendar ? undefined : sameCycle(listed, today);
  return {
    isOtherMonth: !isCalendar && days === undefined,
    search: { period: 'dates', ...(days ?? daysOf(name, Date.parse(today), 'UTC')) },
  };
}

/** The days, up to today, of the one cycle of all rows; undefined = there are several, or may be. */
function sameCycle(listed: Listed | undefined, today: string): { from: string; until: string } | undefined {
  const [first] = listed?.rows ?? [];
  if (listed === undefined || first === undefined || listed.rows.length < listed.total) return undefined;
  const { cycleFrom: from, cycleUntil: next } = first;
  if (listed.rows.some((row) => row.cycleFrom !== from || row.cycleUntil !== next)) return undefined;
  // Several SIMs of a row have the first and the last day of theirs.
  if (Date.parse(next) - Date.parse(from) > 31 * DAY_MS) return undefined;
  const last = new Date(Date.parse(next) - DAY_MS).toISOString().slice(0, 10);
  return { from, until: last < today ? last : today };
}
