import type { Module } from '../../platform/modules/module.ts';
import { registerSummaryRoutes, type SummaryRoutesDeps } from './summaries.routes.ts';

export const summariesModule: Module<SummaryRoutesDeps> = {
  open: (routes, deps) => registerSummaryRoutes(routes, deps),
};
