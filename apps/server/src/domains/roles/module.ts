import type { Module } from '../../platform/modules/module.ts';
import { purgeRolesOf } from './roles.store.ts';
import { registerRoleRoutes, type RoleRoutesDeps } from './roles.routes.ts';

export const rolesModule: Module<RoleRoutesDeps> = {
  open(routes, deps) {
    registerRoleRoutes(routes, deps);
  },
  organizationEnd: { purge: purgeRolesOf },
};
