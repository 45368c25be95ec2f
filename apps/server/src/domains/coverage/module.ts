import type { Module } from '../../platform/modules/module.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { createCoverageJobs } from './coverage.job.ts';
import { byDay } from './coverage.retention.ts';
import { registerCoverageRoutes } from './coverage.routes.ts';

interface CoverageModuleDeps extends Pick<Deps, 'database' | 'reader' | 'streams' | 'clock'> {
  readonly settings: Pick<Settings, 'positionDays'>;
}

export const coverageModule: Module<CoverageModuleDeps> = {
  open(routes, deps) {
    registerCoverageRoutes(routes, deps);
    return { jobs: Object.values(createCoverageJobs(deps.database, deps.settings.positionDays)) };
  },
  organizationEnd: { tables: [...byDay.map(({ name }) => name), 'coverage_slots'] },
};
