import { guard } from '../../guard.ts';
import { NoAnswer } from '../exchange.ts';
import type { Session } from '../session.ts';
import type { TimerWheel } from '../wheel.ts';
import { Poller } from './poller.ts';
import { measure, reconcile, type ReconcileDeps } from './steps.ts';

export interface ReconcilerDeps extends ReconcileDeps {
  /** How many routers at the same time. */
  readonly atOnce: number;
  /** One that takes longer no longer holds back the next. */
  readonly slotMs: number;
  readonly refreshMs: number;
  /** Before what could not be set up is tried again; doubled each time, up to `refreshMs`. */
  readonly setUpRetryMs: number;
  readonly wheel: TimerWheel;
}

export interface ReconcilerCounts {
  done: number;
  /** Ended without an answer: repeated later, or at the next connect. */
  unanswered: number;
}

/** A router that did not answer while it stayed connected is asked again after this time. */
const RETRY_MS = 120_000;

/**
 * Brings routers up to date in the order in which they came, some at a time: ten thousand that connect together are all online at
 * once, and their details follow.
 */
export class Reconciler {
  readonly counts: ReconcilerCounts = { done: 0, unanswered: 0 };
  readonly #deps: ReconcilerDeps;
  readonly #waiting = new Set<Session>();
  readonly #running = new Set<Session>();
  readonly #pollers = new WeakMap<Session, Poller>();
  #taken = 0;

  constructor(deps: ReconcilerDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Bring a router up to date, unless that is going to happen anyway. */
  enqueue(session: Session): void {
    if (this.#running.has(session)) return;
    this.#waiting.add(session);
    this.#next();
  }

  /** Reads what a router measures in the interval of telemetry, as long as it does not report that by itself. */
  #poll(session: Session): void {
    if (session.polledPaths === undefined || this.#pollers.has(session)) return;
    const { wheel, telemetrySeconds } = this.#deps;
    const poller = new Poller(wheel, telemetrySeconds * 1_000, {
      isNeeded: () => session.isOpen && session.polledPaths !== undefined,
      poll: () => this.#measure(session),
      ended: () => this.#pollers.delete(session),
    });
    this.#pollers.set(session, poller);
    poller.start();
  }

  async #measure(session: Session): Promise<void> {
    // It is being asked for everything.
    if (this.#running.has(session)) return;
    try {
      await measure(this.#deps, session, session.polledPaths);
    } catch (error) {
      this.#note(session, error);
    }
  }

  #next(): void {
    for (const session of this.#waiting) {
      if (this.#taken >= this.#deps.atOnce) return;
      this.#waiting.delete(session);
      if (session.isOpen) void this.#run(session);
    }
  }

  async #run(session: Session): Promise<void> {
    this.#running.add(session);
    this.#taken++;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken--;
      this.#next();
    };
    const slow = setTimeout(
      guard(this.#deps.log, () => {}, release),
      this.#deps.slotMs,
    );
    try {
      const isComplete = await reconcile(this.#deps, session);
      this.counts.done++;
      session.setUpTries = isComplete ? 0 : session.setUpTries + 1;
      session.refreshAt = this.#deps.wheel.now + this.#refreshIn(session) * (0.9 + 0.2 * Math.random());
      this.#poll(session);
    } catch (error) {
      this.counts.unanswered++;
      session.refreshAt = this.#deps.wheel.now + RETRY_MS;
      this.#note(session, error);
    } finally {
      clearTimeout(slow);
      this.#running.delete(session);
      release();
    }
  }

  #refreshIn({ setUpTries }: Session): number {
    const { refreshMs, setUpRetryMs } = this.#deps;
    return setUpTries === 0 ? refreshMs : Math.min(refreshMs, setUpRetryMs * 2 ** Math.min(setUpTries - 1, 20));
  }

  #note({ router: { serial } }: Session, error: unknown): void {
    const { log } = this.#deps;
    if (error instanceof NoAnswer) log.debug({ serial, why: error.why }, 'A router could not be asked how it is.');
    else log.error({ err: error, serial }, 'A router could not be brought up to date.');
  }
}
