import type { Module } from '../../platform/modules/module.ts';
import { registerAnalysisRoutes } from './analysis.routes.ts';
import { purgePinsOf } from './pins.store.ts';

export const analysisModule: Module<Parameters<typeof registerAnalysisRoutes>[1]> = {
  open: registerAnalysisRoutes,
  organizationEnd: { purge: purgePinsOf },
};
