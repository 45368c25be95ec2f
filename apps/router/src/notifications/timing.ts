import type { Cancel, Scheduler } from '../platform/scheduler.ts';

export type Period = {
  intervalMs: number;
  /** Epoch milliseconds that the beats are aligned to (TR-181 TimeReference); undefined: any. */
  reference: number | undefined;
};

/** Parse an interval in seconds and a TR-106 time; the first year means 'any'. */
export function readPeriod(seconds: string, reference: string): Period {
  const moment = Date.parse(reference);
  return { intervalMs: Number(seconds) * 1000, reference: moment > 0 ? moment : undefined };
}

/**
 * Milliseconds until the first beat. Random without a reference, so that a fleet that starts together does not report together.
 */
export function firstDelay({ intervalMs, reference }: Period, clockNow: number, random: number): number {
  if (reference === undefined) return Math.ceil(random * intervalMs);
  const since = (clockNow - reference) % intervalMs;
  return since <= 0 ? -since : intervalMs - since;
}

/** Call `task` at every beat until cancelled; the beats do not drift. */
export function everyInterval(scheduler: Scheduler, first: number, intervalMs: number, task: () => void): Cancel {
  let due = scheduler.elapsed() + first;
  let cancel: Cancel;
  const tick = () => {
    // After a long suspension of the process missed beats are skipped.
    due = Math.max(due + intervalMs, scheduler.elapsed());
    cancel = scheduler.after(due - scheduler.elapsed(), tick);
    task();
  };
  cancel = scheduler.after(first, tick);
  return () => cancel();
}
