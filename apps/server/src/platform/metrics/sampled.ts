import type { Clock } from '../ports/clock.ts';
import type { Job } from '../jobs/runner.ts';

/** A figure that only the database knows, counted by a job: a scrape reads the last count without waiting. */
export interface Sampled<T> {
  readonly job: Job;
  /** NaN when the last count is too old. */
  read(): T | number;
}

const EVERY_MS = 15_000;
const KEPT_MS = 60_000;

/** @param count queries the database */
export function createSampled<T>(name: string, clock: Clock, count: () => Promise<T>): Sampled<T> {
  let last: { readonly value: T | number; readonly at: number } = { value: Number.NaN, at: 0 };
  return {
    job: {
      name,
      everyMs: EVERY_MS,
      async run() {
        const value = await count();
        last = { value, at: clock.now().getTime() };
      },
    },
    read: () => (clock.now().getTime() - last.at > KEPT_MS ? Number.NaN : last.value),
  };
}
