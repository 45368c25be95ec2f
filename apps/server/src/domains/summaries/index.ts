export { summariesModule } from './module.ts';
export { summaryOutcomes } from './bounces.job.queries.ts';
