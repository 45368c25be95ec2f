import type { Job } from '../jobs/runner.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';

/** What a pass has decided and committed. */
export interface PassEnd<News, Action> {
  /** To be asked of routers, now that it is committed. */
  readonly actions: readonly Action[];
  /** About routers that somebody else is changing: to be told again. */
  readonly postponed: readonly News[];
  /** `now` = there is more to look at; `soon` = others hold what is left; undefined = nothing before somebody wakes it, or `nextDue`. */
  readonly again: 'now' | 'soon' | undefined;
  /** When the time of something comes; undefined = a sweep finds it. */
  readonly nextDue?: Date | undefined;
}

/** The decisions of a room whose routers are to become what somebody wants of them. */
export interface EngineRoom<News, Action, End extends PassEnd<News, Action>> {
  /** Of its job. */
  readonly name: string;
  /** Logged when a pass fails. */
  readonly trouble: string;
  /** Look at routers with news, and at some whose time has come; commit what they do next. */
  pass(news: readonly News[], now: Date): Promise<End>;
  /** What else follows a pass, once whoever told its news is answered. */
  follow?(end: End, now: Date): Promise<void>;
  /** Ask a router for what was committed. Never rejects. @returns what was heard of it; undefined = nothing, and it is asked again in time */
  ask(action: Action): Promise<News | undefined>;
  /** Have looked at what a crash left behind. */
  wakeForgotten(now: Date): Promise<void>;
}

export interface EngineDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** Carries on what a room decides, one pass at a time. It holds nothing that is not in the database but what it heard in the last moments. */
export interface Engine<News> {
  /** Finds what a crash left behind, and whose time has come. */
  readonly job: Job;
  /** News that wait for a pass. */
  readonly waiting: number;
  /** Something may have become due. */
  wake(): void;
  /** Something happened to a router. */
  add(news: News): void;
  /** The same. Resolves once it is committed, and rejects when it has to be told again. */
  hear(news: News): Promise<void>;
  /** Resolves when the pass under way is over; no other begins. */
  stop(): Promise<void>;
}

/** News wait so long for company. */
const GATHER_MS = 50;
/** After a pass that failed, or one that met a locked router. */
const AGAIN_MS = 500;
const SWEEP_EVERY_MS = 2_000;
/** Every so many sweeps look for what was forgotten. */
const FORGOTTEN_EVERY = 10;
/** News in one pass. */
const MOST_NEWS = 1_000;

/** An engine for the decisions of one room. It is idle until its job runs, news come or somebody wakes it. */
export function createEngine<News, Action, End extends PassEnd<News, Action>>(
  deps: EngineDeps,
  room: EngineRoom<News, Action, End>,
): Engine<News> {
  return new PassingEngine(deps, room);
}

interface Waiting<News> {
  readonly news: News;
  readonly resolve?: () => void;
  readonly reject?: (error: unknown) => void;
}

class PassingEngine<News, Action, End extends PassEnd<News, Action>> implements Engine<News> {
  readonly job: Job;
  readonly #deps: EngineDeps;
  readonly #room: EngineRoom<News, Action, End>;
  #waiting: Waiting<News>[] = [];
  #timer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #sweeps = 0;
  #isAwake = false;
  #isStopped = false;

  constructor(deps: EngineDeps, room: EngineRoom<News, Action, End>) {
    this.#deps = deps;
    this.#room = room;
    this.job = { name: room.name, everyMs: SWEEP_EVERY_MS, run: (now) => this.#sweep(now) };
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  wake(): void {
    this.#wakeIn(GATHER_MS);
  }

  add(news: News): void {
    this.#waiting.push({ news });
    this.wake();
  }

  async hear(news: News): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ news, resolve, reject });
      this.wake();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#dueTimer);
    await this.#running;
    // Unanswered, these come again.
    for (const { reject } of this.#waiting.splice(0)) reject?.(new Error('The server is stopping.'));
  }

  #wakeIn(ms: number): void {
    this.#isAwake = true;
    if (this.#running === undefined && !this.#isStopped) this.#timer ??= setTimeout(() => this.#start(), ms);
  }

  /** What is due before the next sweep is looked at when it is due. */
  #wakeAt(due: Date | undefined): void {
    clearTimeout(this.#dueTimer);
    const inMs = due === undefined ? Number.POSITIVE_INFINITY : due.getTime() - this.#deps.clock.now().getTime();
    if (inMs < SWEEP_EVERY_MS && !this.#isStopped) this.#dueTimer = setTimeout(() => this.#wakeIn(0), Math.max(0, inMs));
  }

  #start(): void {
    this.#timer = undefined;
    this.#isAwake = false;
    this.#running = this.#runAndGoOn();
  }

  async #runAndGoOn(): Promise<void> {
    const againInMs = await this.#run();
    this.#running = undefined;
    if (againInMs !== undefined || this.#isAwake) this.#wakeIn(againInMs ?? GATHER_MS);
  }

  /** @returns when to run again, milliseconds; undefined = when woken */
  async #run(): Promise<number | undefined> {
    const taken = this.#waiting.splice(0, MOST_NEWS);
    try {
      const now = this.#deps.clock.now();
      const end = await this.#room.pass(
        taken.map(({ news }) => news),
        now,
      );
      this.#answer(taken, end);
      await this.#room.follow?.(end, now);
      return this.#nextIn(end);
    } catch (error) {
      this.#deps.log.warn({ err: error }, this.#room.trouble);
      // A router that is not answered repeats itself, and everything else is found again in the database.
      for (const { reject } of taken) reject?.(error);
      return AGAIN_MS;
    }
  }

  #answer(taken: readonly Waiting<News>[], { postponed, actions }: End): void {
    const again = new Set(postponed);
    this.#waiting.unshift(...taken.filter(({ news }) => again.has(news)));
    for (const { news, resolve } of taken) if (!again.has(news)) resolve?.();
    for (const action of actions) void this.#ask(action);
  }

  async #ask(action: Action): Promise<void> {
    const heard = await this.#room.ask(action);
    if (heard !== undefined) this.add(heard);
  }

  #nextIn({ again, nextDue }: End): number | undefined {
    if (again !== undefined) return again === 'now' ? 0 : AGAIN_MS;
    this.#wakeAt(nextDue);
    return this.#waiting.length > 0 ? 0 : undefined;
  }

  async #sweep(now: Date): Promise<void> {
    if (this.#sweeps++ % FORGOTTEN_EVERY === 0) await this.#room.wakeForgotten(now);
    this.#wakeIn(0);
  }
}
