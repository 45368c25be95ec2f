import { z } from 'zod';
import { tidyName } from '../text.ts';
import { adminOnly, everyRole, mainOnly, managers, operation } from '../operation.ts';
import { presence } from '../presence.ts';
import { offlineReasons } from './counted-presence.ts';
import { diagnosisFilters, diagnosisKinds } from '../diagnosis/diagnosis-kinds.ts';
import { finding, lossPlace } from '../diagnosis/finding.ts';
import { healthFilters } from './health-rating.ts';
import { rejection, rejectionReasons } from '../rejection.ts';
import { signalLimits } from './signal-quality.ts';
import {
  fileFormat,
  columnsOf,
  deletion,
  groupKey,
  language,
  limited,
  MAX_TAG_LENGTH,
  pageOf,
  pageQuery,
  paging,
  paragraph,
  sortOf,
  tags,
  tenantBody,
  tenantQuery,
  typedName,
} from '../conventions.ts';

const property = z.object({ id: z.string(), value: z.string() });

/**
 * Where a vehicle probably is, from the cell of the mobile network that serves it: the median of the places in which vehicles of its organization were
 * while it served them. It is no position: rules of geofences, trails, feeds and shared links do not know it.
 */
export const estimatedPosition = z.object({
  /** Degrees, WGS 84. */
  latitude: z.number(),
  longitude: z.number(),
  /** Metres within which nine of ten of those places are, at least 500. */
  radius: z.number(),
  /** Of its last contact, epoch seconds. */
  at: z.number().int(),
});
export type EstimatedPosition = z.infer<typeof estimatedPosition>;

/** Device in the API (part 1 section 3). Values the router never reported are '--' in the console and null here. */
export const device = z.object({
  device: z.string(),
  device_id: z.string(),
  serial_number: z.string(),
  mac: z.string(),
  vehicle_number: z.string(),
  vehicleNumber: z.string(),
  note: z.string(),
  tags: z.array(z.string()),
  group: z.string(),
  group_name: z.string(),
  /** True = online (DEV-08). */
  field_value: z.boolean(),
  /** Adds 'unknown', for the first seconds after a server start. */
  presence,
  /** Since when it has this presence, epoch seconds; null for a router that never connected. */
  presence_since: z.number().nullable(),
  /** The reason why the router is not online, one of `presenceReasons`; null while online. */
  presence_reason: z.string().nullable(),
  /** Why its being offline is no fault; null = it is one, or it is not offline (SAY-04). */
  offline_expected: z.enum(offlineReasons).nullable(),
  /** Why the last connection of its router was rejected, or what is wrong with its identity; null = nothing (`rejection` of its page). */
  rejected: z.enum(rejectionReasons).nullable(),
  /** The last contact, epoch seconds. */
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
  /** model, uptime (seconds), firmware, config, and other reported values. */
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
  /** 0 to 100; null = unknown (DPG-03). */
  health: z.number().int().nullable(),
  /** The most urgent thing that was found about it; null = nothing (SAY-02). */
  diagnosis: z.enum(diagnosisKinds).nullable(),
  /** Time of the newest position since the organization has the router, epoch seconds; null = there never was one (POS-07). */
  position_at: z.number().int().nullable(),
  /** Where it probably is, when it has no position or only one from before (SAY-08). */
  estimated_position: estimatedPosition.nullable(),
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
  'health',
  'diagnosis',
] as const;
export type DeviceSort = (typeof deviceSorts)[number];
/** 'any' = vehicle, serial number, ICCID, MTN, IMEI or MAC, in any case (SAY-10). */
export const deviceFields = ['serial', 'vehicle', 'group', 'config', 'organization', 'note', 'any'] as const;
/** 'starting' = it starts on a later day; those are not among 'not-subscribed'. */
export const subscriptionFilters = ['subscribed', 'expiring', 'not-subscribed', 'starting'] as const;
/** 'never' = its router never connected; 'parked' = its ignition is off; 'planned' = a rollout works on it. They are not among 'offline'. 'unknown' = not known yet, after a start of the server. */
export const presenceFilters = ['online', 'offline', 'unknown', 'parked', 'planned', 'never'] as const;
export type PresenceFilter = (typeof presenceFilters)[number];
export const expirationFilters = ['today', 'week', 'month'] as const;

/** Choices of how long a device must be offline to need attention, in seconds (ATT-01). */
export const offlineSpans = { '15m': 900, '1h': 3_600, '6h': 21_600, '1d': 86_400, '7d': 604_800 } as const;
export const offlineFilters = ['15m', '1h', '6h', '1d', '7d'] as const;
export type OfflineFilter = (typeof offlineFilters)[number];
export const positionFilters = ['never', 'old', 'rejected'] as const;
export type PositionFilter = (typeof positionFilters)[number];
/** Hours after which a position is old. */
export const OLD_POSITION_HOURS = 24;
/** A signal below this is weak: RSSI in dBm. */
export const WEAK_SIGNAL_DBM = signalLimits.rssi.fair;

/** Filters of the device lists (DEV-02, OGL-02); days of `expiration` are those of UTC, in which subscriptions end. */
export const deviceListQuery = tenantQuery.extend({
  ...pageQuery.shape,
  sort: sortOf(deviceSorts),
  field: z.enum(deviceFields).optional(),
  service: z.enum(subscriptionFilters).optional(),
  presence: z.enum(presenceFilters).optional(),
  /** Offline for longer than this; one that never connected, is parked, or that a rollout works on is not among them. */
  offline: z.enum(offlineFilters).optional(),
  /** Online with a signal below `WEAK_SIGNAL_DBM`. */
  signal: z.enum(['weak']).optional(),
  /** That never had a position, none for 24 hours, or whose positions are rejected since the newest (POS-07). */
  position: z.enum(positionFilters).optional(),
  /** With a rejected connection, or an identity that two routers use (DEV-08). */
  connection: z.enum(['rejected']).optional(),
  /** Inside of this geofence (POS-05). */
  geofence: z.string().max(60).optional(),
  /** With a health score of this rating. */
  health: z.enum(healthFilters).optional(),
  /** Of which this, or anything, was found (SAY-02). */
  diagnosis: z.enum(diagnosisFilters).optional(),
  /** With an eSIM that failed to download or to activate. */
  sim: z.enum(['failed']).optional(),
  group: groupKey.optional(),
  carrier: z.string().max(100).optional(),
  /** Devices with this tag; without regard to case, where none has it as written (BLK-02). */
  tag: limited(MAX_TAG_LENGTH, tidyName).min(1).optional(),
  expiration: z.enum(expirationFilters).optional(),
  /** IANA time zone, for the times in a CSV. */
  zone: z.string().max(60).optional(),
  /** Open the page that contains this device, instead of `offset` (SHR-04). */
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
  response: pageOf(device).extend({ online: z.number().int().optional() }),
});

/** Columns that a file of devices can have, by their ids on the device lists. */
export const deviceExportColumns = [
  'number',
  'service',
  'presence',
  'serial',
  'vehicle',
  'model',
  'uptime',
  'group',
  'firmware',
  'config',
  'mac',
  'carrier',
  'started',
  'expires',
  'note',
  'tags',
  'organization',
  'lastSeen',
  'technology',
  'cell_id',
  'imsi',
  'iccid',
  'imei',
  'eid',
  'mtn',
  'added',
  'health',
  'diagnosis',
  'position',
] as const;
export type DeviceExportColumn = (typeof deviceExportColumns)[number];

export const exportDevices = operation({
  id: 'devices.export',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/export',
  summary: 'The same list as CSV or Excel workbook (Devices_export), filtered and sorted alike (SHR-08).',
  scope: 'tenant',
  roles: everyRole,
  query: deviceListQuery.extend({
    layout: z.enum(['devices', 'organizations', 'sims', 'service']).optional(),
    format: fileFormat,
    columns: columnsOf(deviceExportColumns),
    language,
  }),
  response: z.string(),
  sends: 'file',
});

/** The most devices that an export can name. */
export const MAX_EXPORTED = 10_000;

export const exportChosen = operation({
  id: 'devices.exportChosen',
  method: 'POST',
  path: '/data_manager/v1/dm/devices/export',
  summary:
    'Named devices as CSV or Excel workbook (Devices_export), by serial number. With a foreign id the call is a 404 (BLK-01).',
  scope: 'tenant',
  roles: everyRole,
  body: tenantBody.extend({
    devices: z.array(z.string().max(60)).min(1).max(MAX_EXPORTED),
    layout: z.enum(['devices', 'organizations']).optional(),
    format: fileFormat,
    columns: columnsOf(deviceExportColumns),
    /** IANA time zone of the times. */
    zone: z.string().max(60).optional(),
    language,
  }),
  response: z.string(),
  sends: 'file',
});

/** The parts of a router's set-up after it connects: notifications by their kind, and the reports of its readings. */
export const setUpParts = ['subscriptions', 'boot', 'operations', 'push', 'heartbeat', 'changes', 'telemetry'] as const;
export type SetUpPart = (typeof setUpParts)[number];
/** A part that the router rejected: USP error code (0 = no response) and its own message on one line. */
export const setUpFault = z.object({ part: z.enum(setUpParts), code: z.number().int(), message: z.string() });
export type SetUpFault = z.infer<typeof setUpFault>;

export const getDevice = operation({
  id: 'devices.get',
  method: 'GET',
  path: '/data_manager/v1/dm/device',
  summary: 'One device with the content of its page (DEV-07); answers an ETag.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string() }),
  response: z.object({
    result: device.extend({
      /** Ready configuration of a router that never connected; null afterwards. */
      agent: z
        .object({
          url: z.string().meta({ examples: ['wss://highline.example/usp/4f1d'] }),
          endpointId: z.string(),
          controllerId: z.string(),
        })
        .nullable(),
      rejection,
      /** What was found about it, the most urgent first (SAY-02). */
      findings: z.array(finding),
      /** Figures of the 24 hours before `at` (epoch seconds), from which `health` was computed; null without a score. */
      health_inputs: z
        .object({
          at: z.number(),
          rsrp: z.number().nullable(),
          rssi: z.number().nullable(),
          drops: z.number().int(),
          temperature: z.number().nullable(),
          voltage: z.number().nullable(),
        })
        .nullable(),
      /** Milliseconds the router's clock is ahead of ours; null when unknown, ±2,147,483,647 when it is not set. */
      clock_skew: z.number().nullable(),
      /** Faults of its last set-up; null when it never was set up. */
      set_up: z
        .object({
          /** The server polls its readings, because it does not report them by itself. */
          polled: z.boolean(),
          /** Polling ended without a value: the router has no readings, and is polled again when it connects. */
          unread: z.boolean().optional(),
          faults: z.array(setUpFault),
        })
        .nullable(),
      /** What its data model has, such as 'reboot' or 'ping'; null when unknown (LIV-01). */
      offers: z.array(z.string()).nullable(),
    }),
  }),
});

/** Ranges of a device's readings: their length in hours, and the seconds that each point stands for. At most 362 points. */
export const readingRanges = {
  '1h': { hours: 1, step: 10 },
  '6h': { hours: 6, step: 60 },
  '24h': { hours: 24, step: 300 },
  '7d': { hours: 168, step: 3_600 },
  '30d': { hours: 720, step: 7_200 },
} as const;
export const readingRangeNames = ['1h', '6h', '24h', '7d', '30d'] as const;
export type ReadingRange = (typeof readingRangeNames)[number];

const readingPoint = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .describe('The beginning of a step (epoch seconds), and the least, mean and greatest value in it.');

export const deviceReadings = operation({
  id: 'devices.readings',
  method: 'GET',
  path: '/data_manager/v1/dm/device/readings',
  summary:
    'Measured values of a router over a range, one point for each step in which it measured any, and when it was offline (DPG-02).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string(), range: z.enum(readingRangeNames).optional() }),
  response: z.object({
    result: z.object({
      /** Epoch seconds. */
      from: z.number(),
      until: z.number(),
      /** Seconds from one point to the next. */
      step: z.number(),
      /** One for each parameter that was measured, oldest point first. */
      series: z.array(z.object({ parameter: z.string(), unit: z.string(), points: z.array(readingPoint) })),
      /** Times of at least a step in which the router was not connected, oldest first. */
      offline: z.array(z.tuple([z.number(), z.number()]).describe('From and until, epoch seconds.')),
    }),
  }),
});

export const deleteDevices = operation({
  id: 'devices.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/devices',
  summary: 'Archive devices and free their routers (DEV-04). With a foreign id the call is a 404 and none is deleted.',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend({ devices: z.array(z.string()).min(1).max(10_000) }),
  response: deletion,
});

export const saveDevice = operation({
  id: 'devices.save',
  method: 'PATCH',
  path: '/data_manager/v1/dm/device',
  summary: 'Change vehicle number, note, tags and group of a device (DEV-07, BLK-02). If-Match is honoured.',
  scope: 'tenant',
  roles: adminOnly,
  body: tenantBody.extend({
    device: z.string(),
    group: groupKey.optional(),
    vehicleNumber: typedName(60).optional(),
    note: paragraph(1_000).optional(),
    tags: tags.optional(),
    /** `confirmation` of the `moveImpact` of another group that the user has seen. */
    confirmed: z.string().max(64).optional(),
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

/** The most tags that are listed. */
export const MAX_LISTED_TAGS = 1_000;

export const listTags = operation({
  id: 'devices.tags',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/tags',
  summary: 'Tags of the devices that the caller may see, each with the number of its devices; the most used 1,000 (BLK-02).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(z.object({ tag: z.string(), devices: z.number() })) }),
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
  query: tenantQuery.extend({
    ...pageQuery.shape,
    sort: sortOf(['serial', 'expires', 'service', 'organization']),
    field: z.enum(['serial', 'note', 'organization']).optional(),
  }),
  response: pageOf(subscriptionEntry),
});

export const lastQuery = operation({
  id: 'devices.lastQuery',
  method: 'GET',
  path: '/data_manager/v1/statistics/last_query',
  summary: 'The latest properties of every device (`device=all_devices`) or of one.',
  scope: 'tenant',
  roles: everyRole,
  /** Without `device` the whole list is streamed, or a page of it by serial number if `limit` is given. */
  query: tenantQuery.extend({
    device: z.string().optional(),
    ...paging.shape,
  }),
  response: pageOf(
    z.object({
      device: z.string(),
      field_value: z.boolean(),
      properties: z.array(property),
      on: z.number().nullable().describe('Time of the newest value, epoch seconds (records have milliseconds); null = none.'),
    }),
  ),
});

/** Counts of the overview (OVW-01 … 04). */
/** Colours of carriers in charts. */
export const CARRIER_COLORS = 5;
const carrierColor = z.number().int().min(1).max(CARRIER_COLORS);

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
      /** Neither, shortly after a server start. */
      unknown: z.number(),
      /** Their routers never connected: not among those that are offline. */
      never: z.number(),
      /** Off with the ignition, and off while a rollout works on them: not among those that are offline (SAY-04). */
      parked: z.number(),
      planned: z.number(),
      /** Devices whose subscription is expiring. */
      expired: z.number(),
      devices: z.number(),
      group: z.number(),
      logs: z.number(),
      logsToday: z.number(),
      carriers: z.array(
        z.object({
          carrier: z.string(),
          /** SIMs: in use on this network, or an eSIM of this carrier that is not in use. */
          total: z.number(),
          /** Devices on this network, by the states that are counted apart. */
          online: z.number(),
          offline: z.number(),
          unknown: z.number(),
          never: z.number(),
          parked: z.number(),
          planned: z.number(),
          /** Place of its colour in the palette of charts, from 1; the same for everyone of the organization (SAY-11). */
          color: carrierColor,
        }),
      ),
    }),
  }),
});

export const saveCarrierColor = operation({
  id: 'devices.saveCarrierColor',
  method: 'PUT',
  path: '/data_manager/v1/dm/carrier-color',
  summary: 'Change the color of a carrier in charts, for everyone of the organization (SAY-11).',
  scope: 'tenant',
  roles: managers,
  body: tenantBody.extend({ carrier: z.string().min(1).max(200), color: carrierColor }),
  bodyExample: { carrier: 'Verizon', color: 2 },
  response: z.object({ result: z.object({ carrier: z.string(), color: carrierColor }) }),
});

/** A device by its name. */
const namedDevice = z.object({
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  org: z.string(),
  projectName: z.string(),
});

/** A device that is offline for longer than was chosen. */
const offlineDevice = namedDevice.extend({
  /** Epoch seconds. */
  since: z.number(),
  /** One of `presenceReasons`. */
  reason: z.string().nullable(),
  /** The network and the cell that served it last; null when the router never reported them. */
  carrier: z.string().nullable(),
  cell: z.string().nullable(),
});

export const attention = operation({
  id: 'devices.attention',
  method: 'GET',
  path: '/data_manager/v1/dm/attention',
  summary: 'What needs attention now: each number is the total of a list with the filter of the same meaning.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ offline: z.enum(offlineFilters).optional() }),
  response: z.object({
    result: z.object({
      /** Devices that are offline for longer than `offline` (1 h if left out), with those that went offline last. */
      offline: z.object({ total: z.number().int(), latest: z.array(offlineDevice) }),
      /** Devices that are online with a weak signal. */
      weak: z.number().int(),
      /** Devices with a rejected connection, or an identity that two routers use. */
      connections: z.number().int(),
      /** Devices whose positions are rejected. */
      positions: z.number().int(),
      /** Devices with an eSIM that failed. */
      sims: z.number().int(),
      /** Devices whose subscription is expiring; those without one, or with one that ended; those whose subscription starts later. */
      expiring: z.number().int(),
      unsubscribed: z.number().int(),
      starting: z.number().int(),
      /** Devices whose routers never connected. */
      never: z.number().int(),
      /** Devices that are off with the ignition, and that a rollout works on (SAY-04). */
      parked: z.number().int(),
      planned: z.number().int(),
      /** Groups with a rollout of which routers failed or were rolled back; with a paused one. */
      rollouts: z.object({ failed: z.number().int(), paused: z.number().int() }),
      /** Alerts that fire and are not acknowledged, and how many of them are critical. */
      alerts: z.object({ firing: z.number().int(), critical: z.number().int() }),
      /** Critical alerts by name, at most three, the newest first. */
      criticalAlerts: z.array(namedDevice.extend({ alert: z.string(), ruleName: z.string() })),
      /** The first three devices of each count by name (SAY-01); those of `rollouts` failed. */
      first: z.object({
        weak: z.array(namedDevice),
        connections: z.array(namedDevice),
        positions: z.array(namedDevice),
        sims: z.array(namedDevice),
        expiring: z.array(namedDevice),
        unsubscribed: z.array(namedDevice),
        rollouts: z.array(namedDevice),
      }),
      /** What was found about devices, with the number of them and the first three, the most urgent first (SAY-02). */
      diagnoses: z.array(z.object({ kind: z.enum(diagnosisKinds), total: z.number().int(), first: z.array(namedDevice) })),
      /** How the fleet differs from what is usual at this hour of the week; null = it does not (SAY-01). */
      deviation: z
        .object({
          /** Devices offline, of those that have connected. */
          offline: z.number().int(),
          devices: z.number().int(),
          /** How many usually are; null = there is no history of three weeks, or of four workdays. */
          usual: z.object({ least: z.number().int(), most: z.number().int() }).nullable(),
          /** Since when there are more than usual, epoch seconds. */
          since: z.number(),
          /** What at least four of five of those have in common, and how many of all that are offline (`of`) have it. */
          shared: z
            .object({
              kind: z.enum(['carrier', 'group']),
              name: z.string(),
              /** The organization of a group; null for a carrier. */
              projectName: z.string().nullable(),
              devices: z.number().int(),
              of: z.number().int(),
            })
            .nullable(),
          latest: z.array(namedDevice),
        })
        .nullable(),
    }),
  }),
});

export const onlineShare = operation({
  id: 'devices.onlineShare',
  method: 'GET',
  path: '/data_manager/v1/dm/statistics/online',
  summary:
    'How many of the devices that have connected were online: every five minutes of the last day, or means of the hours of the last week.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ hours: z.enum(['24', '168']).optional() }),
  response: z.object({
    /** Oldest first. A moment without a server is missing. */
    result: z.array(z.object({ /** Epoch seconds. */ at: z.number(), online: z.number().int(), devices: z.number().int() })),
  }),
});

export const topics = ['devices', 'telemetry'] as const;

export const schemaNames = {
  DeviceEstimatedPosition: estimatedPosition,
  Finding: finding,
  LossPlace: lossPlace,
  NamedDevice: namedDevice,
  Device: device,
  DeviceNow: lastQuery.response.shape.result.element,
  DeviceValue: device.shape.properties.element,
  ReadingSeries: deviceReadings.response.shape.result.shape.series.element,
  RolloutCounts: attention.response.shape.result.shape.rollouts,
  SetUpFault: setUpFault,
};
