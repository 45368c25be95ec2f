import type { Cancel, Scheduler } from '../platform/scheduler.ts';

export type TrialOptions = {
  scheduler: Scheduler;
  /** Time limit for new software to call home, in milliseconds. */
  callHomeMs: number;
  /** Without a network nothing can call home. */
  hasCoverage(): boolean;
  /** It has called home: keep it. */
  passed(): void;
  /** It has not: restore the previous one. */
  failed(): void;
};

/** How often the time limit begins again for lack of coverage. Not without end: new software may be the reason for it. */
const MOST_AGAIN = 10;

/** Requires installed software to call home. Suspended between the choice of a slot and its start. */
export class Trial {
  readonly #options: TrialOptions;
  #cancel: Cancel | undefined;
  #isRunning = false;
  #again = 0;

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isRunning = true;
    this.#again = 0;
    this.#begin();
  }

  /** A network is back: the whole time limit counts from now. */
  onCoverageRestored(): void {
    if (this.#isRunning && this.#mayBeginAgain()) this.#begin();
  }

  #begin(): void {
    const { scheduler, callHomeMs, hasCoverage, failed } = this.#options;
    this.#cancel?.();
    this.#cancel = scheduler.after(callHomeMs, () => {
      if (!hasCoverage() && this.#mayBeginAgain()) return this.#begin();
      this.#isRunning = false;
      failed();
    });
  }

  #mayBeginAgain(): boolean {
    return this.#again++ < MOST_AGAIN;
  }

  calledHome(): void {
    if (!this.#isRunning) return;
    this.stop();
    this.#options.passed();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel?.();
  }
}
