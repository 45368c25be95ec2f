export { createToolCalls, type ToolCalls } from './tool-calls.ts';
export { countRuleRuns, insertRuleRun, sendRuleRun, type RuleRun } from './rule-runs.ts';
export { rejectForbiddenTest } from './tools.service.ts';
export { createToolAddresses, createTransferAddress, registerTransfers, type AddressSource } from './transfers.ts';
export { toolsModule } from './module.ts';
