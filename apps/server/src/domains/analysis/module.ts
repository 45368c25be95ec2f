import type { Module } from '../../platform/modules/module.ts';
import { registerAnalysisRoutes } from './analysis.routes.ts';

export const analysisModule: Module<Parameters<typeof registerAnalysisRoutes>[1]> = { open: registerAnalysisRoutes };
