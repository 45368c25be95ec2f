export type { AgentEvent } from './events.ts';
export { StrictAgent } from './strict-agent.ts';
export { startStrictProcess, type StrictProcess } from './strict-process.ts';
export type { TraitChoice, Traits } from './traits.ts';
