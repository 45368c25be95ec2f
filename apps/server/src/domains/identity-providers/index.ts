export { identityProvidersModule } from './module.ts';
export { nameOf } from './claims.ts';
export { removeProvidersOf } from './providers.store.ts';
export { createProviderSealing } from './sealing.ts';
