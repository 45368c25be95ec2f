export { summariesModule } from './module.ts';
export { purgeSummariesOf } from './runs.job.queries.ts';
