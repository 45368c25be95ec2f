import { Attempts } from '../platform/attempts.ts';
import type { Flash, FlashArea } from '../platform/flash.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Job } from '../state/state.ts';
import { fetchMissing, UpdateFault } from './download.ts';

export type FetchingOptions = {
  flash: Flash;
  scheduler: Scheduler;
  /** Delay before a download is retried, in milliseconds; doubled at each retry up to 16 times. */
  retryMs: number;
  /** Whether the job is still current. */
  isCurrent(job: Job): boolean;
  /**
   * This many consecutive attempts brought nothing: stored, so that a restart does not reset the count. @throws Error when it
   * could not be stored
   */
  idled(job: Job, idleTries: number): void;
  /** The file is complete. @throws Error when that could not be stored: it is retried */
  fetched(job: Job): void;
  /** The shown percentage has changed. */
  changed(): void;
};

/** Consecutive attempts without a byte, after which a download fails. */
const MAX_IDLE_TRIES = 10;
const MAX_GROWTH = 4;

/** Downloads files over an unreliable network: stored bytes are not downloaded again. */
export class Fetching {
  readonly #options: FetchingOptions;
  /** Coverage and the end of the router interrupt a download. */
  readonly attempts: Attempts;
  #received = 0;

  constructor(options: FetchingOptions) {
    this.#options = options;
    this.attempts = new Attempts(options.scheduler);
  }

  /** Percent of a file of `size` bytes, in steps of ten. */
  percentOf(size: number): number {
    return size === 0 ? 0 : Math.floor((this.#received / size) * 10) * 10;
  }

  /** The next file starts from zero. */
  discard(): void {
    this.#received = 0;
  }

  /** Resolves when the file is complete, or the job is no longer current. @throws UpdateFault when it cannot be downloaded */
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
        if (this.attempts.hasCoverage) idleTries = this.#countIdle(job, this.#received > before ? 0 : idleTries + 1, error);
        await this.attempts.pause(retryMs * 2 ** Math.min(idleTries, MAX_GROWTH));
      }
    }
  }

  #countIdle(job: Job, idleTries: number, error: unknown): number {
    if (idleTries >= MAX_IDLE_TRIES) throw new UpdateFault(`download-failed: ${messageOf(error)}`);
    if (idleTries > 0) this.#options.idled(job, idleTries);
    return idleTries;
  }

  async #try(job: Job, area: FlashArea): Promise<void> {
    const signal = this.attempts.begin();
    await fetchMissing({ ...job, area }, this.#options.flash, signal, (bytes) => {
      const shown = this.percentOf(job.size);
      this.#received = bytes;
      if (this.percentOf(job.size) !== shown) this.#options.changed();
    });
  }
}

/** The underlying error message: Node's fetch hides it behind 'fetch failed'. */
export function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}
