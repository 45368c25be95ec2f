import type { Module } from '../../platform/modules/module.ts';
import { finishDeletions, purgeOrganizations } from './organization.deletion.ts';
import { organizationFiguresJob } from './organization.figures.ts';
import { organizationRetentionJob } from './organization.retention.ts';
import { registerOrganizationRoutes, type OrganizationRoutesDeps } from './organizations.routes.ts';

export const organizationsModule: Module<OrganizationRoutesDeps> = {
  open(routes, deps) {
    registerOrganizationRoutes(routes, deps);
    const { database, expiringDays, keptDays } = deps;
    return {
      jobs: [
        {
          name: 'interrupted deletions of organizations',
          everyMs: 60_000,
          isShared: true,
          run: (now) => finishDeletions(deps, now),
        },
        { name: 'deleted organizations', everyMs: 3_600_000, run: (now) => purgeOrganizations(deps, now) },
        organizationFiguresJob(database, expiringDays),
        organizationRetentionJob(database, keptDays),
      ],
    };
  },
};
