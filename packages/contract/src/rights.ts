import { deleteAccount } from './accounts/calls.ts';
import { listAlerts } from './alerts/calls.ts';
import { revokeKey } from './api-keys/calls.ts';
import type { JobKind, RowList } from './bulk-jobs/calls.ts';
import { deleteColleague } from './accounts/colleagues.ts';
import { runCommand } from './commands/calls.ts';
import { deleteConfig } from './configs/calls.ts';
import { deleteDevices, listDevices, listSubscriptions, saveDevice, saveSubscription } from './devices/calls.ts';
import { listProfiles, useProfile } from './esims/calls.ts';
import { deleteFirmware, listFirmware } from './firmware/calls.ts';
import { deleteGroups } from './groups/calls.ts';
import { deleteRouters } from './inventory/calls.ts';
import { listLogs } from './logs/calls.ts';
import { deleteRecipients, type NotificationEvent } from './notifications/calls.ts';
import type { Operation } from './operation.ts';
import { deleteOrganization } from './organizations/calls.ts';
import {
  bindConfig,
  bindFirmware,
  listBindings,
  listRollouts,
  unbindConfig,
  unbindFirmware,
  type BindingKind,
} from './rollouts/calls.ts';
import { listUsage } from './usage/calls.ts';
import type { PlanAction } from './usage/usage-plans.ts';
import type { SubscribedEvent } from './webhooks/webhook-events.ts';

/**
 * A call that a person or an API key must be allowed to make before something else does the same in their name: a job, a data plan, a webhook.
 * Roles and API keys are both compared with it, when the other thing is saved and when it acts.
 */
export type Right = Pick<Operation, 'id' | 'roles'>;

/** What a job of each kind does to many devices is done to one by this call (BLK-01). */
const jobRights: Readonly<Record<Exclude<JobKind, 'remove'>, Right>> = {
  move: saveDevice,
  subscription: saveSubscription,
  tags: saveDevice,
  command: runCommand,
  delete: deleteDevices,
};

/** What a job that deletes rows of a list does to many is done to one by this call. */
const removalRights: Readonly<Record<RowList, Right>> = {
  groups: deleteGroups,
  configs: deleteConfig,
  users: deleteAccount,
  colleagues: deleteColleague,
  inventory: deleteRouters,
  organizations: deleteOrganization,
  notifications: deleteRecipients,
  firmware: deleteFirmware,
  apiKeys: revokeKey,
};

/**
 * Devices that join or leave a group together with its other fields, or return from one that is deleted, are moved as by this call (GRP-04, GRP-09).
 * Users with Full Control of a group choose its devices too: the role is checked by the calls of groups.
 */
export const moveRight: Right = { id: saveDevice.id, roles: ['admin', 'user'] };

/** The rights that a job needs besides that to start it. */
export function rightsOfJob(
  action: { readonly kind: Exclude<JobKind, 'remove'> } | { readonly kind: 'remove'; readonly list: RowList },
): readonly Right[] {
  if (action.kind !== 'remove') return [jobRights[action.kind]];
  return action.list === 'groups' ? [removalRights.groups, saveDevice] : [removalRights[action.list]];
}

/** What a data plan does at the allowance; mails of plans go to the notification recipients, in no one's name (USE-03). */
export const planRights: Readonly<Record<PlanAction, Right | null>> = { mail: null, command: runCommand, profile: useProfile };

/** Files that are bound to a group or removed from it together with its other fields (GRP-06, GRP-08). */
export const bindingRights: Readonly<Record<BindingKind, Readonly<Record<'bind' | 'unbind', Right>>>> = {
  firmware: { bind: bindFirmware, unbind: unbindFirmware },
  config: { bind: bindConfig, unbind: unbindConfig },
};

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

/** The same for the mails of notifications (NTF-01). */
export const notificationRights: Readonly<Record<NotificationEvent, Right>> = {
  TODAY_NOTIFY_SUBSCRIPTION: listSubscriptions,
  WEEK_NOTIFY_SUBSCRIPTION: listSubscriptions,
  MONTH_NOTIFY_SUBSCRIPTION: listSubscriptions,
  FIRMWARE_UPLOADED: listFirmware,
  FOTA_GROUP_SETUP: listBindings,
  DEVICE_DELETED: listDevices,
  DEVICE_ADDED: listDevices,
  CONFIG_UPLOADED: listBindings,
  BATTERY_LOW: listDevices,
  BATTERY_LOW_CLEAR: listDevices,
  THERMAL_5G_PROTECT: listDevices,
  THERMAL_5G_PROTECT_CLEAR: listDevices,
  DEVICE_ADMIN_CHANGE_PASSWORD: listDevices,
  DEVICE_FACTORY_RESET: listDevices,
  DATA_USE: listUsage,
};
