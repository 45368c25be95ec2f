import type { Job } from '../../../jobs/runner.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Database } from '../../../ports/database.ts';
import type { DeviceLink } from '../../../ports/device-link.ts';
import type { Log } from '../../../ports/log.ts';
import type { CodeSeal } from '../code.seal.ts';
import { askRouter } from './ask.ts';
import { wakeForgotten } from './engine.store.ts';
import { defaultEsimPatience, type EsimPatience } from './facts.ts';
import type { Heard } from './hear.ts';
import { runPass, type PassResult } from './pass.ts';
import type { Action, RouterNews } from './settle.ts';

export interface EsimEngineDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly deviceLink: DeviceLink;
  readonly codes: CodeSeal;
  readonly patience?: Partial<EsimPatience>;
}

/** Makes routers follow their profiles. It holds nothing that is not in the database but what it heard in the last moments. */
export interface EsimEngine {
  /** Something may have become due. */
  wake(): void;
  /** Finds what a crash left behind, and whose time has come. */
  readonly job: Job;
  /** Resolves when the pass under way is over; no other begins. */
  stop(): Promise<void>;
}

interface Waiting extends RouterNews {
  readonly resolve?: () => void;
  readonly reject?: (error: unknown) => void;
}

/** News wait so long for company. */
const GATHER_MS = 50;
/** After a pass that failed, or one that met a locked router. */
const AGAIN_MS = 500;
const SWEEP_EVERY_MS = 2_000;
/** Every so many sweeps look for profiles that nobody looked at. */
const FORGOTTEN_EVERY = 10;
const FORGOTTEN_BATCH = 1_000;
/** News in one pass. */
const MOST_NEWS = 1_000;
/** Keys of our steps begin so; others are other rooms'. */
const OURS = 'esim-';

export function createEsimEngine(deps: EsimEngineDeps): EsimEngine {
  const engine = new Engine(deps);
  deps.deviceLink.listen({
    ready: (routerId) => engine.add({ routerId, isBack: true }),
    progressed: () => undefined,
    completed: (routerId, key, failure, outputs) =>
      engine.completed(routerId, key, failure === undefined ? { type: 'completed', outputs } : { type: 'failed', failure }),
  });
  return engine;
}

class Engine implements EsimEngine {
  readonly job: Job = { name: 'eSIM profiles', everyMs: SWEEP_EVERY_MS, run: (now) => this.#sweep(now) };
  readonly #deps: EsimEngineDeps;
  readonly #patience: EsimPatience;
  #news: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #sweeps = 0;
  #isAwake = false;
  #isStopped = false;

  constructor(deps: EsimEngineDeps) {
    this.#deps = deps;
    this.#patience = { ...defaultEsimPatience, ...deps.patience, since: deps.clock.now() };
  }

  add(news: Waiting): void {
    this.#news.push(news);
    this.wake();
  }

  async completed(routerId: string, key: string, heard: Heard): Promise<void> {
    if (!key.startsWith(OURS)) return;
    await new Promise<void>((resolve, reject) => this.add({ routerId, step: { key, heard }, resolve, reject }));
  }

  wake(afterMs = GATHER_MS): void {
    this.#isAwake = true;
    if (this.#running === undefined && !this.#isStopped) this.#timer ??= setTimeout(() => this.#start(), afterMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#dueTimer);
    await this.#running;
    // Unanswered, these come again.
    for (const { reject } of this.#news.splice(0)) reject?.(new Error('The server is stopping.'));
  }

  /** What is due before the next sweep is looked at when it is due. */
  #wakeAt(due: Date | undefined): void {
    clearTimeout(this.#dueTimer);
    const afterMs = due === undefined ? Number.POSITIVE_INFINITY : due.getTime() - this.#deps.clock.now().getTime();
    if (afterMs < SWEEP_EVERY_MS && !this.#isStopped) this.#dueTimer = setTimeout(() => this.wake(0), Math.max(0, afterMs));
  }

  #start(): void {
    this.#timer = undefined;
    this.#isAwake = false;
    this.#running = this.#runAndFollow();
  }

  async #runAndFollow(): Promise<void> {
    const afterMs = await this.#run();
    this.#running = undefined;
    if (afterMs !== undefined || this.#isAwake) this.wake(afterMs ?? GATHER_MS);
  }

  /** @returns when to run again, milliseconds; undefined = when woken */
  async #run(): Promise<number | undefined> {
    const news = this.#news.splice(0, MOST_NEWS);
    const { database, clock, log } = this.#deps;
    try {
      const result = await runPass(database, this.#patience, news, clock.now());
      this.#finish(news, result);
      if (result.isMore) return AGAIN_MS;
      this.#wakeAt(result.nextDue);
      return this.#news.length > 0 ? 0 : undefined;
    } catch (error) {
      log.warn({ err: error }, 'eSIM profiles could not be carried on; it is tried again.');
      // A router that is not answered repeats itself, and everything else is found again in the database.
      for (const { reject } of news) reject?.(error);
      return AGAIN_MS;
    }
  }

  #finish(news: readonly Waiting[], { postponed, actions }: PassResult): void {
    const again = new Set<RouterNews>(postponed);
    this.#news.unshift(...news.filter((each) => again.has(each)));
    for (const each of news) if (!again.has(each)) each.resolve?.();
    for (const { routerId, action } of actions) void this.#ask(routerId, action);
  }

  async #ask(routerId: string, action: Action): Promise<void> {
    const heard = await askRouter(this.#deps, routerId, action, this.#patience.answerMs);
    if (heard !== undefined) this.add(heard);
  }

  async #sweep(now: Date): Promise<void> {
    if (this.#sweeps++ % FORGOTTEN_EVERY === 0) await this.#deps.database.write((tx) => wakeForgotten(tx, now, FORGOTTEN_BATCH));
    this.wake(0);
  }
}
