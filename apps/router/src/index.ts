/** Our router agent and the fleet simulator: the same code, on simulated hardware and with a shared clock. */
export {
  type RouterDescription,
  type RouterDescriptionInput,
  fleetFile,
  modemNumbers,
  routerDescription,
} from './description.ts';
export * from './identity.ts';
export { type BackoffOptions, DEFAULT_BACKOFF } from './link/backoff.ts';
export { type Log, createLog, silentLog } from './log.ts';
export type { CommandDef, ObjectDef } from './model/definition.ts';
export { type Model, createModel } from './model/model.ts';
export { routerObjects } from './model/tree.ts';
export type { Platform } from './platform/platform.ts';
export { cellAt, createSimulatedPlatform } from './platform/simulated.ts';
export { type Scheduler, createManualScheduler, createScheduler } from './platform/scheduler.ts';
export { DEFAULT_TIMING, type RouterCondition, type RouterEvent, type RouterHandle, type RouterTiming } from './router.ts';
export { type AgentStartOptions, type FleetHandle, type FleetStartOptions, startAgent, startFleet } from './start.ts';
