export { createCommandRuns, type CommandRuns } from './command.runs.ts';
export { findCommand } from './commands.store.ts';
export { createCommandEngine } from './engine/engine.ts';
export type { CommandTimeouts } from './engine/facts.ts';
export { commandsModule } from './module.ts';
export { partOf, type Order } from './sent-command.ts';
export { readOrder, rejectWindow, sendCommand, sendToMany, type SendOutcome } from './sent-commands.service.ts';
export { createRouterPasswordSealing } from './passwords/password-sealing.ts';
export { forgetPasswords } from './passwords/stored-passwords.job.queries.ts';
