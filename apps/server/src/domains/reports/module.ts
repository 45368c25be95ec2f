import type { Module } from '../../platform/modules/module.ts';
import { registerReportRoutes } from './reports.routes.ts';
import { purgeReportsOf } from './reports.store.ts';

export const reportsModule: Module<Parameters<typeof registerReportRoutes>[1]> = {
  open: registerReportRoutes,
  organizationEnd: { purge: purgeReportsOf },
};
