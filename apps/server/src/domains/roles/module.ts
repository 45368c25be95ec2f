import type { Module } from '../../platform/modules/module.ts';
import { registerRoleRoutes, type RoleRoutesDeps } from './roles.routes.ts';

export const rolesModule: Module<RoleRoutesDeps> = {
  open(routes, deps) {
    registerRoleRoutes(routes, deps);
  },
  // Its people are gone.
  organizationEnd: { lastTables: ['own_roles'] },
};
