export { createCodeSeal, type CodeSeal } from './code.seal.ts';
export { createEsimEngine, type EsimEngine } from './engine/engine.ts';
export type { EsimTimeouts } from './engine/facts.ts';
export { type EsimServiceDeps } from './profile-lock.ts';
export { addProfile, switchToOther } from './esims.service.ts';
export { moveProfiles, profilesToMove } from './profile-moves.store.ts';
export { deleteProfiles } from './esims.store.ts';
export type { ProfileInput } from './validate-profile.ts';
export { esimsModule } from './module.ts';
