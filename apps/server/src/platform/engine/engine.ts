import { workForRouters } from '../calls/call-steps.ts';
import type { Job } from '../jobs/runner.ts';
import type { Deps } from '../ports/deps.ts';
import { isRejection } from '../retry/attempts.ts';

/** Decisions of a committed pass. */
export interface PassEnd<Event, Request> {
  /** Requests to routers, now that the decisions are committed. */
  readonly requests: readonly Request[];
  /** Events about routers locked by another transaction; they are delivered again. */
  readonly postponed: readonly Event[];
  /** `now` = more is due; `soon` = the rest is locked by others; undefined = nothing until `wake` or `nextDue`. */
  readonly again: 'now' | 'soon' | undefined;
  /** Next due time; undefined = a sweep finds it. */
  readonly nextDue?: Date | undefined;
  /** Something is due now for routers that other processes hold. */
  readonly isForOthers?: boolean;
}

/** The decisions of a domain that brings routers to their desired state. */
export interface EngineModule<Event, Request, End extends PassEnd<Event, Request>> {
  /** Name of the job. */
  readonly name: string;
  /** Message logged when a pass fails. */
  readonly trouble: string;
  /** Process routers with events and some that are due; commit their next steps. */
  pass(event: readonly Event[], now: Date): Promise<End>;
  /** Follow-up work of a pass, after the senders of its events got their responses. */
  follow?(end: End, now: Date): Promise<void>;
  /**
   * Send a committed request to a router. Never rejects. @returns the resulting event; undefined = none, and the request is
   * repeated later
   */
  execute(request: Request): Promise<Event | undefined>;
  /** Process what a crash left behind. */
  resumeUnfinished(now: Date): Promise<void>;
}

export interface EngineDeps extends Pick<Deps, 'clock' | 'log'> {
  /** Have this engine of the other processes look at what is due. */
  readonly wakeOthers?: () => void;
}

/** Runs the decisions of a domain, one pass at a time. All its state is in the database, except recent events. */
export interface Engine<Event> {
  /** Finds work left by a crash, and work that is due. */
  readonly job: Job;
  /** Events that wait for a pass. */
  readonly waiting: number;
  /** Something may have become due. */
  wake(): void;
  /** A router emitted an event. */
  add(event: Event): void;
  /** The same, but resolves once the event is committed, and rejects when it has to be delivered again. */
  handle(event: Event): Promise<void>;
  /** Resolves when the running pass has ended; no other starts. */
  stop(): Promise<void>;
}

/**
 * Between two passes events are collected: as long as the former took, within these bounds. While thousands of routers report, a pass then
 * serves many of them, since most of its cost does not depend on how many they are. While passes take less than half of the time, the next
 * event is processed at once: someone waits for the result of a command.
 */
const LEAST_GATHER_MS = 50;
const MOST_GATHER_MS = 250;
/** Time without a pass that counts for passes which follow at once. */
const MOST_SPARE_MS = 100;
/** Delay after a pass that failed or met a locked router. */
const AGAIN_MS = 500;
const SWEEP_EVERY_MS = 2_000;
/** Look for forgotten work every this many sweeps. */
const FORGOTTEN_EVERY = 10;
/** Events per pass. */
const MOST_EVENTS = 1_000;

/** An engine for the decisions of one domain. It is idle until its job runs, an event arrives or `wake` is called. */
export function createEngine<Event, Request, End extends PassEnd<Event, Request>>(
  deps: EngineDeps,
  module: EngineModule<Event, Request, End>,
): Engine<Event> {
  return new PassingEngine(deps, module);
}

interface Waiting<Event> {
  readonly event: Event;
  readonly resolve?: () => void;
  readonly reject?: (error: unknown) => void;
}

class PassingEngine<Event, Request, End extends PassEnd<Event, Request>> implements Engine<Event> {
  readonly job: Job;
  readonly #deps: EngineDeps;
  readonly #module: EngineModule<Event, Request, End>;
  #waiting: Waiting<Event>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #sweeps = 0;
  #gatherMs = 0;
  #spareMs = MOST_SPARE_MS;
  /** When the last pass ended, by the monotonic clock. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #isAwake = false;
  #isStopped = false;

  constructor(deps: EngineDeps, module: EngineModule<Event, Request, End>) {
    this.#deps = deps;
    this.#module = module;
    this.job = { name: module.name, everyMs: SWEEP_EVERY_MS, run: (now) => this.#sweep(now) };
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  wake(): void {
    this.#wakeIn(Math.max(0, this.#endedAt + this.#gatherMs - performance.now()));
  }

  add(event: Event): void {
    this.#waiting.push({ event });
    this.wake();
  }

  async handle(event: Event): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      this.wake();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#dueTimer);
    await this.#running;
    // Not acknowledged, so these are sent again.
    for (const { reject } of this.#waiting.splice(0)) reject?.(new Error('The server is stopping.'));
  }

  #wakeIn(ms: number): void {
    this.#isAwake = true;
    if (this.#running === undefined && !this.#isStopped) this.#timer ??= setTimeout(() => this.#start(), ms);
  }

  /** Schedule a pass for work that is due before the next sweep. */
  #wakeAt(due: Date | undefined): void {
    clearTimeout(this.#dueTimer);
    const inMs = due === undefined ? Number.POSITIVE_INFINITY : due.getTime() - this.#deps.clock.now().getTime();
    if (inMs < SWEEP_EVERY_MS && !this.#isStopped) this.#dueTimer = setTimeout(() => this.#wakeIn(0), Math.max(0, inMs));
  }

  #start(): void {
    this.#timer = undefined;
    this.#isAwake = false;
    this.#running = workForRouters(() => this.#runAndGoOn());
  }

  async #runAndGoOn(): Promise<void> {
    const begin = performance.now();
    const idleMs = begin - this.#endedAt;
    const againInMs = await this.#run();
    this.#endedAt = performance.now();
    const tookMs = this.#endedAt - begin;
    this.#spareMs = Math.min(MOST_SPARE_MS, Math.max(0, this.#spareMs) + idleMs) - tookMs;
    this.#gatherMs = this.#spareMs > 0 ? 0 : Math.min(MOST_GATHER_MS, Math.max(LEAST_GATHER_MS, tookMs));
    this.#running = undefined;
    if (againInMs !== undefined || this.#isAwake) this.#wakeIn(againInMs ?? this.#gatherMs);
  }

  /** @returns milliseconds until the next pass; undefined = when woken */
  async #run(taken = this.#waiting.splice(0, MOST_EVENTS)): Promise<number | undefined> {
    try {
      return await this.#process(taken);
    } catch (error) {
      if (taken.length > 1 && isRejection(error) && (await this.#isDueAccepted())) {
        // One event that the database rejects does not hold up those of other routers.
        const middle = Math.ceil(taken.length / 2);
        for (const half of [taken.slice(0, middle), taken.slice(middle)]) await this.#run(half);
        return AGAIN_MS;
      }
      this.#deps.log.warn({ err: error }, this.#module.trouble);
      // A router without an acknowledgement repeats itself, and everything else is in the database.
      for (const { reject } of taken) reject?.(error);
      return AGAIN_MS;
    }
  }

  /** @throws what its pass throws: nothing is committed then, and no sender has a response */
  async #process(taken: readonly Waiting<Event>[]): Promise<number | undefined> {
    const now = this.#deps.clock.now();
    const end = await this.#module.pass(
      taken.map(({ event }) => event),
      now,
    );
    this.#respond(taken, end);
    if (end.isForOthers === true) this.#deps.wakeOthers?.();
    try {
      await this.#module.follow?.(end, now);
    } catch (error) {
      this.#deps.log.warn({ err: error }, this.#module.trouble);
      return AGAIN_MS;
    }
    return this.#nextIn(end, taken.length === MOST_EVENTS);
  }

  /** Whether a pass without events succeeds: if not, what is due is rejected, and each event would be too. */
  #isDueAccepted(): Promise<boolean> {
    return this.#process([]).then(
      () => true,
      () => false,
    );
  }

  #respond(taken: readonly Waiting<Event>[], { postponed, requests }: End): void {
    const again = new Set(postponed);
    this.#waiting.unshift(...taken.filter(({ event }) => again.has(event)));
    for (const { event, resolve } of taken) if (!again.has(event)) resolve?.();
    for (const request of requests) void this.#execute(request);
  }

  async #execute(request: Request): Promise<void> {
    const resulting = await this.#module.execute(request);
    if (resulting !== undefined) this.add(resulting);
  }

  /** @param isFull there were more events than the pass took */
  #nextIn({ again, nextDue }: End, isFull: boolean): number | undefined {
    if (again !== undefined) return again === 'now' ? 0 : AGAIN_MS;
    this.#wakeAt(nextDue);
    return isFull && this.#waiting.length > 0 ? 0 : undefined;
  }

  async #sweep(now: Date): Promise<void> {
    if (this.#sweeps++ % FORGOTTEN_EVERY === 0) await this.#module.resumeUnfinished(now);
    this.#wakeIn(0);
  }
}
