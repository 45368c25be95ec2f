const WINDOW_MS = 10_000;
/** Fewer within a window are no storm. */
const LEAST = 50;
/** Share of the connected routers that came within a window. */
const SHARE = 0.05;

/** Whether many routers have come back at once, as after a restart. */
export class ConnectStorm {
  #window = Number.NaN;
  #count = 0;
  #before = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** @param connected routers that are connected by now */
  connected(now: number, connected: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#before = window === this.#window + 1 ? this.#count : 0;
      this.#window = window;
      this.#count = 0;
    }
    this.#count += 1;
    const recent = this.#count + this.#before;
    if (recent >= LEAST && recent > SHARE * connected) this.#lastAt = now;
  }

  /** Whether there was one within this time, in milliseconds. */
  wasWithin(now: number, milliseconds: number): boolean {
    return now - this.#lastAt < milliseconds;
  }
}
