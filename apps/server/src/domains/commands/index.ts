export { createCommandRuns, type CommandRuns } from './command.runs.ts';
export { registerCommandRoutes } from './commands.routes.ts';
export { findCommand, purgeCommandsOf } from './commands.store.ts';
