export { identityProvidersModule } from './module.ts';
export { createProviderSealing } from './sealing.ts';
