import type { Module } from '../../platform/modules/module.ts';
import { registerGroupRoutes } from './groups.routes.ts';

export const groupsModule: Module<Parameters<typeof registerGroupRoutes>[1]> = {
  open: registerGroupRoutes,
  // No device is left in them.
  organizationEnd: { lastTables: ['groups'] },
};
