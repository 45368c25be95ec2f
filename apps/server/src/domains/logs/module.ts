import type { Module } from '../../platform/modules/module.ts';
import type { CheckpointStore } from '../../platform/ports/checkpoints.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { createCheckpoints } from './checkpoints.ts';
import { registerLogRoutes, type LogRoutesDeps } from './logs.routes.ts';
import { createLogRetention } from './retention.ts';

interface LogModuleDeps extends LogRoutesDeps, Pick<Deps, 'database' | 'log'> {
  readonly checkpoints: CheckpointStore;
}

export const logsModule: Module<LogModuleDeps> = {
  /** Besides the calls: checkpoint the log outside the database, and delete entries beyond its retention. */
  open(routes, deps) {
    registerLogRoutes(routes, deps);
    const { database, log, checkpoints, auditKey } = deps;
    const witness = { database, store: checkpoints, privateKey: auditKey.privateKey, log };
    return {
      jobs: [
        { name: 'audit checkpoints', everyMs: 15 * 60_000, run: createCheckpoints(witness) },
        { name: 'log retention', everyMs: 3_600_000, run: createLogRetention(witness) },
      ],
    };
  },
};
