import type { Job } from '../../../jobs/runner.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Database } from '../../../ports/database.ts';
import type { CommandFailure, DeviceLink } from '../../../ports/device-link.ts';
import type { Log } from '../../../ports/log.ts';
import type { Passwords } from './address.ts';
import { forgetChoice, wakeChoices, type BootChoice } from './boot-choices.store.ts';
import { dropOrphans, wakeUnseen } from './due.store.ts';
import { defaultPatience, type Patience } from './facts.ts';
import type { Heard } from './hear.ts';
import { runPass, type PassDeps, type PassResult } from './pass.ts';
import { createSender, type Sender } from './sender.ts';
import type { RouterNews } from './settle.ts';
import { takeBack } from './take-back.ts';
import { pauseFailing } from './thresholds.ts';

export interface EngineDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly deviceLink: DeviceLink;
  readonly passwords: Passwords;
  /** Where routers come for files, without a slash at its end. */
  readonly downloadUrl: () => string;
  /** Downloads at the same time. */
  readonly downloads: number;
  readonly expiringDays: number;
  readonly patience?: Partial<Patience>;
}

/** Since the start of the process. */
export interface EngineStats {
  /** Times that a step was sent, repetitions included. */
  readonly sent: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rolledBack: number;
  /** Ends of steps that nobody had stored. */
  readonly ignored: number;
  /** News that wait for a pass. */
  readonly waiting: number;
}

/** Carries bindings out. It holds nothing that is not in the database but what it heard in the last moments. */
export interface RolloutEngine {
  /** Something may have become due. */
  wake(): void;
  /** Finds what a crash left behind, and whose time has come. */
  readonly job: Job;
  stats(): EngineStats;
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
/** Every so many sweeps look for routers that nobody looked at. */
const UNSEEN_EVERY = 10;
const UNSEEN_BATCH = 1_000;
/** News in one pass. */
const MOST_NEWS = 1_000;

export function createRolloutEngine(deps: EngineDeps): RolloutEngine {
  const engine = new Engine(deps);
  deps.deviceLink.listen({
    ready: (routerId) => engine.add({ routerId }),
    progressed: (routerId, path, value) => engine.add({ routerId, progress: { path, value } }),
    completed: (routerId, key, failure) => engine.completed(routerId, key, failure),
  });
  return engine;
}

class Engine implements RolloutEngine {
  readonly job: Job = { name: 'rollouts', everyMs: SWEEP_EVERY_MS, run: (now) => this.#sweep(now) };
  readonly #deps: EngineDeps;
  readonly #pass: PassDeps;
  readonly #send: Sender;
  /** Routers that are asked to take a choice back: two at once would cross what comes after the first. */
  readonly #takingBack = new Set<string>();
  readonly #counts = { sent: 0, succeeded: 0, failed: 0, rolledBack: 0, ignored: 0 };
  #news: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #sweeps = 0;
  #isAwake = false;
  #isStopped = false;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    const patience = { ...defaultPatience, ...deps.patience };
    this.#pass = { ...deps, patience };
    this.#send = createSender({ ...deps, answerMs: patience.answerMs });
  }

  add(news: Waiting): void {
    this.#news.push(news);
    this.wake();
  }

  async completed(routerId: string, key: string, failure: CommandFailure | undefined): Promise<void> {
    const heard: Heard = { type: 'completed', failure };
    await new Promise<void>((resolve, reject) => this.add({ routerId, step: { key, heard }, resolve, reject }));
  }

  wake(afterMs = GATHER_MS): void {
    this.#isAwake = true;
    if (this.#running === undefined && !this.#isStopped) this.#timer ??= setTimeout(() => this.#start(), afterMs);
  }

  stats(): EngineStats {
    return { ...this.#counts, waiting: this.#news.length };
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    // Unanswered, these come again.
    for (const { reject } of this.#news.splice(0)) reject?.(new Error('The server is stopping.'));
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
      const now = clock.now();
      const result = await database.write((tx) => runPass(tx, this.#pass, news, now));
      this.#finish(news, result);
      await pauseFailing(database, result.failing, now);
      if (result.postponed.length > 0) return AGAIN_MS;
      return result.isMore || this.#news.length > 0 ? 0 : undefined;
    } catch (error) {
      log.warn({ err: error }, 'Rollouts could not be carried on; it is tried again.');
      // A router that is not answered repeats itself, and everything else is found again in the database.
      for (const { reject } of news) reject?.(error);
      return AGAIN_MS;
    }
  }

  #finish(news: readonly Waiting[], { postponed, unknown, settled, actions, choices }: PassResult): void {
    const again = new Set<RouterNews>(postponed);
    this.#news.unshift(...news.filter((each) => again.has(each)));
    for (const each of news) if (!again.has(each)) each.resolve?.();
    this.#ignore(unknown);
    for (const { work, target } of settled) if (target.state !== work.target.state) this.#count(target.state);
    for (const action of actions) {
      if (action.type === 'send') this.#counts.sent++;
      void this.#ask(action);
    }
    for (const choice of choices) void this.#takeBack(choice);
  }

  async #takeBack(choice: BootChoice): Promise<void> {
    const { routerId } = choice;
    if (this.#takingBack.has(routerId)) return;
    this.#takingBack.add(routerId);
    const { database, log } = this.#deps;
    try {
      const isDone = await takeBack({ ...this.#deps, answerMs: this.#pass.patience.answerMs }, choice);
      if (isDone) await database.write((tx) => forgetChoice(tx, choice));
      // Whatever is bound now may begin.
      if (isDone) this.add({ routerId });
    } catch (error) {
      log.warn({ err: error, routerId }, 'A choice that a router took back is looked at once more.');
    } finally {
      this.#takingBack.delete(routerId);
    }
  }

  async #ask(action: Parameters<Sender>[0]): Promise<void> {
    const heard = await this.#send(action);
    const { stepKey: key } = action.target;
    if (heard !== undefined && key !== null) this.add({ routerId: action.work.routerId, step: { key, heard } });
  }

  #ignore(unknown: readonly RouterNews[]): void {
    for (const { routerId, step } of unknown) {
      if (step?.heard.type !== 'completed') continue;
      this.#counts.ignored++;
      // Other rooms ask routers for things too, and wait for their own keys.
      this.#deps.log.debug({ routerId, step: step.key.slice(0, 60) }, 'A router told the end of a step that nobody waits for.');
    }
  }

  #count(state: string): void {
    if (state === 'successful') this.#counts.succeeded++;
    else if (state === 'failed') this.#counts.failed++;
    else if (state === 'rolled-back') this.#counts.rolledBack++;
  }

  async #sweep(now: Date): Promise<void> {
    if (this.#sweeps++ % UNSEEN_EVERY === 0)
      await this.#deps.database.write(async (tx) => {
        await wakeUnseen(tx, now, UNSEEN_BATCH);
        await wakeChoices(tx, now, UNSEEN_BATCH);
        await dropOrphans(tx, now);
      });
    this.wake(0);
  }
}
