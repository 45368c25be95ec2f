import { createEngine, type Engine } from '../../../engine/engine.ts';
import type { Job } from '../../../jobs/runner.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Database } from '../../../ports/database.ts';
import type { DeviceLink } from '../../../ports/device-link.ts';
import type { Log } from '../../../ports/log.ts';
import type { CodeSeal } from '../code.seal.ts';
import { askRouter } from './ask.ts';
import { wakeForgotten } from './engine.store.ts';
import { defaultEsimPatience, type EsimPatience } from './facts.ts';
import { runPass, type PassResult, type RouterAction } from './pass.ts';
import type { RouterNews } from './settle.ts';

export interface EsimEngineDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly deviceLink: DeviceLink;
  readonly codes: CodeSeal;
  readonly patience?: Partial<EsimPatience>;
}

/** Makes routers follow their profiles. */
export interface EsimEngine {
  /** Something may have become due. */
  wake(): void;
  /** Finds what a crash left behind, and whose time has come. */
  readonly job: Job;
  /** Resolves when the pass under way is over; no other begins. */
  stop(): Promise<void>;
}

const FORGOTTEN_BATCH = 1_000;
/** Keys of our steps begin so; others are other rooms'. */
const OURS = 'esim-';

/** Listens to routers at once; nothing is asked of them before its job runs or something wakes it. */
export function createEsimEngine(deps: EsimEngineDeps): EsimEngine {
  const { database, clock, deviceLink } = deps;
  const patience: EsimPatience = { ...defaultEsimPatience, ...deps.patience, since: clock.now() };
  const engine = createEngine<RouterNews, RouterAction, PassResult>(deps, {
    name: 'eSIM profiles',
    trouble: 'eSIM profiles could not be carried on; it is tried again.',
    pass: (news, now) => runPass(database, patience, news, now),
    ask: ({ routerId, action }) => askRouter(deps, routerId, action, patience.answerMs),
    wakeForgotten: (now) => database.write((tx) => wakeForgotten(tx, now, FORGOTTEN_BATCH)),
  });
  listen(deviceLink, engine);
  return engine;
}

function listen(deviceLink: DeviceLink, engine: Engine<RouterNews>): void {
  deviceLink.listen({
    ready: (routerId) => engine.add({ routerId, isBack: true }),
    progressed: () => undefined,
    completed: async (routerId, key, failure, outputs) => {
      if (!key.startsWith(OURS)) return;
      const heard = failure === undefined ? ({ type: 'completed', outputs } as const) : ({ type: 'failed', failure } as const);
      await engine.hear({ routerId, step: { key, heard } });
    },
  });
}
