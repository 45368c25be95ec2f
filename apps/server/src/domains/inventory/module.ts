import type { Module } from '../../platform/modules/module.ts';
import { sealedFor } from '../../platform/modules/sealed-column.ts';
import { createAuthoritySealing } from './certificates/certificates.service.ts';
import { registerInventoryRoutes, type InventoryRoutesDeps } from './inventory.routes.ts';

export const inventoryModule: Module<InventoryRoutesDeps> = {
  open: registerInventoryRoutes,
  sealed: [sealedFor('main_account_cas', 'sealed_key', { main_account_id: 'uuid' }, 'main_account_id', createAuthoritySealing)],
};
