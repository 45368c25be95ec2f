import type { MasterKey } from '../../kernel/index.ts';
import type { Module } from '../../platform/modules/module.ts';
import { createLinkSealing } from './link.ts';
import { createSummaryJobs, type RunDeps } from './runs.job.ts';
import { registerSummaryRoutes, type SummaryRoutesDeps } from './summaries.routes.ts';
import { purgeSummariesOf } from './runs.job.queries.ts';

type SummariesModuleDeps = Omit<SummaryRoutesDeps, 'linkSealing'> &
  Omit<RunDeps, 'linkSealing' | 'mayAct'> & {
    readonly masterKey: MasterKey;
    readonly planActions: Pick<RunDeps, 'mayAct'>;
  };

export const summariesModule: Module<SummariesModuleDeps> = {
  open(routes, deps) {
    const linkSealing = createLinkSealing(deps.masterKey);
    registerSummaryRoutes(routes, { ...deps, linkSealing });
    return { jobs: createSummaryJobs({ ...deps, linkSealing, mayAct: deps.planActions.mayAct }) };
  },
  organizationEnd: { purge: purgeSummariesOf },
};
