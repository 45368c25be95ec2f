import type { Scheduler } from './scheduler.ts';

/** Attempts over an unreliable network: lost coverage aborts one, and the next one waits until coverage is back. */
export class Attempts {
  readonly #scheduler: Scheduler;
  #abort = new AbortController();
  #resume: (() => void) | undefined;
  #hasCoverage = true;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  get hasCoverage(): boolean {
    return this.#hasCoverage;
  }

  /** @returns the signal that aborts this attempt @throws Error without coverage */
  begin(): AbortSignal {
    if (!this.#hasCoverage) throw new Error('no coverage');
    this.#abort = new AbortController();
    return this.#abort.signal;
  }

  /** Wait at least until coverage is back; stopping ends it. */
  async pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#scheduler.after(ms, () => {
        if (this.#hasCoverage) resolve();
      });
      this.#resume = () => {
        cancel();
        resolve();
      };
    });
    this.#resume = undefined;
  }

  /** The reason of the last failure may be gone: end a pause. */
  retryNow(): void {
    if (this.#hasCoverage) this.#resume?.();
  }

  onCoverageLost(): void {
    this.#hasCoverage = false;
    this.#abort.abort();
  }

  onCoverageRestored(): void {
    if (this.#hasCoverage) return;
    this.#hasCoverage = true;
    this.#resume?.();
  }

  /** The router is off. */
  stop(): void {
    this.#abort.abort();
    this.#resume?.();
  }
}
