export { outagesModule } from './module.ts';
export { purgeOutagesOf } from './outages.job.queries.ts';
