/** Tries an address wins back per second. */
const REFILL_PER_SECOND = 0.5;
/** Addresses remembered; the one longest quiet is forgotten first. */
const MOST = 10_000;

/**
 * Counts failed secrets by address. Only failures count: however many good routers stand behind one address (a NAT), they take
 * nothing from it, and a secret that opened a connection before is never held up by its neighbours' failures.
 */
export class FailedTries {
  readonly #allowed: number;
  readonly #spent = new Map<string, { tries: number; at: number }>();

  /** @param allowed failures of one address in a row before it has to wait */
  constructor(allowed: number) {
    this.#allowed = allowed;
  }

  /** Whether an address has used up its failures. @param now milliseconds of any one clock */
  isExhausted(address: string, now: number): boolean {
    return this.#triesOf(networkOf(address), now) >= this.#allowed;
  }

  failed(address: string, now: number): void {
    const network = networkOf(address);
    const tries = this.#triesOf(network, now) + 1;
    // Written anew at the end: a Map keeps its order, so that the first is the one longest quiet.
    this.#spent.delete(network);
    this.#spent.set(network, { tries, at: now });
    const [oldest] = this.#spent.keys();
    if (this.#spent.size > MOST && oldest !== undefined) this.#spent.delete(oldest);
  }

  #triesOf(network: string, now: number): number {
    const spent = this.#spent.get(network);
    if (spent === undefined) return 0;
    return Math.max(0, spent.tries - ((now - spent.at) / 1_000) * REFILL_PER_SECOND);
  }
}

/** One holder of IPv6 addresses has a /64 of them at least. */
function networkOf(address: string): string {
  return address.includes('.') || !address.includes(':') ? address : address.split(':').slice(0, 4).join(':');
}
