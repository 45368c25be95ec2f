import { guard } from '../guard.ts';
import type { Log } from '../ports/log.ts';

/** Something that wants to be called at a time of the wheel. It stands in one place of one wheel at most. */
export interface Timed {
  /** When, on the wheel's clock. Set by the wheel. */
  due: number;
  fire(now: number): void;
}

const SLOTS = 512;
/** The most the wheel's clock moves at once. */
const LONGEST_STEP_MS = 2_000;

/**
 * One timer for everything that happens to connections, however many there are. Its clock counts the time in which this process
 * was able to listen: when the process stood still (suspended, or busy for long), no router is taken for silent because of it.
 */
export class TimerWheel {
  readonly #tickMs: number;
  readonly #slots: Set<Timed>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  #now = 0;
  #ticks = 0;
  #last = performance.now();
  readonly #fireOne: (timed: Timed) => void;

  /**
   * @param tickMs how exact it is; nothing fires earlier than asked for, and up to a tick later
   * @param log of what fails when it is called; the others are called all the same
   */
  constructor(tickMs: number, log: Pick<Log, 'error'>) {
    this.#tickMs = tickMs;
    this.#fireOne = guard(log, ignore, (timed: Timed) => timed.fire(this.#now));
    this.#timer = setInterval(
      guard(log, ignore, () => this.#turn()),
      tickMs,
    );
    this.#timer.unref();
  }

  /** Milliseconds on the wheel's clock, as of the last tick. */
  get now(): number {
    return this.#now;
  }

  /** Call `timed` after so many milliseconds, instead of when it was to be called before. */
  schedule(timed: Timed, milliseconds: number): void {
    this.cancel(timed);
    // The slot of this very tick was served already.
    timed.due = this.#now + Math.max(1, milliseconds);
    this.#slotOf(timed).add(timed);
  }

  cancel(timed: Timed): void {
    this.#slotOf(timed).delete(timed);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const slot of this.#slots) slot.clear();
  }

  /** The slot in which it comes up: the first tick that is not before its time. */
  #slotOf({ due }: Timed): Set<Timed> {
    return this.#slots[Math.ceil(due / this.#tickMs) % SLOTS]!;
  }

  #turn(): void {
    const now = performance.now();
    this.#now += Math.min(now - this.#last, LONGEST_STEP_MS);
    this.#last = now;
    for (const end = Math.floor(this.#now / this.#tickMs); this.#ticks < end;) {
      this.#ticks++;
      this.#fire(this.#slots[this.#ticks % SLOTS]!);
    }
  }

  #fire(slot: Set<Timed>): void {
    for (const timed of slot) {
      // Due in a later turn of the wheel: it stays where it is.
      if (timed.due > this.#now) continue;
      slot.delete(timed);
      this.#fireOne(timed);
    }
  }
}

function ignore(): void {}
