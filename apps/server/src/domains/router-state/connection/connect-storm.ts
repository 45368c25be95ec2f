const WINDOW_MS = 10_000;
/** Fewer within a window are no storm. */
const LEAST = 50;
/** Share of the connected routers that came within a window. */
const SHARE = 0.05;

/** Whether many routers are coming back at once, as after a restart. */
export class ConnectStorm {
  #window = Number.NaN;
  #count = 0;
  #before = 0;

  connected(now: number): void {
    this.#turn(now);
    this.#count += 1;
  }

  /** @param connected routers that are connected by now */
  isOn(now: number, connected: number): boolean {
    this.#turn(now);
    const recent = this.#count + this.#before;
    return recent >= LEAST && recent > SHARE * connected;
  }

  #turn(now: number): void {
    const window = Math.floor(now / WINDOW_MS);
    if (window === this.#window) return;
    this.#before = window === this.#window + 1 ? this.#count : 0;
    this.#window = window;
    this.#count = 0;
  }
}
