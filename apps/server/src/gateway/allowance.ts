/** What is won back per second. */
const REFILL_PER_SECOND = 0.5;
/** Keys remembered; the one longest quiet is forgotten first. */
const MOST = 20_000;

/** How often somebody may do something in a row, by whatever key tells them apart; with time it is won back. */
export class Allowance {
  readonly #allowed: number;
  readonly #spent = new Map<string, { times: number; at: number }>();

  /** @param allowed times in a row */
  constructor(allowed: number) {
    this.#allowed = allowed;
  }

  /** @param now milliseconds of any one clock */
  isSpent(key: string, now: number): boolean {
    return this.#timesOf(key, now) + 1 > this.#allowed;
  }

  spend(key: string, now: number): void {
    const times = this.#timesOf(key, now) + 1;
    // Written anew at the end: a Map keeps its order, so that the first is the one longest quiet.
    this.#spent.delete(key);
    this.#spent.set(key, { times, at: now });
    const [oldest] = this.#spent.keys();
    if (this.#spent.size > MOST && oldest !== undefined) this.#spent.delete(oldest);
  }

  #timesOf(key: string, now: number): number {
    const spent = this.#spent.get(key);
    if (spent === undefined) return 0;
    return Math.max(0, spent.times - ((now - spent.at) / 1_000) * REFILL_PER_SECOND);
  }
}

/** Whom an address stands for: one holder of IPv6 addresses has a /64 of them at least. */
export function networkOf(address: string): string {
  return address.includes('.') || !address.includes(':') ? address : address.split(':').slice(0, 4).join(':');
}
