export { createCodeSeal, type CodeSeal } from './code.seal.ts';
export { createEsimEngine, type EsimEngine } from './engine/engine.ts';
export type { EsimTimeouts } from './engine/facts.ts';
export { addProfile, switchToOther, type EsimServiceDeps } from './esims.service.ts';
export { deleteProfiles, moveProfiles, profilesToMove } from './esims.store.ts';
export type { ProfileInput } from './validate-profile.ts';
export { esimsModule } from './module.ts';
