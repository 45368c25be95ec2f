const DAY_MS = 86_400_000;
/** Days of the month on which a cycle can begin: each month has them. */
const CYCLE_DAYS = Array.from({ length: 28 }, (_, index) => index + 1);

/** The first day of the cycle that a day belongs to, as ISO text; both of UTC. @param cycleDay 1 to 28 */
export function cycleOf(day: Date, cycleDay: number): string {
  const month = day.getUTCDate() >= cycleDay ? day.getUTCMonth() : day.getUTCMonth() - 1;
  return isoDay(new Date(Date.UTC(day.getUTCFullYear(), month, cycleDay)));
}

/** The first day of the cycle after the one that begins on this day. */
export function nextCycle(from: string): string {
  const [year, month, day] = from.split('-').map(Number) as [number, number, number];
  return isoDay(new Date(Date.UTC(year, month, day)));
}

/**
 * The first days of all cycles that run on a day, or of those some cycles before them, one for each day on which a cycle can begin. A SIM has cycles of one such
 * day only, so these name one cycle of each SIM.
 */
export function cyclesAt(now: Date, back = 0): string[] {
  return CYCLE_DAYS.map((cycleDay) => {
    let from = cycleOf(now, cycleDay);
    for (let cycle = 0; cycle < back; cycle++) from = cycleOf(new Date(Date.parse(from) - DAY_MS), cycleDay);
    return from;
  });
}

/** A cycle at a time; days are of UTC. */
export interface CycleTimes {
  /** First day of the cycle, of the next one and of the one before, `YYYY-MM-DD`. */
  readonly from: string;
  readonly until: string;
  readonly before: string;
}

/** The cycle that runs at a time. */
export function cycleTimes(cycleDay: number, now: Date): CycleTimes {
  const from = cycleOf(now, cycleDay);
  return { from, until: nextCycle(from), before: cycleOf(new Date(Date.parse(from) - DAY_MS), cycleDay) };
}

/** ISO text of a day of UTC. */
export function isoDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
