import type { Module } from '../../platform/modules/module.ts';
import { registerAnalysisRoutes } from './analysis.routes.ts';

export const analysisModule: Module<Parameters<typeof registerAnalysisRoutes>[1]> = {
  open: registerAnalysisRoutes,
  // Also those of the main account’s users.
  organizationEnd: { lastTables: ['pinned_charts'] },
};
