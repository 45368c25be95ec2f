export { purgePinsOf } from './pins.store.ts';
export { analysisModule } from './module.ts';
