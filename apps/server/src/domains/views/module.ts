import type { Module } from '../../platform/modules/module.ts';
import { registerViewRoutes } from './views.routes.ts';
import { purgeViewsOf } from './views.store.ts';

export const viewsModule: Module<Parameters<typeof registerViewRoutes>[1]> = {
  open: registerViewRoutes,
  organizationEnd: { purge: purgeViewsOf },
};
