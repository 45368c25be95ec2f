/** How long a slot is held at most: what takes longer, such as a wait for a lock, does not keep others from theirs. */
const LONGEST_MS = 250;

/**
 * As many pieces of work at a time as there are slots, in the order of arrival. What waits for what waits here goes on as well, if later: none holds its
 * slot for long.
 */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Begin once a slot is free. @param begin gets what ends it, which may be called more than once */
  take(begin: (end: () => void) => void): void {
    const run = () => {
      const timer = setTimeout(() => end(), LONGEST_MS).unref();
      let isHeld = true;
      const end = () => {
        if (!isHeld) return;
        isHeld = false;
        clearTimeout(timer);
        this.#next();
      };
      begin(end);
    };
    if (this.#free === 0) this.#waiting.push(run);
    else {
      this.#free--;
      run();
    }
  }

  #next(): void {
    const run = this.#waiting.shift();
    if (run === undefined) this.#free++;
    else run();
  }
}
