import type { Module } from '../../platform/modules/module.ts';
import { registerPropertyRoutes } from './properties.routes.ts';
import { purgePropertiesOf } from './properties.store.ts';

export const propertiesModule: Module<Parameters<typeof registerPropertyRoutes>[1]> = {
  open: registerPropertyRoutes,
  organizationEnd: { purge: purgePropertiesOf },
};
