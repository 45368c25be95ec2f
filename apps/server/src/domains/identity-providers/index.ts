export { identityProvidersModule } from './module.ts';
export { removeProvidersOf } from './providers.store.ts';
export { createProviderSealing } from './sealing.ts';
