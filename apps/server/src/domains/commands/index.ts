export { createCommandRuns } from './command.runs.ts';
export { registerCommandRoutes } from './commands.routes.ts';
export { purgeCommandsOf } from './commands.store.ts';
import './commands.tables.ts';
