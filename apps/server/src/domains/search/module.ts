import type { Module } from '../../platform/modules/module.ts';
import { registerSearchRoutes } from './search.routes.ts';

export const searchModule: Module<Parameters<typeof registerSearchRoutes>[1]> = { open: registerSearchRoutes };
