/** Number of keys kept; the least recently used is dropped first. */
const MOST = 20_000;

/** Limits how often a key may act in a row; attempts are regained over time. */
export class Allowance {
  readonly #allowed: number;
  readonly #refillPerSecond: number;
  readonly #spent = new Map<string, { times: number; at: number }>();

  /** @param allowed times in a row @param refillPerSecond times regained per second */
  constructor(allowed: number, refillPerSecond = 0.5) {
    this.#allowed = allowed;
    this.#refillPerSecond = refillPerSecond;
  }

  /** @param now milliseconds of any one clock */
  isSpent(key: string, now: number): boolean {
    return this.#timesOf(key, now) + 1 > this.#allowed;
  }

  /** @param count times at once; may be more than are left */
  spend(key: string, now: number, count = 1): void {
    const times = this.#timesOf(key, now) + count;
    // Re-insert at the end: a Map keeps insertion order, so the first key is the least recently used.
    this.#spent.delete(key);
    this.#spent.set(key, { times, at: now });
    const [oldest] = this.#spent.keys();
    if (this.#spent.size > MOST && oldest !== undefined) this.#spent.delete(oldest);
  }

  #timesOf(key: string, now: number): number {
    const spent = this.#spent.get(key);
    if (spent === undefined) return 0;
    return Math.max(0, spent.times - ((now - spent.at) / 1_000) * this.#refillPerSecond);
  }
}
