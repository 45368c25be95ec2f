import { badRequest } from './failure.ts';

/** Units are about a character that is compared; so many take some 25 ms. */
const MOST_OF_CHANGE = 5_000_000;
const MOST_OF_SEARCH = 60_000_000;
/** After so many others get their turn. */
const MOST_AT_ONCE = 3_000_000;

/** How much a request may make the server compare, whatever it combines: operations, terms and values multiply. */
export class Effort {
  readonly #most: number;
  #spent = 0;
  #pausedAt = 0;

  constructor(most = MOST_OF_CHANGE) {
    this.#most = most;
  }

  /** @throws ScimFailure `tooMany` beyond what one request may */
  spend(units: number): void {
    this.#spent += units;
    if (this.#spent > this.#most) throw badRequest('tooMany', 'This compares too much. Send less at once, or a simpler filter.');
  }

  /** Let others have their turn, once enough was done. */
  async pause(): Promise<void> {
    if (this.#spent - this.#pausedAt < MOST_AT_ONCE) return;
    this.#pausedAt = this.#spent;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The effort of a list with a filter, which pauses. */
export const effortOfSearch = (): Effort => new Effort(MOST_OF_SEARCH);
