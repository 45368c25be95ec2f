import { alerts } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /alerts: the inbox (ALR-03). */
export const alertList = listSpec({
  id: 'alerts',
  defaultSize: 20,
  sorts: ['fired'],
  fields: ['serial', 'vehicle', 'rule'],
  filters: {
    state: alerts.alertStateFilters,
    severity: alerts.severities,
    kind: alerts.conditionKinds,
    group: 'text',
    rule: 'text',
    device: 'text',
    org: 'text',
    storm: 'text',
  },
});
