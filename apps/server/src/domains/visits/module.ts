import type { Module } from '../../platform/modules/module.ts';
import { purgeVisits } from './visits.job.queries.ts';
import { registerVisitRoutes, type VisitRoutesDeps } from './visits.routes.ts';
import { runVisits } from './visits.service.ts';

interface VisitsModuleDeps extends VisitRoutesDeps {
  readonly mailOrigin: () => string;
}

export const visitsModule: Module<VisitsModuleDeps> = {
  open(routes, deps) {
    registerVisitRoutes(routes, deps);
    return {
      jobs: [
        { name: 'visits', everyMs: 5_000, run: (now) => runVisits(deps, deps.mailOrigin(), now) },
        { name: 'visits: retention', everyMs: 3_600_000, run: (now) => purgeVisits(deps.database, now) },
      ],
    };
  },
  organizationEnd: { lastTables: ['visits'] },
};
