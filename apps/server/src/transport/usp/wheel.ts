import { doNothing, guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';

/** An entry of a timer wheel. It is in at most one slot of one wheel. */
export interface Timed {
  /** Due time on the wheel's clock. Set by the wheel. */
  due: number;
  fire(now: number): void;
}

const SLOTS = 512;
/** Most the wheel's clock advances at once. */
const LONGEST_STEP_MS = 2_000;

/**
 * One timer for all timeouts of connections. Its clock counts only time in which this process could receive: when the process was
 * suspended or busy for long, routers do not count as silent.
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
   * @param tickMs precision; an entry fires at most one tick late and never early
   * @param log for errors of an entry; the other entries still fire
   */
  constructor(tickMs: number, log: Pick<Log, 'error'>) {
    this.#tickMs = tickMs;
    this.#fireOne = guard(log, doNothing, (timed: Timed) => timed.fire(this.#now));
    this.#timer = setInterval(
      guard(log, doNothing, () => this.#turn()),
      tickMs,
    );
    this.#timer.unref();
  }

  /** Milliseconds on the wheel's clock, as of the last tick. */
  get now(): number {
    return this.#now;
  }

  /** Fire `timed` after this many milliseconds, replacing its earlier schedule. */
  schedule(timed: Timed, milliseconds: number): void {
    this.cancel(timed);
    // The slot of the current tick was already processed.
    timed.due = this.#now + Math.max(1, Math.ceil(milliseconds));
    this.#slotOf(timed).add(timed);
  }

  cancel(timed: Timed): void {
    this.#slotOf(timed).delete(timed);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const slot of this.#slots) slot.clear();
  }

  /** The slot it fires in: the first tick that is not before its time. */
  #slotOf({ due }: Timed): Set<Timed> {
    return this.#slots[Math.ceil(due / this.#tickMs) % SLOTS]!;
  }

  #turn(): void {
    // Whole milliseconds: numbers that every connection keeps, which take no object of their own.
    const passed = Math.floor(performance.now() - this.#last);
    this.#now += Math.min(passed, LONGEST_STEP_MS);
    this.#last += passed;
    for (const end = Math.floor(this.#now / this.#tickMs); this.#ticks < end;) {
      this.#ticks++;
      this.#fire(this.#slots[this.#ticks % SLOTS]!);
    }
  }

  #fire(slot: Set<Timed>): void {
    for (const timed of slot) {
      // Due in a later revolution of the wheel: leave it in its slot.
      if (timed.due > this.#now) continue;
      slot.delete(timed);
      this.#fireOne(timed);
    }
  }
}
