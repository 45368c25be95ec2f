import { listAlerts } from '../alerts/calls.ts';
import { listDevices, listSubscriptions } from '../devices/calls.ts';
import { listProfiles } from '../esims/calls.ts';
import { listLogs } from '../logs/calls.ts';
import type { Right } from '../operation.ts';
import { listRollouts } from '../rollouts/calls.ts';
import type { SubscribedEvent } from './webhook-events.ts';

/** Events carry what these calls answer: a webhook for them sends no one more than its maker may read (HKS-01). */
export const eventRights: Readonly<Record<SubscribedEvent, Right>> = {
  'device.online': listDevices,
  'device.offline': listDevices,
  'device.added': listDevices,
  'device.removed': listDevices,
  'device.alarm': listDevices,
  'rollout.started': listRollouts,
  'rollout.paused': listRollouts,
  'rollout.resumed': listRollouts,
  'rollout.cancelled': listRollouts,
  'rollout.ended': listRollouts,
  'rollout.device_updated': listRollouts,
  'rollout.device_failed': listRollouts,
  'esim.downloaded': listProfiles,
  'esim.in_use': listProfiles,
  'esim.failed': listProfiles,
  'esim.deleted': listProfiles,
  'subscription.changed': listSubscriptions,
  'subscription.ending': listSubscriptions,
  'remote.opened': listLogs,
  'remote.ended': listLogs,
  'log.entry': listLogs,
  'alert.fired': listAlerts,
  'alert.acknowledged': listAlerts,
  'alert.resolved': listAlerts,
};
