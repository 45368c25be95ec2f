import type { Module } from '../../platform/modules/module.ts';
import type { Database } from '../../platform/ports/database.ts';
import { registerCommandRoutes, type CommandRoutesDeps } from './commands.routes.ts';
import type { CommandEngine } from './engine/engine.ts';
import { purgeSentCommands } from './sent-commands.job.queries.ts';

interface CommandModuleDeps extends CommandRoutesDeps {
  readonly database: Database;
  readonly commandEngine: CommandEngine;
}

export const commandsModule: Module<CommandModuleDeps> = {
  open(routes, deps) {
    registerCommandRoutes(routes, deps);
    const { commandEngine: engine, database } = deps;
    return {
      jobs: [
        engine.job,
        { name: 'commands of routers: retention', everyMs: 3_600_000, run: (now) => purgeSentCommands(database, now) },
      ],
      stop: () => engine.stop(),
    };
  },
};
