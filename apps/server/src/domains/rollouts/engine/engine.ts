import { createEngine, type Engine, type EngineDeps } from '../../../platform/engine/engine.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import type { DeviceLink } from '../../../platform/ports/device-link.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import type { Log } from '../../../platform/ports/log.ts';
import { openWaves } from '../open-waves.ts';
import type { DownloadPasswords } from './address.ts';
import { wakeChoices } from './boot-choices.job.queries.ts';
import { dropOrphans, resumeRollouts } from './due.store.ts';
import { defaultRolloutTimeouts, type RolloutTimeouts } from './facts.ts';
import { runRolloutPass, type RolloutPassRequest, type RolloutPassDeps, type RolloutPassResult } from './pass.ts';
import { createRolloutExecutor, type RolloutExecutorDeps } from './executor.ts';
import type { RolloutEvent } from './reconcile.ts';
import { pauseFailing, pauseFailingSince } from './thresholds.ts';

export interface RolloutEngineDeps
  extends
    EngineDeps,
    Pick<Deps, 'database' | 'clock' | 'log' | 'deviceLink' | 'expiringDays'>,
    Pick<RolloutExecutorDeps, 'applySettings'> {
  /** This process among those that share the database. */
  readonly node: Pick<ServerNode, 'id'>;
  readonly passwords: DownloadPasswords;
  /** Base URL of the downloads, without a slash at its end. */
  readonly downloadUrl: () => string;
  /** Downloads at the same time, on all nodes. */
  readonly downloads: number;
  readonly timeouts?: Partial<RolloutTimeouts>;
}

/** Since the start of the process. */
export interface RolloutEngineStats {
  /** Times that a step was sent, repetitions included. */
  readonly sent: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly rolledBack: number;
  /** Completions of steps that are not stored. */
  readonly ignored: number;
  /** Events that wait for a pass. */
  readonly waiting: number;
}

/** Runs the rollouts. */
export interface RolloutEngine {
  /** Something may be due. */
  wake(): void;
  /** Finds routers that are due, and what a crash left behind. */
  readonly job: Job;
  stats(): RolloutEngineStats;
  /** Resolves when the current pass is over; no other begins. */
  stop(): Promise<void>;
}

const UNSEEN_BATCH = 1_000;
/** A failure is recorded with the time at which its pass began, by the clock of its node. */
const FAILURES_AGAIN_MS = 60_000;

/** Listens to routers at once; sends nothing before its job runs or something triggers it. */
export function createRolloutEngine(deps: RolloutEngineDeps): RolloutEngine {
  const { database } = deps;
  const timeouts = { ...defaultRolloutTimeouts, ...deps.timeouts };
  const passDeps: RolloutPassDeps = { ...deps, timeouts };
  const counts = new Counts(deps.log);
  let examinedUntil = new Date(0);
  const engine = createEngine<RolloutEvent, RolloutPassRequest, RolloutPassResult>(deps, {
    name: 'rollouts',
    trouble: 'The rollout pass failed and will be retried.',
    pass: (events, now) => runRolloutPass(database, passDeps, events, now),
    follow: async (result, now) => {
      counts.add(result);
      await pauseFailing(deps, result.failing, now);
      await openWaves(deps, result.succeeding, now);
    },
    execute: createRolloutExecutor({ ...deps, responseMs: timeouts.responseMs }),
    resumeUnfinished: async (now) => {
      await pauseFailingSince(deps, examinedUntil, now);
      examinedUntil = new Date(now.getTime() - FAILURES_AGAIN_MS);
      await database.write(async (tx) => {
        await resumeRollouts(tx, now, UNSEEN_BATCH);
        await wakeChoices(tx, now, UNSEEN_BATCH);
        await dropOrphans(tx, now);
      });
      await openWaves(deps, undefined, now);
    },
  });
  listen(deps.deviceLink, engine);
  return {
    job: engine.job,
    wake: () => engine.wake(),
    stats: () => ({ ...counts.now, waiting: engine.waiting }),
    stop: () => engine.stop(),
  };
}

function listen(deviceLink: DeviceLink, engine: Engine<RolloutEvent>): void {
  deviceLink.listen({
    ready: (routerId) => engine.add({ routerId }),
    progressed: (routerId, path, value) => engine.add({ routerId, progress: { path, value } }),
    completed: (routerId, key, failure) => engine.handle({ routerId, step: { key, event: { type: 'completed', failure } } }),
  });
}

/** Counts of the results of steps, for metrics. */
class Counts {
  readonly now = { sent: 0, succeeded: 0, failed: 0, rolledBack: 0, ignored: 0 };
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  add({ unknown, reconciled, requests }: RolloutPassResult): void {
    for (const events of unknown) this.#ignore(events);
    for (const { work, target } of reconciled) if (target.state !== work.target.state) this.#count(target.state);
    this.now.sent += requests.filter(({ type }) => type === 'send').length;
  }

  #ignore({ routerId, step }: RolloutEvent): void {
    if (step?.event.type !== 'completed') return;
    this.now.ignored++;
    // Other modules send requests to routers too, and wait for their own keys.
    this.#log.debug({ routerId, step: step.key.slice(0, 60) }, 'Ignored the end of an unknown step.');
  }

  #count(state: string): void {
    if (state === 'successful') this.now.succeeded++;
    else if (state === 'failed') this.now.failed++;
    else if (state === 'rolled-back') this.now.rolledBack++;
  }
}
