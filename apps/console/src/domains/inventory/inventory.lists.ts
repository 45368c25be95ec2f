import { listSpec } from '../../ui/list/spec.ts';

/** /inventory: every router the main account sells (DECISIONS, Inventory and claiming). */
export const inventoryList = listSpec({
  id: 'inventory',
  defaultSize: 10,
  sorts: ['serial', 'mac', 'model', 'organization', 'presence', 'created'],
  fields: ['serial', 'mac', 'model', 'endpoint', 'organization'] as const,
  filters: { claimed: ['claimed', 'unclaimed'] as const },
});
