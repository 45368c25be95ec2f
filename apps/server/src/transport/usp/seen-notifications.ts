import { hash, randomBytes } from 'node:crypto';

/** Minimum time that an answered notification is kept whose response may have got lost: agents repeat after seconds, then minutes. */
const KEPT_MS = 5 * 60_000;
/** Bounds memory: some 40 bytes each. */
const MOST = 200_000;

/**
 * Notifications already processed: agents repeat one, under the same msg_id, until it is answered, and the response may get lost.
 * Kept by router and message across reconnects until the router has the response, at most two generations; the older one is dropped as a whole.
 *
 * The key covers the whole message with its msg_id, not the id alone: an agent may count from 1 again after a restart. Keys are
 * hashed with a secret of this process, so a router cannot forge the keys of another.
 */
export class SeenNotifications {
  readonly #secret = randomBytes(16).toString('hex');
  #recent = new Set<number>();
  #older = new Set<number>();
  #turnAt: number;

  constructor(now = performance.now()) {
    this.#turnAt = now + KEPT_MS;
  }

  /** @param payload the encoded message as received */
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

  /** The router has the response: what it sends from now on is another notification, even one of the same bytes. */
  delete(key: number): void {
    if (!this.#recent.delete(key)) this.#older.delete(key);
  }
}
