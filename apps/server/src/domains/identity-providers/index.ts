export { identityProvidersModule } from './module.ts';
export { removeProvidersOf } from './providers.store.ts';
