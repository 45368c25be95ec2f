import type { Module } from '../../platform/modules/module.ts';
import { registerViewRoutes } from './views.routes.ts';

export const viewsModule: Module<Parameters<typeof registerViewRoutes>[1]> = {
  open: registerViewRoutes,
  organizationEnd: { lastTables: ['default_views', 'saved_views'] },
};
