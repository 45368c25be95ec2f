export { purgeBindingsOf, purgeEndedBindings } from './bindings.purge.ts';
export { bindFile, type BindingInput } from './bindings.service.ts';
export { registerDownloads, type DownloadDeps } from './downloads.ts';
export { createDownloadPasswords } from './engine/address.ts';
export { createRolloutEngine, type RolloutEngineDeps, type RolloutEngineStats, type RolloutEngine } from './engine/engine.ts';
export type { RolloutTimeouts } from './engine/facts.ts';
export { endAllBindings, endBindings, leaveRollouts, membershipChanged, subscriptionChanged } from './membership.ts';
export { registerRolloutRoutes, type RolloutRoutesDeps } from './rollouts.routes.ts';
import './rollouts.tables.ts';
