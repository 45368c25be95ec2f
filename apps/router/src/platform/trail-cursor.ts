import type { Scheduler } from './scheduler.ts';

/** Where the trail of the next report begins: each fix is in one report. */
export type TrailCursor = {
  /** Epoch milliseconds, true time. */
  readonly from: number;
  /** A report includes what was recorded up to now. */
  advance(): void;
};

/** The trail begins with this start of the router. */
export function createTrailCursor(scheduler: Pick<Scheduler, 'now'>): TrailCursor {
  let from = scheduler.now();
  return {
    get from() {
      return from;
    },
    advance() {
      from = scheduler.now();
    },
  };
}
