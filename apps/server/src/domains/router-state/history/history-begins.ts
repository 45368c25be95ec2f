const DAY_MS = 86_400_000;

/** The time from which on history is kept: days of UTC are deleted as a whole. */
export function historyBegins(now: Date, days: number): Date {
  return new Date(Math.floor((now.getTime() - days * DAY_MS) / DAY_MS) * DAY_MS);
}
