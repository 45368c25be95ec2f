export { registerAnalysisRoutes } from './analysis.routes.ts';
export { purgePinsOf } from './pins.store.ts';
