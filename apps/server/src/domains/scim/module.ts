import type { Module } from '../../platform/modules/module.ts';
import { purgeDirectories } from './directories.purge.ts';
import { registerScimRoutes, type ScimRoutesDeps } from './scim.routes.ts';
import { removeDirectoryOf } from './secrets.store.ts';

export const scimModule: Module<ScimRoutesDeps> = {
  open(routes, deps) {
    registerScimRoutes(routes, deps);
    return { jobs: [{ name: 'directories: retention', everyMs: 3_600_000, run: (now) => purgeDirectories(deps.database, now) }] };
  },
  organizationEnd: { close: removeDirectoryOf },
};
