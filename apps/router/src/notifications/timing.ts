import type { Cancel, Scheduler } from '../platform/scheduler.ts';

export type Rhythm = {
  intervalMs: number;
  /** Epoch milliseconds of a moment that the beats are counted from (TR-181 TimeReference); undefined: any. */
  reference: number | undefined;
};

/** Reads an interval in seconds and a TR-106 time, of which the first year means 'any'. */
export function readRhythm(seconds: string, reference: string): Rhythm {
  const moment = Date.parse(reference);
  return { intervalMs: Number(seconds) * 1000, reference: moment > 0 ? moment : undefined };
}

/** Milliseconds until the first beat. Without a reference it is drawn, so that a fleet that starts together does not report together. */
export function firstBeat({ intervalMs, reference }: Rhythm, clockNow: number, random: number): number {
  if (reference === undefined) return Math.ceil(random * intervalMs);
  const since = (clockNow - reference) % intervalMs;
  return since <= 0 ? -since : intervalMs - since;
}

/** Calls `task` at every beat until taken back; the beats do not drift. */
export function everyBeat(scheduler: Scheduler, first: number, intervalMs: number, task: () => void): Cancel {
  let due = scheduler.now() + first;
  let cancel: Cancel;
  const beat = () => {
    // After a long standstill of the process missed beats are not made up for.
    due = Math.max(due + intervalMs, scheduler.now());
    cancel = scheduler.after(due - scheduler.now(), beat);
    task();
  };
  cancel = scheduler.after(first, beat);
  return () => cancel();
}
