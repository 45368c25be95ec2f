import type { Module } from '../../platform/modules/module.ts';
import { purgeBulkJobs, purgeBulkJobsOf } from './bulk-jobs.purge.ts';
import { registerBulkJobRoutes, type BulkJobRoutesDeps } from './bulk-jobs.routes.ts';

export const bulkJobsModule: Module<BulkJobRoutesDeps> = {
  open(routes, deps) {
    registerBulkJobRoutes(routes, deps);
    return { jobs: [{ name: 'bulk jobs: retention', everyMs: 3_600_000, run: (now) => purgeBulkJobs(deps.database, now) }] };
  },
  organizationEnd: { purgeInSteps: purgeBulkJobsOf },
};
