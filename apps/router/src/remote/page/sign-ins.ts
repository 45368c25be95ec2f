import { createHash, randomBytes } from 'node:crypto';
import type { Cancel, Scheduler } from '../../platform/scheduler.ts';

/** One signed-in browser. */
export type SignIn = {
  /** Part of every form of its pages: another site cannot know it. */
  readonly formSecret: string;
  /** Record activity. */
  touch(): void;
  /** Register a listener for its end. */
  onEnd(listener: () => void): void;
  end(): void;
};

const IDLE_MS = 10 * 60_000;
const MOST = 10;

/** The signed-in browsers, by digests of their cookies; in memory only. */
export class SignIns {
  readonly #scheduler: Scheduler;
  readonly #ended: () => void;
  readonly #byDigest = new Map<string, SignIn>();

  /** @param ended called after each one that ended */
  constructor(scheduler: Scheduler, ended: () => void) {
    this.#scheduler = scheduler;
    this.#ended = ended;
  }

  get count(): number {
    return this.#byDigest.size;
  }

  /** Sign a browser in, and sign the oldest out above the limit. @returns its cookie value */
  begin(): string {
    if (this.#byDigest.size >= MOST) this.#byDigest.values().next().value?.end();
    const cookie = randomBytes(32).toString('base64url');
    const digest = digestOf(cookie);
    this.#byDigest.set(digest, this.#create(digest));
    return cookie;
  }

  find(cookie: string | undefined): SignIn | undefined {
    return cookie === undefined ? undefined : this.#byDigest.get(digestOf(cookie));
  }

  endAll(): void {
    for (const signIn of this.#byDigest.values()) signIn.end();
  }

  #create(digest: string): SignIn {
    const listeners: (() => void)[] = [];
    const end = () => {
      cancel();
      if (!this.#byDigest.delete(digest)) return;
      for (const listener of listeners) listener();
      this.#ended();
    };
    let cancel: Cancel = this.#scheduler.after(IDLE_MS, end);
    return {
      formSecret: randomBytes(18).toString('base64url'),
      touch: () => {
        cancel();
        cancel = this.#scheduler.after(IDLE_MS, end);
      },
      onEnd: (listener) => void listeners.push(listener),
      end,
    };
  }
}

function digestOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64');
}
