import { listAlerts } from '../alerts/calls.ts';
import { deadZones, vehicles } from '../coverage/calls.ts';
import { listDevices } from '../devices/calls.ts';
import { listLogs } from '../logs/calls.ts';
import type { Right } from '../operation.ts';
import { listOutages, sumOutages } from '../outages/calls.ts';
import { listRollouts } from '../rollouts/calls.ts';
import { listUsage } from '../usage/calls.ts';
import type { SummaryKind } from './kinds.ts';

/** Who may read a summary may make the call that lists the same (RPM-01). */
export const summaryRights: Readonly<Record<SummaryKind, Right>> = {
  'data-use': listUsage,
  availability: sumOutages,
  outages: listOutages,
  signal: vehicles,
  coverage: deadZones,
  alerts: listAlerts,
  people: listLogs,
  'remote-sessions': listLogs,
  inventory: listDevices,
  settings: listRollouts,
  subscriptions: listDevices,
};
