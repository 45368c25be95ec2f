import { NoResponse } from '../exchange.ts';
import type { Session } from '../session.ts';
import type { TimerWheel } from '../wheel.ts';
import { Poller } from './poller.ts';
import { releaseWhenSlow } from './slot.ts';
import { measure, MOST_EMPTY_POLLS, reconcile, reportSetUp, type ReconcileDeps } from './steps.ts';

export interface ReconcilerDeps extends ReconcileDeps {
  /** Routers reconciled at the same time. */
  readonly atOnce: number;
  /** A router that takes longer to answer no longer blocks the next one. */
  readonly slotMs: number;
  readonly refreshMs: number;
  /** Delay before a failed set-up is retried; doubled each time, up to `refreshMs`. */
  readonly setUpRetryMs: number;
  readonly wheel: TimerWheel;
}

export interface ReconcilerCounts {
  done: number;
  /** Ended without a response: retried later, or at the next connect. */
  unacknowledged: number;
}

/** Delay before a router that did not answer but stayed connected is read again. */
const RETRY_MS = 120_000;

/**
 * Reconciles routers in order of arrival, several at a time: when ten thousand connect together, all are online at once and their
 * details follow.
 */
export class Reconciler {
  readonly counts: ReconcilerCounts = { done: 0, unacknowledged: 0 };
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

  /** Reconcile a router, unless that is already pending. */
  enqueue(session: Session): void {
    if (this.#running.has(session)) return;
    this.#waiting.add(session);
    this.#next();
  }

  /** Something of a router changed: reconcile it, and once more if it was read before that. */
  changed(session: Session): void {
    session.hasChanged = true;
    this.enqueue(session);
  }

  /** Read measured values at the telemetry interval, as long as the router does not report them itself. */
  #poll(session: Session): void {
    const isNeeded = () => session.isOpen && session.polledPaths !== undefined && session.emptyPolls < MOST_EMPTY_POLLS;
    if (!isNeeded() || this.#pollers.has(session)) return;
    const { wheel } = this.#deps;
    const poller = new Poller(wheel, {
      intervalMs: () => session.reportSeconds! * 1_000,
      isNeeded,
      poll: () => this.#measure(session),
      ended: () => this.#pollers.delete(session),
    });
    this.#pollers.set(session, poller);
    poller.start();
  }

  async #measure(session: Session): Promise<void> {
    // A full read is already running.
    if (this.#running.has(session)) return;
    try {
      await measure(this.#deps, session, session.polledPaths);
      if (session.emptyPolls === MOST_EMPTY_POLLS) reportSetUp(this.#deps, session);
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
    const { slotMs, log } = this.#deps;
    const endSlot = releaseWhenSlow({ slotMs, owesResponse: () => session.owesResponse, release, log });
    let hasSucceeded = false;
    try {
      const isComplete = await reconcile(this.#deps, session);
      this.counts.done++;
      session.setUpTries = isComplete ? 0 : session.setUpTries + 1;
      session.refreshAt = this.#deps.wheel.now + Math.round(this.#refreshIn(session) * (0.9 + 0.2 * Math.random()));
      this.#poll(session);
      hasSucceeded = true;
    } catch (error) {
      this.counts.unacknowledged++;
      session.refreshAt = this.#deps.wheel.now + RETRY_MS;
      this.#note(session, error);
    } finally {
      endSlot();
      this.#running.delete(session);
      release();
    }
    if (hasSucceeded && session.hasChanged) this.enqueue(session);
  }

  #refreshIn({ setUpTries }: Session): number {
    const { refreshMs, setUpRetryMs } = this.#deps;
    return setUpTries === 0 ? refreshMs : Math.min(refreshMs, setUpRetryMs * 2 ** Math.min(setUpTries - 1, 20));
  }

  #note({ router: { serial } }: Session, error: unknown): void {
    const { log } = this.#deps;
    if (error instanceof NoResponse) log.debug({ serial, why: error.why }, 'Failed to poll a router.');
    else log.error({ err: error, serial }, 'Failed to reconcile a router.');
  }
}
