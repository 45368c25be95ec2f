import type { Cancel, Scheduler } from '../platform/scheduler.ts';

export type TrialOptions = {
  scheduler: Scheduler;
  /** How long what is new may take to call home, in milliseconds. */
  callHomeMs: number;
  /** The cloud has spoken to what is new: it stays. */
  passed(): void;
  /** It has not: the old comes back. */
  failed(): void;
};

/** What was installed proves itself by calling home. Not so between the choice of a slot and its start. */
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
