import { addDays } from '../../kernel/index.ts';

/** A cycle at a time; days are ISO text, `YYYY-MM-DD`. */
export interface CycleTimes {
  /** First day of the cycle, of the next one and of the one before. */
  readonly from: string;
  readonly until: string;
  readonly before: string;
  /** Where these days are. */
  readonly zone: string;
}

/** The first day of the cycle that a day belongs to: the last day of a month that does not have the day. @param cycleDay 1 to 31 */
export function cycleOf(day: string, cycleDay: number): string {
  const inMonth = firstIn(day.slice(0, 7), cycleDay);
  return day >= inMonth ? inMonth : firstIn(addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7), cycleDay);
}

/** The first day of the cycle after the one that begins on this day. */
function nextCycle(from: string, cycleDay: number): string {
  return firstIn(addDays(`${from.slice(0, 7)}-01`, 31).slice(0, 7), cycleDay);
}

/** The cycle that runs on a day. */
export function cycleTimes(cycleDay: number, today: string, zone = 'UTC'): CycleTimes {
  const from = cycleOf(today, cycleDay);
  return { from, until: nextCycle(from, cycleDay), before: cycleOf(addDays(from, -1), cycleDay), zone };
}

/** @param month `YYYY-MM` */
function firstIn(month: string, cycleDay: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return `${month}-${String(Math.min(cycleDay, last)).padStart(2, '0')}`;
}
