import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Cancel, Scheduler } from '../platform/scheduler.ts';
import type { GrantRequest } from './remote-control.ts';

/** Wrong passwords for the right name, after which a grant is withdrawn. */
const WRONG_PASSWORDS = 10;

export type GrantEnd = 'expired' | 'revoked' | 'guessed-at';

/**
 * Credentials that end by themselves. They live in memory only, as digests under a key of their own: a power cut, a dump of the state
 * or of a log reveals nothing. A fast digest is enough, since the cloud draws the password at random.
 */
export class Grant {
  readonly #key = randomBytes(32);
  readonly #name: Buffer;
  readonly #password: Buffer;
  readonly #ended: (why: GrantEnd) => void;
  readonly #cancelExpiry: Cancel;
  #live = true;
  #wrong = 0;

  /** @param ended called once, when nobody can sign in by it any more */
  constructor({ username, password, seconds }: GrantRequest, scheduler: Scheduler, ended: (why: GrantEnd) => void) {
    this.#name = this.#digest(username);
    this.#password = this.#digest(password);
    this.#ended = ended;
    this.#cancelExpiry = scheduler.after(seconds * 1000, () => this.end('expired'));
  }

  get isLive(): boolean {
    return this.#live;
  }

  /** May somebody with these in? Takes the same time whatever is wrong. */
  admits(username: string, password: string): boolean {
    const nameIsRight = timingSafeEqual(this.#digest(username), this.#name);
    const passwordIsRight = timingSafeEqual(this.#digest(password), this.#password);
    if (!this.#live) return false;
    // Whoever does not even know the name cannot get in anyway, and must not be able to lock out who does.
    if (nameIsRight && !passwordIsRight && ++this.#wrong >= WRONG_PASSWORDS) this.end('guessed-at');
    return nameIsRight && passwordIsRight;
  }

  /** Ends it now; later calls do nothing. */
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
