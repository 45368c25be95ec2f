const HOUR_MS = 3_600_000;
/** Connections within an hour that mark a router as one that goes on and off. */
const MANY = 10;
/** Of these lines an hour at most, so that a fault of the network does not fill the log. */
const MOST_LINES = 20;
/** Routers that are counted an hour; more than a process has. */
const MOST_ROUTERS = 200_000;

/** Counts how often each router connects, by the hour. */
export class Reconnects {
  #hour = Number.NaN;
  #counts = new Map<string, number>();
  #flapping = 0;
  #before = 0;

  /** Routers that connected too often, within this hour or the one before. */
  flapping(now: number): number {
    this.#turn(now);
    return Math.max(this.#flapping, this.#before);
  }

  /** @returns how often the router has connected within the hour, once, when that is too often */
  connected(routerId: string, now: number): number | undefined {
    this.#turn(now);
    const count = (this.#counts.get(routerId) ?? 0) + 1;
    if (count > 1 || this.#counts.size < MOST_ROUTERS) this.#counts.set(routerId, count);
    if (count !== MANY) return undefined;
    this.#flapping += 1;
    return this.#flapping <= MOST_LINES ? count : undefined;
  }

  #turn(now: number): void {
    const hour = Math.floor(now / HOUR_MS);
    if (hour === this.#hour) return;
    this.#before = hour === this.#hour + 1 ? this.#flapping : 0;
    this.#hour = hour;
    this.#counts = new Map();
    this.#flapping = 0;
  }
}
