export { removeConfigs } from './config-removal.ts';
export { findConfig, lockConfigForBinding, openConfig, uploadConfig } from './configs.service.ts';
export { type ConfigRecord } from './configs.store.ts';
export { createSeal, type Seal } from './seal.ts';
export { configsModule } from './module.ts';
