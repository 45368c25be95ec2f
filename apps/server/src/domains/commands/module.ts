import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import { registerCommandRoutes, type CommandRoutesDeps } from './commands.routes.ts';
import type { CommandEngine } from './engine/engine.ts';
import { passwordJobs, type RotationDeps } from './passwords/passwords.job.ts';
import { registerPasswordRoutes, type PasswordRoutesDeps } from './passwords/passwords.routes.ts';
import { createRouterPasswordSealing } from './passwords/password-sealing.ts';
import { purgeSentCommands } from './sent-commands.job.queries.ts';

interface CommandModuleDeps extends CommandRoutesDeps, Omit<PasswordRoutesDeps, 'rotationAlerts'>, RotationDeps {
  readonly commandEngine: CommandEngine;
}

export const commandsModule: Module<CommandModuleDeps> = {
  open(routes, deps) {
    registerCommandRoutes(routes, deps);
    registerPasswordRoutes(routes, deps);
    const { commandEngine: engine, database } = deps;
    return {
      jobs: [
        engine.job,
        ...passwordJobs(deps),
        { name: 'commands of routers: retention', everyMs: 3_600_000, run: (now) => purgeSentCommands(database, now) },
      ],
      stop: () => engine.stop(),
    };
  },
  sealed: [sealedFor('router_passwords', 'sealed', { id: 'uuid' }, 'id', createRouterPasswordSealing)],
  organizationEnd: { tables: ['sent_commands'], lastTables: ['router_passwords', 'router_password_settings', 'custom_commands'] },
};
