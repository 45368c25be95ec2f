import { coverage as calls } from '@highline/contract';
import { invalidField } from '../../kernel/index.ts';
import { addDays, readDay, utcDay } from '../../kernel/calendar.ts';

/** First and last day, ISO days of UTC. */
export interface Period {
  readonly from: string;
  readonly until: string;
}

const DAY_MS = 86_400_000;

/**
 * The period of a call.
 * @throws DomainError `request.invalid` for a day that does not exist, a period that ends before it begins, and one that is too long
 */
export function periodOf(query: Pick<calls.CoverageQuery, 'from' | 'until'>, now: Date): Period {
  const until = readDay(query.until, 'until') ?? lastOf(readDay(query.from, 'from'), now);
  const from = readDay(query.from, 'from') ?? addDays(until, 1 - calls.USUAL_COVERAGE_DAYS);
  if (from > until) throw invalidField('until', 'must not be before the first day');
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS + 1;
  if (days > calls.MAX_COVERAGE_DAYS)
    throw invalidField('from', `must be at most ${calls.MAX_COVERAGE_DAYS} days before the last day`);
  return { from, until };
}

/** Today, or the end of a usual period that began before. */
function lastOf(from: string | undefined, now: Date): string {
  const today = utcDay(now);
  if (from === undefined) return today;
  const last = addDays(from, calls.USUAL_COVERAGE_DAYS - 1);
  return from <= today && last > today ? today : last;
}
