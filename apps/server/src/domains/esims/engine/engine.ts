import { createEngine, type Engine, type EngineDeps } from '../../../platform/engine/engine.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import type { DeviceLink } from '../../../platform/ports/device-link.ts';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import type { CodeSeal } from '../code.seal.ts';
import type { AuthorDeps } from './authors.ts';
import { resumeEsims } from './due.store.ts';
import { createEsimExecutor } from './executor.ts';
import { defaultEsimTimeouts, type EsimTimeouts } from './facts.ts';
import { runEsimPass, type EsimPassResult, type EsimPassRequest } from './pass.ts';
import type { EsimEvent } from './reconcile.ts';

export interface EsimEngineDeps extends EngineDeps, AuthorDeps, Pick<Deps, 'database' | 'clock' | 'log' | 'deviceLink'> {
  /** This process among those that share the database. */
  readonly node: Pick<ServerNode, 'id'>;
  readonly codes: CodeSeal;
  readonly timeouts?: Partial<EsimTimeouts>;
}

/** Brings the profiles of routers to their desired state. */
export interface EsimEngine {
  /** Something may be due. */
  wake(): void;
  /** Routers were claimed: what they have reported is compared at once, not when they connect next. */
  examine(routerIds: readonly string[]): void;
  /** Finds routers that are due, and what a crash left behind. */
  readonly job: Job;
  /** Resolves when the current pass is over; no other begins. */
  stop(): Promise<void>;
}

const FORGOTTEN_BATCH = 1_000;
/** Prefix of our step keys; others belong to other modules. */
const OURS = 'esim-';

/** Listens to routers at once; sends nothing before its job runs or something triggers it. */
export function createEsimEngine(deps: EsimEngineDeps): EsimEngine {
  const { database, clock, deviceLink } = deps;
  const timeouts: EsimTimeouts = { ...defaultEsimTimeouts, ...deps.timeouts, since: clock.now() };
  const engine = createEngine<EsimEvent, EsimPassRequest, EsimPassResult>(deps, {
    name: 'eSIM profiles',
    trouble: 'The eSIM pass failed and will be retried.',
    pass: (events, now) => runEsimPass(deps, timeouts, events, now),
    execute: createEsimExecutor({ ...deps, responseMs: timeouts.responseMs }),
    resumeUnfinished: (now) => database.write((tx) => resumeEsims(tx, now, FORGOTTEN_BATCH)),
  });
  listen(deviceLink, engine);
  return {
    job: engine.job,
    wake: () => engine.wake(),
    examine: (routerIds) => {
      for (const routerId of routerIds) engine.add({ routerId });
    },
    stop: () => engine.stop(),
  };
}

function listen(deviceLink: DeviceLink, engine: Engine<EsimEvent>): void {
  deviceLink.listen({
    ready: (routerId) => engine.add({ routerId, isBack: true }),
    progressed: () => undefined,
    completed: async (routerId, key, failure, outputs) => {
      if (!key.startsWith(OURS)) return;
      const event = failure === undefined ? ({ type: 'completed', outputs } as const) : ({ type: 'failed', failure } as const);
      await engine.handle({ routerId, step: { key, event } });
    },
  });
}
