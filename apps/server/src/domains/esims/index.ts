export { createCodeSeal, type CodeSeal } from './code.seal.ts';
export { createEsimEngine, type EsimEngine } from './engine/engine.ts';
export type { EsimTimeouts } from './engine/facts.ts';
export { registerEsimRoutes, type EsimRoutesDeps } from './esims.routes.ts';
export { addProfile, type EsimServiceDeps } from './esims.service.ts';
export { forgetProfiles } from './esims.store.ts';
export type { ProfileInput } from './judge.ts';
