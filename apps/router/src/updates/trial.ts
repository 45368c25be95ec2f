import type { Cancel, Scheduler } from '../platform/scheduler.ts';

export type TrialOptions = {
  scheduler: Scheduler;
  /** Time limit for new software to call home, in milliseconds. */
  callHomeMs: number;
  /** It has called home: keep it. */
  passed(): void;
  /** It has not: restore the previous one. */
  failed(): void;
};

/** Requires installed software to call home. Suspended between the choice of a slot and its start. */
export class Trial {
  readonly #options: TrialOptions;
  #cancel: Cancel | undefined;
  #isRunning = false;

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  start(): void {
    const { scheduler, callHomeMs, failed } = this.#options;
    this.#isRunning = true;
    this.#cancel?.();
    this.#cancel = scheduler.after(callHomeMs, () => {
      this.#isRunning = false;
      failed();
    });
  }

  calledHome(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#options.passed();
  }

  stop(): void {
    this.#cancel?.();
  }
}
