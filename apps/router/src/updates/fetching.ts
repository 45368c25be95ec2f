import type { Flash, FlashArea } from '../platform/flash.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Job } from '../state/state.ts';
import { fetchMissing, UpdateFault } from './download.ts';

export type FetchingOptions = {
  flash: Flash;
  scheduler: Scheduler;
  /** Wait before a download is tried again, in milliseconds; doubled at each try up to 16 times. */
  retryMs: number;
  /** Is the job still to be done? */
  isCurrent(job: Job): boolean;
  /** So many tries in a row brought nothing: kept, so that a restart does not begin to count anew. @throws Error when it could not be stored */
  idled(job: Job, idleTries: number): void;
  /** All of it is there. @throws Error when that could not be stored: it is tried again */
  fetched(job: Job): void;
  /** Another percentage is shown. */
  changed(): void;
};

/** Tries in a row without a byte, after which a download is given up. */
const MAX_IDLE_TRIES = 10;
const MAX_GROWTH = 4;

/** Fetches files over an air that comes and goes: what is there already is not fetched again. */
export class Fetching {
  readonly #options: FetchingOptions;
  #abort = new AbortController();
  #hasNoCoverage = false;
  #wake: (() => void) | undefined;
  #received = 0;

  constructor(options: FetchingOptions) {
    this.#options = options;
  }

  /** Percent of a file of `size` bytes, in steps of ten. */
  percentOf(size: number): number {
    return size === 0 ? 0 : Math.floor((this.#received / size) * 10) * 10;
  }

  /** Coverage is gone: what comes over the air stands still until it is back. */
  onCoverageLost(): void {
    this.#hasNoCoverage = true;
    this.#abort.abort();
  }

  onCoverageRestored(): void {
    this.#hasNoCoverage = false;
    this.#wake?.();
  }

  /** The router is off. */
  stop(): void {
    this.#abort.abort();
    this.#wake?.();
  }

  /** The next file begins at nothing. */
  discard(): void {
    this.#received = 0;
  }

  /** Resolves when the file is there, or nobody wants it any more. @throws UpdateFault when it cannot be had */
  async fetch(job: Job, area: FlashArea): Promise<void> {
    const { flash, retryMs, isCurrent, fetched, changed } = this.#options;
    this.#received = await flash.size(area);
    changed();
    for (let idleTries = job.idleTries; isCurrent(job);) {
      const before = this.#received;
      try {
        await this.#try(job, area);
        if (isCurrent(job)) fetched(job);
        return;
      } catch (error) {
        if (!isCurrent(job)) return;
        if (error instanceof UpdateFault) throw error;
        if (!this.#hasNoCoverage) idleTries = this.#countIdle(job, this.#received > before ? 0 : idleTries + 1, error);
        await this.#pause(retryMs * 2 ** Math.min(idleTries, MAX_GROWTH));
      }
    }
  }

  #countIdle(job: Job, idleTries: number, error: unknown): number {
    if (idleTries >= MAX_IDLE_TRIES) throw new UpdateFault(`download-failed: ${messageOf(error)}`);
    if (idleTries > 0) this.#options.idled(job, idleTries);
    return idleTries;
  }

  async #try(job: Job, area: FlashArea): Promise<void> {
    this.#abort = new AbortController();
    if (this.#hasNoCoverage) throw new Error('no coverage');
    await fetchMissing({ ...job, area }, this.#options.flash, this.#abort.signal, (bytes) => {
      const shown = this.percentOf(job.size);
      this.#received = bytes;
      if (this.percentOf(job.size) !== shown) this.#options.changed();
    });
  }

  /** Waits, at least until coverage is back; stopping ends it. */
  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#options.scheduler.after(ms, () => {
        if (!this.#hasNoCoverage) resolve();
      });
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

/** What went wrong, in its own words: Node's fetch hides the reason behind 'fetch failed'. */
export function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}
