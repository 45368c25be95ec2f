import type { Module } from '../../platform/modules/module.ts';
import { registerCommandRoutes } from './commands.routes.ts';

export const commandsModule: Module<Parameters<typeof registerCommandRoutes>[1]> = { open: registerCommandRoutes };
