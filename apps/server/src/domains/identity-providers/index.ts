export { identityProvidersModule } from './module.ts';
export { nameOf } from './claims.ts';
export { createProviderSealing } from './sealing.ts';
