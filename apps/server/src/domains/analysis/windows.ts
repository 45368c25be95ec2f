import { MOST_CHART_POINTS, type analysis } from '@highline/contract';
import { addDays, dayIn, invalidField, startOfDay } from '../../kernel/index.ts';
import type { TimeRange } from '../reports/index.ts';

const MINUTE_MS = 60_000;
const minutes = { '3h': 180, '1h': 60, '30m': 30, '10m': 10, '5m': 5 } as const;

/**
 * The starts of the windows of a time range, in the calendar and clock of a zone, oldest first; the first one may begin before
 * the range. A week begins on Sunday. On the day of a clock change the windows of hours are counted from midnight: the last one
 * of 23 hours is shorter, and 25 hours have more of them.
 * @throws DomainError `request.invalid` for an unknown zone and for more windows than a chart has points
 */
export function windowStarts(range: TimeRange, window: analysis.Window, zone: string): Date[] {
  const starts: Date[] = [];
  for (const start of startsFrom(range, window, zone)) {
    if (start >= range.until) break;
    starts.push(start);
    if (starts.length > MOST_CHART_POINTS) throw invalidField('window', 'is too short for this many days');
  }
  return starts;
}

/** Window starts without end, from the window that contains the start of the range. */
function* startsFrom({ from }: TimeRange, window: analysis.Window, zone: string): Generator<Date> {
  const first = dayIn(zone, from);
  if (window === '1mo' || window === '1w' || window === '1d') {
    for (let day = firstDay(window, first); ; day = nextDay(window, day)) yield startOfDay(zone, day);
  }
  const width = minutes[window] * MINUTE_MS;
  for (let day = first; ; day = addDays(day, 1)) {
    const end = startOfDay(zone, addDays(day, 1)).getTime();
    for (let start = startOfDay(zone, day).getTime(); start < end; start += width)
      if (start + width > from.getTime()) yield new Date(start);
  }
}

function firstDay(window: '1mo' | '1w' | '1d', day: string): string {
  if (window === '1mo') return `${day.slice(0, 7)}-01`;
  return window === '1w' ? addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay()) : day;
}

function nextDay(window: '1mo' | '1w' | '1d', day: string): string {
  if (window === '1mo') return `${addDays(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`;
  return addDays(day, window === '1w' ? 7 : 1);
}
