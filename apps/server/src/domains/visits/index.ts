export { visitsModule } from './module.ts';
export { purgeVisits } from './visits.job.queries.ts';
