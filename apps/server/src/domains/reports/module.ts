import type { Module } from '../../platform/modules/module.ts';
import { registerReportRoutes } from './reports.routes.ts';

export const reportsModule: Module<Parameters<typeof registerReportRoutes>[1]> = {
  open: registerReportRoutes,
  // Also those of the main account’s users.
  organizationEnd: { lastTables: ['saved_reports'] },
};
