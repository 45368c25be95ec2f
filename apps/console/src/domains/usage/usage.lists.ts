import { usage } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /usage: data used in a cycle (USE-02). */
export const usageList = listSpec({
  id: 'usage',
  defaultSize: 10,
  sorts: usage.usageSorts,
  fields: usage.usageSearchFields,
  filters: { by: usage.usageKinds, cycle: usage.usageCycles, org: 'text' },
  keeps: ['by', 'cycle', 'org'],
});
