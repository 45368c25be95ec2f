import type { Module } from '../../platform/modules/module.ts';
import { registerGroupRoutes } from './groups.routes.ts';
import { purgeGroupsOf } from './groups.store.ts';

export const groupsModule: Module<Parameters<typeof registerGroupRoutes>[1]> = {
  open: registerGroupRoutes,
  organizationEnd: { purge: purgeGroupsOf },
};
