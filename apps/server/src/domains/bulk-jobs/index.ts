export { startCommandJob } from './bulk-jobs.service.ts';
export { purgeBulkJobs } from './bulk-jobs.purge.ts';
export { createBulkWorker, type BulkWorker } from './bulk-jobs.worker.ts';
export type { Removal, Removals } from './bulk-job.removal.ts';
export { bulkJobsModule } from './module.ts';
