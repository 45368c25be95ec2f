import type { Module } from '../../platform/modules/module.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { createCoverageJobs } from './coverage.job.ts';
import { registerCoverageRoutes } from './coverage.routes.ts';
import { purgeCoverageOf } from './coverage.retention.ts';

interface CoverageModuleDeps extends Pick<Deps, 'database' | 'reader' | 'streams' | 'clock'> {
  readonly settings: Pick<Settings, 'positionDays'>;
}

export const coverageModule: Module<CoverageModuleDeps> = {
  open(routes, deps) {
    registerCoverageRoutes(routes, deps);
    return { jobs: Object.values(createCoverageJobs(deps.database, deps.settings.positionDays)) };
  },
  organizationEnd: { purgeInSteps: purgeCoverageOf },
};
