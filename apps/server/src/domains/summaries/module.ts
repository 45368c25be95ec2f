import type { MasterKey } from '../../kernel/index.ts';
import type { Module } from '../../platform/modules/module.ts';
import { createLinkSealing } from './link.ts';
import { createSummaryJobs, type RunDeps } from './runs.job.ts';
import { registerSummaryRoutes, type SummaryRoutesDeps } from './summaries.routes.ts';
import { purgeSummariesOf } from './runs.job.queries.ts';

type SummariesModuleDeps = Omit<SummaryRoutesDeps, 'linkSealing'> &
  Omit<RunDeps, 'linkSealing'> & {
    readonly linkKeys: MasterKey;
  };

export const summariesModule: Module<SummariesModuleDeps> = {
  open(routes, deps) {
    const linkSealing = createLinkSealing(deps.linkKeys);
    registerSummaryRoutes(routes, { ...deps, linkSealing });
    return { jobs: createSummaryJobs({ ...deps, linkSealing }) };
  },
  organizationEnd: { purge: purgeSummariesOf },
};
