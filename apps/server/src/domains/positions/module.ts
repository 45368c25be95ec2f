import type { Module } from '../../platform/modules/module.ts';
import { registerPositionRoutes } from './positions.routes.ts';

export const positionsModule: Module<Parameters<typeof registerPositionRoutes>[1]> = { open: registerPositionRoutes };
