import { z } from 'zod';
import { fileFormat, language, pageQuery, tenantBody, tenantQuery } from '../conventions.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';

export const uplinkKinds = ['cellular', 'ethernet', 'wifi', 'satellite'] as const;
export type UplinkKind = (typeof uplinkKinds)[number];

/** A way from the router to the internet (LIV-10). */
export const uplink = z.object({
  name: z.string(),
  kind: z.enum(uplinkKinds),
  enabled: z.boolean(),
  up: z.boolean(),
  /** It carries the traffic of the vehicle now. */
  carries: z.boolean(),
  addresses: z.array(z.string()),
  /** Bytes since the router counts, mostly since its start; null = it does not count them. */
  sent: z.number().nullable(),
  received: z.number().nullable(),
});
export type Uplink = z.infer<typeof uplink>;

export const radio = z.object({
  name: z.string(),
  /** As the router writes it: `2.4GHz`. */
  band: z.string(),
  channel: z.number().nullable(),
  enabled: z.boolean(),
  up: z.boolean(),
});
export type Radio = z.infer<typeof radio>;

export const ssid = z.object({
  /** The name that people see. */
  ssid: z.string(),
  /** The name of its radio; empty = unknown. */
  radio: z.string(),
  enabled: z.boolean(),
  /** It is on air: it, its radio and its access point are. */
  up: z.boolean(),
  /** Devices on it; null = the router does not say. */
  clients: z.number().int().nullable(),
});

/** What is looked at when there is no Wi-Fi (LIV-03), in this order. */
export const wifiChecks = ['radio', 'ssid', 'dhcp', 'uplink', 'dns', 'data'] as const;
export type WifiCheck = (typeof wifiChecks)[number];
/** What is found to be wrong; each belongs to one check. */
export const wifiCauses = [
  'radio-off',
  'radio-fault',
  'ssid-off',
  'access-point-off',
  'dhcp-off',
  'dhcp-full',
  'uplink-down',
  'dns-off',
  'dns-fault',
  'data-used-up',
] as const;
export type WifiCause = (typeof wifiCauses)[number];
/** Those that a setting of the router repairs. */
export const repairableCauses = ['radio-off', 'ssid-off', 'access-point-off', 'dhcp-off', 'dns-off'] as const;
export type RepairableCause = (typeof repairableCauses)[number];

export const wifi = z.object({
  radios: z.array(radio),
  ssids: z.array(ssid),
  /** `failed` is followed by `skipped`; `unknown` = the router does not say. */
  checks: z.array(z.object({ check: z.enum(wifiChecks), state: z.enum(['ok', 'failed', 'unknown', 'skipped']) })),
  /** The first thing that is wrong; null = nothing was found. */
  cause: z.enum(wifiCauses).nullable(),
});
export type Wifi = z.infer<typeof wifi>;

/** A device that uses the vehicle's network (LIV-02). */
export const client = z.object({
  /** As the device calls itself; empty = it does not. */
  name: z.string(),
  mac: z.string(),
  /** The address was chosen at random: it says nothing about the device, and changes. */
  random: z.boolean(),
  addresses: z.array(z.string()),
  /** SSID or port. */
  connection: z.string(),
  wireless: z.boolean(),
  /** dBm; null = by cable, or unknown. */
  signal: z.number().nullable(),
  /** Epoch seconds; null = unknown. */
  since: z.number().nullable(),
  /** Bytes to the device and from it, as the router counts; null = it does not. */
  sent: z.number().nullable(),
  received: z.number().nullable(),
});
export type Client = z.infer<typeof client>;

/** Clients that are kept of a router. */
export const MOST_CLIENTS = 5_000;
/**
 * A router that counts more hosts, or more stations, also those that are gone, is not read: not even one column of them fits into an answer, of which
 * 20,000 texts are kept. A row of a column has three.
 */
export const MOST_READ_CLIENTS = 6_000;
export const CLIENTS_PAGE = 100;

export const networkParts = ['uplinks', 'wifi', 'clients'] as const;
export type NetworkPart = (typeof networkParts)[number];

/** One part of a router's networks; the others are null. */
export const deviceNetworks = z.object({
  /** When the router reported it, epoch seconds; null = never. */
  readAt: z.number().nullable(),
  /** It was read for this answer; otherwise it is what the router last reported. */
  live: z.boolean(),
  uplinks: z.array(uplink).nullable(),
  wifi: wifi.nullable(),
  clients: z.array(client).nullable(),
  /** The organization keeps nothing of clients, and they are not read. */
  off: z.literal(true).optional(),
  /** Of clients: those that match the search, and all. More than `MOST_READ_CLIENTS`: so many the router counts, and they were not read. */
  found: z.number().int(),
  total: z.number().int(),
});
export type DeviceNetworks = z.infer<typeof deviceNetworks>;

export const readNetworks = operation({
  id: 'networks.read',
  method: 'GET',
  path: '/data_manager/v1/dm/device/networks',
  summary:
    'Uplinks, Wi-Fi or clients of a device: read from its router now where that is connected, at most every 4 seconds, else as last reported (LIV-02, LIV-03, LIV-10).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    device: z.string(),
    part: z.enum(networkParts),
    /** Of clients: a part of the name, an address or the connection. */
    search: pageQuery.shape.search,
    /** Of clients: how many to return, at most 100 by default. */
    limit: pageQuery.shape.limit,
  }),
  response: z.object({ result: deviceNetworks }),
});

export const repairWifi = operation({
  id: 'networks.repair',
  method: 'POST',
  path: '/data_manager/v1/dm/device/networks',
  summary: 'Switch on the setting of a router that keeps its Wi-Fi from working, if that is still the cause (LIV-03).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ device: z.string(), cause: z.enum(repairableCauses) }),
  /** 'rejected' and 'unsupported': `message` has the router's message, sanitized. */
  response: z.object({
    result: z.object({ outcome: z.enum(['done', 'rejected', 'unsupported']), message: z.string() }),
  }),
});

/** What an organization keeps of clients, which is personal data: nothing; who was connected last; or what each used by day too. */
export const clientKeeps = ['nothing', 'list', 'use'] as const;
export const clientDays = [7, 30, 90] as const;

export const clientSettings = z.object({
  keep: z.enum(clientKeeps),
  /** Days after which lists and days are deleted. */
  days: z.literal(clientDays),
});
export type ClientSettings = z.infer<typeof clientSettings>;

export const storedClientSettings = clientSettings.extend({
  /** Changes with its content; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type StoredClientSettings = z.infer<typeof storedClientSettings>;

/** What a client used on a day. */
export const usedClient = z.object({
  name: z.string(),
  mac: z.string(),
  random: z.boolean(),
  /** Bytes to the device, and from it. */
  sent: z.number(),
  received: z.number(),
});
export type UsedClient = z.infer<typeof usedClient>;

export const clientUse = z.object({
  settings: storedClientSettings,
  /** ISO, in the zone of the organization. */
  today: z.string(),
  /** When the counters were read last, epoch seconds; null = never. */
  readAt: z.number().nullable(),
  /** Days with traffic, the newest first. */
  days: z.array(z.object({ day: z.string(), clients: z.number().int(), sent: z.number(), received: z.number() })),
  /** The day that `clients` are of. */
  day: z.string(),
  /** Those that used the most come first. */
  clients: z.array(usedClient),
  /** Clients that match the search, and all. */
  found: z.number().int(),
  total: z.number().int(),
});
export type ClientUseAnswer = z.infer<typeof clientUse>;

export const readClientUse = operation({
  id: 'networks.clientUse',
  method: 'GET',
  path: '/data_manager/v1/dm/device/networks/use',
  summary:
    'What the clients of a device used by day, and each of them on one day, from counters of its router; where the organization keeps it (LIV-02).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    device: z.string(),
    /** ISO; today by default. */
    day: z.iso
      .date()
      .refine((day) => !day.startsWith('0000'), 'is not a calendar day')
      .optional(),
    /** A part of the name or address. */
    search: pageQuery.shape.search,
    limit: pageQuery.shape.limit,
  }),
  response: z.object({ result: clientUse }),
});

export const exportClientUse = operation({
  id: 'networks.exportClientUse',
  method: 'GET',
  path: '/data_manager/v1/dm/device/networks/use/export',
  summary: 'What each client of a device used on each day that is kept, as CSV or Excel workbook (LIV-02).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string(), language, format: fileFormat }),
  response: z.string(),
  sends: 'file',
});

const settingsResponse = z.object({ result: storedClientSettings });

export const readClientSettings = operation({
  id: 'networks.clientSettings',
  method: 'GET',
  path: '/data_manager/v1/dm/clients/settings',
  summary: 'What the organization keeps of clients of its vehicles (LIV-02).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: settingsResponse,
});

export const saveClientSettings = operation({
  id: 'networks.saveClientSettings',
  method: 'PUT',
  path: '/data_manager/v1/dm/clients/settings',
  summary:
    'Change what is kept of clients; what is kept no longer is deleted at once. Accepts If-Match with its `version` (LIV-02).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend(clientSettings.shape),
  response: settingsResponse,
});

export const schemaNames = {
  ClientSettings: storedClientSettings,
  UsedClient: usedClient,
  DeviceNetworks: deviceNetworks,
  Uplink: uplink,
  WifiClient: client,
};
