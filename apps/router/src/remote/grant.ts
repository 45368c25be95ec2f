import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import type { GrantRequest } from './remote-control.ts';

/** Wrong passwords for the right name, after which a grant is withdrawn. */
const WRONG_PASSWORDS = 10;

export type GrantEnd = 'expired' | 'revoked' | 'guessed-at';

/**
 * Credentials that expire. They are kept in memory only, as keyed digests: a power cut, a dump of the state or a log reveals
 * nothing. A fast digest is enough, since the cloud generates the password randomly.
 */
export class Grant {
  readonly #key = randomBytes(32);
  readonly #name: Buffer;
  readonly #password: Buffer;
  readonly #ended: (why: GrantEnd) => void;
  readonly #cancelExpiry: Cancel;
  #live = true;
  #wrong = 0;

  /** @param ended called once, when the grant ends */
  constructor({ username, password, seconds }: GrantRequest, scheduler: Scheduler, ended: (why: GrantEnd) => void) {
    this.#name = this.#digest(username);
    this.#password = this.#digest(password);
    this.#ended = ended;
    this.#cancelExpiry = scheduler.after(seconds * 1000, () => this.end('expired'));
  }

  get isLive(): boolean {
    return this.#live;
  }

  /** Check credentials, in constant time whatever is wrong. */
  admits(username: string, password: string): boolean {
    const nameIsRight = timingSafeEqual(this.#digest(username), this.#name);
    const passwordIsRight = timingSafeEqual(this.#digest(password), this.#password);
    if (!this.#live) return false;
    // Count only attempts with the right name: others cannot succeed, and must not lock out the user.
    if (nameIsRight && !passwordIsRight && ++this.#wrong >= WRONG_PASSWORDS) this.end('guessed-at');
    return nameIsRight && passwordIsRight;
  }

  /** End it now; later calls do nothing. */
  end(why: GrantEnd): void {
    if (!this.#live) return;
    this.#live = false;
    this.#cancelExpiry();
    this.#ended(why);
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#key).update(text).digest();
  }
}
