import { hash, randomBytes } from 'node:crypto';

/** How long an answered notification is remembered at least: agents repeat after seconds, growing to minutes. */
const KEPT_MS = 5 * 60_000;
/** Memory is bounded before it is long: some 40 bytes each. */
const MOST = 200_000;

/**
 * Which notifications were taken already: agents repeat one, under the same msg_id, until it is answered, and the answer may be
 * what got lost. Remembered by router and message, over reconnects, in two generations of which the older is dropped as a whole.
 *
 * The key covers the whole message with its msg_id, not the id alone: an agent that counts from 1 again after a restart would
 * otherwise have its Boot! taken for a repetition. Nobody can aim at another router's keys, since they hold a secret of this process.
 */
export class SeenNotifications {
  readonly #secret = randomBytes(16).toString('hex');
  #recent = new Set<number>();
  #older = new Set<number>();
  #turnAt: number;

  constructor(now = performance.now()) {
    this.#turnAt = now + KEPT_MS;
  }

  /** @param payload the message as it came */
  keyOf(routerId: string, payload: Uint8Array): number {
    const own = hash('sha256', Buffer.concat([Buffer.from(this.#secret + routerId, 'latin1'), payload]), 'buffer');
    return own.readUIntBE(0, 6);
  }

  has(key: number): boolean {
    return this.#recent.has(key) || this.#older.has(key);
  }

  add(key: number, now = performance.now()): void {
    if (now >= this.#turnAt || this.#recent.size >= MOST / 2) {
      this.#older = this.#recent;
      this.#recent = new Set();
      this.#turnAt = now + KEPT_MS;
    }
    this.#recent.add(key);
  }
}
