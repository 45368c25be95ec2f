import type { Module } from '../../platform/modules/module.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { createPlanJobs, type PlanJobDeps } from './plans.job.ts';
import { registerUsageRoutes, type UsageRoutesDeps } from './usage.routes.ts';

type UsageModuleDeps = UsageRoutesDeps &
  Pick<Deps, 'log'> &
  Pick<PlanJobDeps, 'wakeJobs'> & {
    readonly planActions: PlanJobDeps['actions'];
  };

export const usageModule: Module<UsageModuleDeps> = {
  open(routes, deps) {
    registerUsageRoutes(routes, deps);
    return { jobs: createPlanJobs({ ...deps, actions: deps.planActions }) };
  },
  organizationEnd: {
    tables: [
      'usage_days',
      'usage_cycles',
      'usage_totals',
      'usage_sims',
      'usage_plans',
      'usage_plan_events',
      'usage_matching',
      'usage_zones',
    ],
  },
};
