/** One event, for a user at the router. */
export type Entry = {
  /** Epoch milliseconds by the router's own clock. */
  at: number;
  /** The part of the router concerned, e.g. 'link'. */
  part: string;
  text: string;
};

const MOST = 100;
const LONGEST_TEXT = 200;

/** Events since this start of the router, the latest hundred. Plain text without secrets. */
export class ActivityLog {
  readonly #now: () => number;
  #entries: Entry[] | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Oldest first. */
  get entries(): readonly Entry[] {
    return this.#entries ?? [];
  }

  add(part: string, text: string): void {
    this.#entries ??= [];
    this.#entries.push({ at: this.#now(), part, text: text.slice(0, LONGEST_TEXT) });
    if (this.#entries.length > MOST) this.#entries.shift();
  }
}
