export { createCommandRuns, type CommandRuns } from './command.runs.ts';
export { findCommand, purgeCommandsOf } from './commands.store.ts';
export { commandsModule } from './module.ts';
