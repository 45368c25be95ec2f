import { alerts } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** /alerts: the inbox (ALR-03). */
export const alertList = listSpec({
  id: 'alerts',
  defaultSize: 20,
  sorts: ['fired', 'severity'],
  fields: ['serial', 'vehicle', 'rule'],
  filters: {
    state: alerts.alertStateFilters,
    severity: alerts.severities,
    kind: alerts.alertKinds,
    group: 'text',
    rule: 'text',
    device: 'text',
    org: 'text',
    storm: 'text',
  },
});

/** /alerts/people: who is notified (SAY-05). */
export const peopleList = listSpec({
  id: 'alert-people',
  defaultSize: 20,
  sorts: ['mail'],
  fields: ['mail'],
  filters: { informed: ['true'] },
});

/** /alerts/actions: what rules did by themselves (WIN-03). */
export const actionList = listSpec({
  id: 'alert-actions',
  defaultSize: 20,
  sorts: ['at'],
  fields: ['vehicle', 'serial', 'rule'],
  filters: { state: alerts.actionStates, rule: 'text', device: 'text' },
});
