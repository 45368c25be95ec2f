import type { Module } from '../../platform/modules/module.ts';
import type { Database } from '../../platform/ports/database.ts';
import type { Settings } from '../../platform/settings/settings.ts';
import { registerPositionRoutes, type PositionRoutesDeps } from './positions.routes.ts';
import { createServingCellJobs } from './serving-cells.job.ts';

interface PositionsModuleDeps extends PositionRoutesDeps {
  readonly database: Database;
  readonly settings: Pick<Settings, 'positionDays'>;
}

export const positionsModule: Module<PositionsModuleDeps> = {
  open(routes, deps) {
    registerPositionRoutes(routes, deps);
    return { jobs: createServingCellJobs(deps.database, deps.settings.positionDays) };
  },
  organizationEnd: { tables: ['serving_cells'] },
};
