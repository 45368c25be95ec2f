import { z } from 'zod';
import { adminOnly, everyRole, mainOnly, managers, operation } from './operation.ts';
import { beginsAt, language, line, pageOf, pageQuery, paragraph, sortOf, tenantBody, tenantQuery } from './wire.ts';

export const presence = z.enum(['online', 'offline', 'unknown']);
export type Presence = z.infer<typeof presence>;

/**
 * Codes of `presence_reason` and of a connectivity event's `reason`; whoever shows them has words for each. A 'boot' event's
 * reason is the router's own (TR-181 Boot! Cause), e.g. 'LocalReboot', or 'boot' when it gave none.
 */
export const presenceReasons = [
  /** Online: it connected. */
  'connected',
  /** Online: its newer connection took the place of an older one that was still open. */
  'replaced',
  /** Online, but two routers seem to use this identity in turn. */
  'cloned',
  /** It says another serial number than the inventory's. */
  'serial-mismatch',
  /** Nothing was heard for the keep-alive window: power or coverage lost. */
  'no-answer',
  /** It closed the connection itself. */
  'closed-by-router',
  /** The connection broke without a closing handshake. */
  'connection-lost',
  /** Closed from here: its device was deleted, or it left the inventory. */
  'disconnected',
  /** Closed from here: it sent what is no USP. */
  'protocol-fault',
  /** Closed from here: it kept sending far too much. */
  'flooding',
  /** Unknown: the server started a moment ago. */
  'server-restarted',
  /** Offline: it did not come back after the server restarted. */
  'not-heard-since-restart',
] as const;
export type PresenceReason = (typeof presenceReasons)[number];

const property = z.object({ id: z.string(), value: z.string() });

/** Device on the wire (part 1 section 3). Values the router never told read '--' in the console and are null here. */
export const device = z.object({
  device: z.string(),
  device_id: z.string(),
  serial_number: z.string(),
  mac: z.string(),
  vehicle_number: z.string(),
  vehicleNumber: z.string(),
  note: z.string(),
  group: z.string(),
  group_name: z.string(),
  /** True = online (DEV-08). */
  field_value: z.boolean(),
  /** Adds 'unknown', for the first seconds after a server start. */
  presence,
  /** Since when the presence is as it is, epoch seconds; null for a router never heard. */
  presence_since: z.number().nullable(),
  /** Why the router is not online, one of `presenceReasons`; null while online. */
  presence_reason: z.string().nullable(),
  /** When the router was last heard, epoch seconds. */
  last_seen: z.number().nullable(),
  device_name: z.string(),
  device_type_id: z.string(),
  updated: z.string(),
  device_created: z.string(),
  projectId: z.string(),
  projectName: z.string(),
  org: z.string(),
  /** 'In Warranty', 'Expiring', 'Not subscribed'. */
  subscription_status: z.string(),
  /** First and last day of the subscription, MM/DD/YYYY; empty when never set. */
  started: z.string(),
  expired: z.string(),
  is_expired: z.boolean(),
  udid: z.string(),
  /** model, uptime (seconds), firmware, config, and more that the router told. */
  properties: z.array(property),
  cellular_mno: z.string().nullable(),
  cellular_imsi: z.string().nullable(),
  cellular_iccid: z.string().nullable(),
  cellular_mtn: z.string().nullable(),
  cellular_imei: z.string().nullable(),
  cellular_eid: z.string().nullable(),
  /** dBm. */
  cellular_rssi: z.number().nullable(),
  cellular_technology: z.string().nullable(),
});
export type Device = z.infer<typeof device>;

export const deviceSorts = [
  'serial',
  'vehicle',
  'model',
  'uptime',
  'group',
  'firmware',
  'config',
  'carrier',
  'presence',
  'service',
  'expires',
  'organization',
] as const;
export type DeviceSort = (typeof deviceSorts)[number];
export const deviceFields = ['serial', 'vehicle', 'group', 'config', 'organization', 'note'] as const;
export const subscriptionFilters = ['subscribed', 'expiring', 'not-subscribed'] as const;
export const expirationFilters = ['today', 'week', 'month'] as const;

/** Filters of the device lists (DEV-02, OGL-02); days of `expiration` are reckoned in `zone`. */
export const deviceListQuery = tenantQuery.extend({
  ...pageQuery.shape,
  sort: sortOf(deviceSorts),
  field: z.enum(deviceFields).optional(),
  service: z.enum(subscriptionFilters).optional(),
  presence: z.enum(['online', 'offline']).optional(),
  group: z.string().max(100).optional(),
  carrier: z.string().max(100).optional(),
  expiration: z.enum(expirationFilters).optional(),
  /** IANA time zone, for `expiration` and for the times in a CSV. */
  zone: z.string().max(60).optional(),
  /** Open the page this device stands on, instead of `offset` (SHR-04). */
  around: z.string().max(60).optional(),
});
export type DeviceListQuery = z.infer<typeof deviceListQuery>;

export const listDevices = operation({
  id: 'devices.list',
  method: 'GET',
  path: '/data_manager/v1/dm/devices',
  summary: 'Devices of an organization, or of all organizations of a main account (DEV-01, OGL-01).',
  scope: 'tenant',
  roles: everyRole,
  query: deviceListQuery,
  /** `offset` tells where the page begins, also after `cursor` or `around`. */
  response: pageOf(device).extend({ ...beginsAt, online: z.number().int().optional() }),
});

export const exportDevices = operation({
  id: 'devices.export',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/export',
  summary: 'The same list as CSV (Devices_export), filtered and sorted alike (SHR-08).',
  scope: 'tenant',
  roles: everyRole,
  query: deviceListQuery.extend({
    layout: z.enum(['devices', 'organizations', 'sims', 'service']).optional(),
    language,
  }),
  response: z.string(),
  answer: 'file',
});

/** Newest telemetry of the day: epoch seconds and values per parameter. */
const series = z.object({ parameter: z.string(), unit: z.string(), points: z.array(z.tuple([z.number(), z.number()])) });

export const getDevice = operation({
  id: 'devices.get',
  method: 'GET',
  path: '/data_manager/v1/dm/device',
  summary: 'One device with what its page shows (DEV-07); answers an ETag.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string() }),
  response: z.object({
    result: device.extend({
      /** Ready configuration of a router that was never heard; null afterwards. */
      agent: z.object({ url: z.string(), endpointId: z.string(), controllerId: z.string() }).nullable(),
      /** Milliseconds the router's clock is ahead of ours; null when unknown. */
      clock_skew: z.number().nullable(),
    }),
  }),
});

export const deviceTelemetry = operation({
  id: 'devices.telemetry',
  method: 'GET',
  path: '/data_manager/v1/dm/device/telemetry',
  summary: 'What a router measured lately, thinned to at most 300 points per parameter.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string(), hours: z.coerce.number().int().min(1).max(168).optional() }),
  response: z.object({ result: z.array(series) }),
});

export const timelineKinds = ['connection', 'rollout', 'action', 'alarm', 'sim', 'remote'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const moment = {
  /** Tells this from everything else on the timeline. */
  id: z.string(),
  /** Epoch seconds. */
  at: z.number(),
};

/** Something that happened to a device. */
export const timelineItem = z.discriminatedUnion('kind', [
  z.object({
    ...moment,
    kind: z.literal('connection'),
    event: z.enum(['online', 'offline', 'boot', 'cloned']),
    reason: z.string(),
  }),
  /** A step of a rollout: `state` is one of the target's states, or 'ended' when the rollout left the router before it was done. */
  z.object({
    ...moment,
    kind: z.literal('rollout'),
    file: z.enum(['firmware', 'config']),
    label: z.string(),
    state: z.string(),
    reason: z.string(),
    /** Key of the group it was bound to; null when that is gone. */
    group: z.string().nullable(),
  }),
  /** What a person did, from the log of the device's organization. */
  z.object({
    ...moment,
    kind: z.literal('action'),
    email: z.string(),
    role: z.string(),
    subject: z.string(),
    /** Its place in the log. */
    seq: z.number().int(),
  }),
  /** `event` names it; `state` is 'raised', 'cleared' or 'happened'. */
  z.object({ ...moment, kind: z.literal('alarm'), event: z.string(), state: z.string(), reason: z.string() }),
  /** What became of an eSIM profile: `label` is its name or number, `reason` as in the profile. */
  z.object({
    ...moment,
    kind: z.literal('sim'),
    label: z.string(),
    state: z.enum(['downloaded', 'in-use', 'failed', 'deleted']),
    reason: z.string(),
  }),
  /** A remote session; `reason` says why it ended. */
  z.object({
    ...moment,
    kind: z.literal('remote'),
    type: z.enum(['ssh', 'gui']),
    state: z.enum(['opened', 'told', 'ended']),
    reason: z.string(),
    /** E-mail of who opened it; empty where it was another organization's, or is long ago. */
    by: z.string(),
  }),
]);
export type TimelineItem = z.infer<typeof timelineItem>;

export const deviceTimeline = operation({
  id: 'devices.timeline',
  method: 'GET',
  path: '/data_manager/v1/dm/device/timeline',
  summary:
    'What happened to a device, newest first: connections, rollouts, what people did, alarms, eSIM profiles, remote sessions.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    device: z.string(),
    kind: z.enum(timelineKinds).optional(),
    /** 20 where nothing is said. */
    limit: pageQuery.shape.limit,
    cursor: pageQuery.shape.cursor,
  }),
  response: z.object({ result: z.array(timelineItem), next: z.string().nullable() }),
});

/** A device as the add form sends it (part 2 section 3). Serial and MAC are checked against the inventory, by name. */
export const newDevice = z.object({
  group: z.string().max(100).optional(),
  serial_number: z.string().trim().min(1).max(100),
  mac: z.string().trim().min(1).max(40),
  started: z.string().trim().max(20),
  expired: z.string().trim().max(20),
});

export const addDevices = operation({
  id: 'devices.add',
  method: 'POST',
  path: '/data_manager/v1/dm/devices',
  summary: 'Add devices by hand: claims inventory entries for an organization, all or none (DEV-05, DEV-06).',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend({ device_type_id: z.string().optional(), devices: z.array(newDevice).min(1).max(500) }),
  response: z.object({ result: z.array(device) }),
});

/** The most devices one batch creates (OLD-04). */
export const MAX_BATCH = 1_000;

/**
 * A batch of like devices (OLD-04): `batch` free routers of one model in the order of their serial numbers, each with the name and a
 * number that counts up.
 */
export const newBatch = z.object({
  /** As the inventory has it; empty for routers that entered without one. */
  model: line(60),
  /** A blank at its end stays: 'Bus ' becomes 'Bus 1'. */
  name: z
    .string()
    .overwrite((text) => text.trimStart())
    .min(1)
    .max(50)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters'),
  /** Digits of the first number; with leading zeros all numbers get as many digits ('001'). */
  first: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/u, 'must be up to 6 digits')
    .optional(),
  batch: z.number().int().min(1).max(MAX_BATCH),
  group: z.string().max(100).optional(),
  /** Of the first router to be taken; without it, of the first in stock. */
  serial_number: z
    .string()
    .trim()
    .max(100)
    .regex(/^[A-Za-z0-9._-]*$/u, 'may hold letters, digits, dot, hyphen and underscore')
    .optional(),
  started: z.string().trim().max(20),
  expired: z.string().trim().max(20),
});

/** One device of a batch; `device` is empty where nothing was written (`?dryRun`). */
const batchRow = z.object({ device: z.string(), vehicle_number: z.string(), serial_number: z.string(), mac: z.string() });

export const addBatch = operation({
  id: 'devices.addBatch',
  method: 'POST',
  path: '/data_manager/v1/dm/devices/series',
  summary: 'Create so many devices of one model, named name + number, from the routers in stock: all or none (OLD-04).',
  scope: 'organization',
  // Whoever takes routers out of the stock without holding them in hand must own the stock.
  roles: mainOnly,
  query: z.object({ dryRun: z.string().optional() }),
  body: tenantBody.extend({ device_type_id: z.string().optional(), ...newBatch.shape }),
  response: z.object({ result: z.object({ dryRun: z.boolean(), devices: z.array(batchRow) }) }),
});

/** What a bulk import did, row by row. */
export const importResult = z.object({
  /** True when nothing was written (`?dryRun`). */
  dryRun: z.boolean(),
  success: z.number().int(),
  total: z.number().int(),
  /** At most 1,000 of the rows that failed. `row` counts lines as a spreadsheet does, the header is row 1. */
  fail: z.array(z.object({ row: z.number().int(), serial: z.string(), mac: z.string(), error: z.string() })),
  /** Number of all rows that failed. */
  failed: z.number().int(),
  /** Ids of what was added, for the highlight cookie, at most 200. */
  ids: z.array(z.string()),
});
export type ImportResult = z.infer<typeof importResult>;

export const importDevices = operation({
  id: 'devices.import',
  method: 'POST',
  path: '/data_manager/v1/dm/devices/batch',
  summary: 'Add devices from a CSV (SN, MAC, start date, expiry date): good rows are kept, bad rows listed (DEV-05, DEV-06).',
  // A main account may check a file for an organization that does not exist yet (ORG-03); only the check works without one.
  scope: 'tenant',
  roles: managers,
  query: z.object({ dryRun: z.string().optional() }),
  /** `layout` organization: the two dates may be left out (ORG-03). */
  body: tenantBody.extend({
    device_type_id: z.string().optional(),
    layout: z.enum(['devices', 'organization']).optional(),
  }),
  bodyKind: 'multipart',
  response: z.object({ result: importResult }),
});

export const deleteDevices = operation({
  id: 'devices.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/devices',
  summary: 'Archive devices and free their routers (DEV-04). A foreign id among them answers 404 and deletes none.',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend({ devices: z.array(z.string()).min(1).max(10_000) }),
  response: z.object({ result: z.object({ deleted: z.number() }) }),
});

export const saveDevice = operation({
  id: 'devices.save',
  method: 'PATCH',
  path: '/data_manager/v1/dm/device',
  summary: 'Change vehicle number, note and group of a device (DEV-07). If-Match is honoured.',
  scope: 'tenant',
  roles: adminOnly,
  body: tenantBody.extend({
    device: z.string(),
    group: z.string().max(100).optional(),
    vehicleNumber: line(60).optional(),
    note: paragraph(1_000).optional(),
  }),
  response: z.object({ result: device }),
});

export const saveSubscription = operation({
  id: 'devices.saveSubscription',
  method: 'PATCH',
  path: '/data_manager/v1/dm/device/subscription',
  summary: "Set the first and the last day of a device's subscription (MM/DD/YYYY, UTC). If-Match is honoured.",
  scope: 'tenant',
  roles: mainOnly,
  body: tenantBody.extend({
    device: z.string(),
    started: z.string().trim().max(20),
    expired: z.string().trim().max(20),
  }),
  response: z.object({ result: device }),
});

/** Device subscription entry (part 1 section 3). */
const subscriptionEntry = z.object({
  device_id: z.string(),
  expired: z.string(),
  is_expired: z.boolean(),
  subscription_status: z.string(),
  note: z.string(),
  project: z.string(),
  serial_number: z.string(),
});

export const listSubscriptions = operation({
  id: 'devices.subscriptions',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/subscribe',
  summary: 'Subscription state of every device the caller may see.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend(pageQuery.shape),
  response: pageOf(subscriptionEntry),
});

export const lastQuery = operation({
  id: 'devices.lastQuery',
  method: 'GET',
  path: '/data_manager/v1/statistics/last_query',
  summary: 'The newest properties of every device (`device=all_devices`) or of one.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string().optional() }),
  response: pageOf(
    z.object({ device: z.string(), field_value: z.boolean(), properties: z.array(property), on: z.number().nullable() }),
  ),
});

/** Counts of the overview (OVW-01 … 04). */
export const statistics = operation({
  id: 'devices.statistics',
  method: 'GET',
  path: '/data_manager/v1/dm/statistics',
  summary: 'Counts for the overview: devices online, offline and expiring, groups, log entries, SIMs per carrier.',
  scope: 'tenant',
  roles: everyRole,
  /** `zone`: IANA time zone in which `logsToday` begins its day. */
  query: tenantQuery.extend({ zone: z.string().max(60).optional() }),
  response: z.object({
    result: z.object({
      online: z.number(),
      offline: z.number(),
      /** Neither, while the server has just started. */
      unknown: z.number(),
      /** Devices whose subscription is expiring. */
      expired: z.number(),
      devices: z.number(),
      group: z.number(),
      logs: z.number(),
      logsToday: z.number(),
      carriers: z.array(z.object({ carrier: z.string(), total: z.number(), online: z.number(), offline: z.number() })),
    }),
  }),
});

export const deviceOperations = [
  listDevices,
  exportDevices,
  getDevice,
  deviceTelemetry,
  deviceTimeline,
  addDevices,
  addBatch,
  importDevices,
  deleteDevices,
  saveDevice,
  saveSubscription,
  listSubscriptions,
  lastQuery,
  statistics,
] as const;
