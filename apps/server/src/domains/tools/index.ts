export { createToolCalls } from './tool-calls.ts';
export { registerTransfers } from './transfers.ts';
export { purgeToolsOf } from './tools.store.ts';
export { toolsModule } from './module.ts';
