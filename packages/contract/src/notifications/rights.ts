import { listDevices, listSubscriptions } from '../devices/calls.ts';
import { listFirmware } from '../firmware/calls.ts';
import type { Right } from '../operation.ts';
import { listBindings } from '../rollouts/calls.ts';
import { listUsage } from '../usage/calls.ts';
import type { NotificationEvent } from './calls.ts';

/** Mails of notifications say what these calls answer: they are sent only to who may read it (NTF-01). */
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
