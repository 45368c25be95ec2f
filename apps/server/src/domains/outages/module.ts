import type { Module } from '../../platform/modules/module.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { createOutageJobs } from './outages.job.ts';
import { registerOutageRoutes, type OutageRoutesDeps } from './outages.routes.ts';
import { keptDaysOf } from './outages.period.ts';

type OutagesModuleDeps = OutageRoutesDeps & Pick<Deps, 'database'>;

export const outagesModule: Module<OutagesModuleDeps> = {
  open(routes, deps) {
    registerOutageRoutes(routes, deps);
    return { jobs: createOutageJobs(deps.database, keptDaysOf(deps.keptDays)) };
  },
  organizationEnd: { tables: ['outages'] },
};
