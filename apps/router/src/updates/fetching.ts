import { Attempts } from '../platform/attempts.ts';
import type { Flash, FlashArea } from '../platform/flash.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Job } from '../state/state.ts';
import { AddressFault, fetchMissing, UpdateFault } from './download.ts';

export type FetchingOptions = {
  flash: Flash;
  scheduler: Scheduler;
  /** Delay before a download is retried, in milliseconds; doubled at each retry up to 16 times. */
  retryMs: number;
  /** The job as it is stored; undefined when it is no longer the current one. */
  current(job: Job): Job | undefined;
  /** Whether the controller is reached: only then is it the file's fault that it cannot be downloaded. */
  isConnected(): boolean;
  /**
   * This many consecutive attempts brought nothing: stored, so that a restart does not reset the count. @throws Error when it
   * could not be stored
   */
  idled(idleTries: number): void;
  /** The file is complete. @throws Error when that could not be stored: it is retried */
  fetched(): void;
  /** The shown percentage has changed. */
  changed(): void;
};

/** Consecutive attempts without a byte while the controller is reached, after which a download fails. */
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

  /**
   * Resolves when the file is complete, or the job is no longer current: whether it came in one part.
   * @param isContinued the command was sent before an interruption, such as a night without power: its address may have expired
   * @throws UpdateFault when it cannot be downloaded
   */
  async fetch(begun: Job, area: FlashArea, isContinued: boolean): Promise<boolean> {
    const { flash, retryMs, current, fetched, changed } = this.#options;
    this.#received = await flash.size(area);
    changed();
    let isOnePart = this.#received === 0;
    let failures = 0;
    let mayHaveExpired = isContinued;
    for (let job = current(begun); job !== undefined; job = current(begun)) {
      const before = this.#received;
      try {
        await this.#try(job, area);
        if (current(begun) !== undefined) fetched();
        return isOnePart;
      } catch (error) {
        const now = current(begun);
        if (now === undefined) return false;
        // Sent again meanwhile, with another address: nothing is known of that one.
        if (!isSameAddress(now, job)) continue;
        if (error instanceof UpdateFault && !(mayHaveExpired && error instanceof AddressFault)) throw error;
        mayHaveExpired = true;
        isOnePart = false;
        failures = this.#received > before ? 0 : failures + 1;
        if (failures > 0 && this.attempts.hasCoverage && this.#options.isConnected()) this.#countIdle(now, error);
        await this.attempts.pause(retryMs * 2 ** Math.min(failures, MAX_GROWTH));
      }
    }
    return false;
  }

  #countIdle(job: Job, error: unknown): void {
    const idleTries = job.idleTries + 1;
    if (idleTries >= MAX_IDLE_TRIES)
      throw error instanceof UpdateFault ? error : new UpdateFault(`download-failed: ${messageOf(error)}`);
    this.#options.idled(idleTries);
  }

  async #try(job: Job, area: FlashArea): Promise<void> {
    const signal = this.attempts.begin();
    const before = this.#received;
    let { idleTries } = job;
    await fetchMissing({ ...job, area }, this.#options.flash, signal, (bytes) => {
      const shown = this.percentOf(job.size);
      this.#received = bytes;
      // Stored with the first bytes: a power cut may come before the attempt ends.
      if (bytes > before && idleTries > 0) this.#options.idled((idleTries = 0));
      if (this.percentOf(job.size) !== shown) this.#options.changed();
    });
  }
}

const isSameAddress = (a: Job, b: Job): boolean => a.url === b.url && a.username === b.username && a.password === b.password;

/** The underlying error message: Node's fetch hides it behind 'fetch failed'. */
export function messageOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || message || String(error);
}
