export { purgeVisitsOf } from './visits.store.ts';
export { visitsModule } from './module.ts';
