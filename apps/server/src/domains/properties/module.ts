import type { Module } from '../../platform/modules/module.ts';
import { registerPropertyRoutes } from './properties.routes.ts';

export const propertiesModule: Module<Parameters<typeof registerPropertyRoutes>[1]> = {
  open: registerPropertyRoutes,
  // Its devices and their values are already deleted.
  organizationEnd: { lastTables: ['custom_properties'] },
};
