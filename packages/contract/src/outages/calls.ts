import { z } from 'zod';
import { columnsOf, fileFormat, groupKey, language, pageOf, pageQuery, sortOf, tenantQuery } from '../conventions.ts';
import { everyRole, operation } from '../operation.ts';
import { presenceReasons } from '../presence.ts';

/** The longest period of outages, and the one without a choice, in days. */
export const MAX_OUTAGE_DAYS = 93;
export const USUAL_OUTAGE_DAYS = 30;
/** Days for which outages are kept after their end: the longest period, also of a month that has ended. An installation may keep more, an organization fewer. */
export const KEPT_OUTAGE_DAYS = MAX_OUTAGE_DAYS + 31;

/**
 * What a time without a connection was: the connection was lost; the router ended it itself; the server or the network before it did; the
 * ignition was off; a planned window. Only those that were lost count.
 */
export const outageKinds = ['lost', 'closed', 'server', 'parked', 'planned'] as const;
export type OutageKind = (typeof outageKinds)[number];

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u, 'must be a day, for example 2026-11-23');
const count = z.number().int();
const seconds = z.number().int();

export const outagePeriod = tenantQuery.extend({
  /** First and last day, `2026-11-23`, of the zone; the last 30 days without them. At most 93 days, of which those count that the organization keeps. */
  from: day.optional(),
  until: day.optional(),
  /** IANA name; UTC without it. */
  zone: z.string().max(60).optional(),
  /** Ids of one device, of one group. */
  device: z.string().max(60).optional(),
  group: groupKey.optional(),
  /** A tag of devices. */
  tag: z.string().max(100).optional(),
  /** As routers report it; empty = not reported. */
  carrier: z.string().max(100).optional(),
  /** An area: an H3 index of resolution 8. */
  hexagon: z.string().max(20).optional(),
  /** Only lost connections without it. */
  kind: z.enum([...outageKinds, 'all']).optional(),
});
export type OutagePeriod = z.output<typeof outagePeriod>;

export const outage = z.object({
  device: z.string(),
  /** Vehicle number, or the serial number where there is none. */
  name: z.string(),
  /** Of the router that it had then. */
  serial: z.string(),
  org: z.string(),
  orgName: z.string(),
  /** Epoch seconds; `until` is null while it goes on. */
  from: seconds,
  until: seconds.nullable(),
  /** Of the whole outage, until now while it goes on. */
  minutes: z.number(),
  kind: z.enum(outageKinds),
  reason: z.enum(presenceReasons),
  /** As last reported before; empty = not reported. */
  carrier: z.string(),
  technology: z.string(),
  servingCell: z.string(),
  /** dBm; null = no report in the quarter of an hour before. */
  rsrp: z.number().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  hexagon: z.string().nullable(),
});
export type Outage = z.infer<typeof outage>;

const fields = ['vehicle', 'serial'] as const;
export const outageQuery = outagePeriod
  .extend(pageQuery.shape)
  .extend({ sort: sortOf(['from']), field: z.enum(fields).optional() });
export type OutageQuery = z.output<typeof outageQuery>;

export const listOutages = operation({
  id: 'outages.listOutages',
  method: 'GET',
  path: '/data_manager/v1/dm/outages',
  summary: 'Times without a connection with carrier, cell, signal and place before them, the newest first (RPM-04).',
  scope: 'tenant',
  roles: everyRole,
  query: outageQuery,
  response: pageOf(outage),
});

export const outageColumns = [
  'name',
  'serial',
  'org',
  'from',
  'until',
  'minutes',
  'kind',
  'reason',
  'carrier',
  'technology',
  'servingCell',
  'rsrp',
  'place',
  'latitude',
  'longitude',
] as const;

export const exportOutages = operation({
  id: 'outages.exportOutages',
  method: 'GET',
  path: '/data_manager/v1/dm/outages/export',
  summary: 'The same list as CSV or Excel workbook.',
  scope: 'tenant',
  roles: everyRole,
  query: outageQuery.extend({ format: fileFormat, columns: columnsOf(outageColumns), language }),
  response: z.string(),
  sends: 'file',
});

export const outageSums = ['vehicles', 'groups', 'carriers', 'cells', 'hexagons', 'months'] as const;
export type OutageSum = (typeof outageSums)[number];

export const availability = z.object({
  /** Id of the vehicle or group, carrier, serving cell, H3 index, or `2026-11`; empty = without one. */
  id: z.string(),
  name: z.string(),
  org: z.string(),
  orgName: z.string(),
  outages: count,
  /** Lost within the period. */
  minutes: z.number(),
  longestMinutes: z.number(),
  vehicles: count,
  /** Minutes without a connection that do not count: parked, planned, ended by the router or the server. */
  excludedMinutes: z.number(),
  /** Of these: parked with the ignition off; planned windows. */
  parkedMinutes: z.number(),
  plannedMinutes: z.number(),
  /** Percent of the time in which a connection was expected; null where that is not known (cells, places, months, and all with a hexagon). */
  share: z.number().nullable(),
  /** What is agreed, percent; null = nothing is. */
  target: z.number().nullable(),
  /** The middle of a place; null of all others. */
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
});
export type Availability = z.infer<typeof availability>;

export const sumQuery = outagePeriod.extend(pageQuery.omit({ search: true, field: true, ignoreCase: true }).shape).extend({
  by: z.enum(outageSums).optional(),
  sort: sortOf(['minutes', 'outages', 'share']),
});
export type SumQuery = z.output<typeof sumQuery>;

export const sumOutages = operation({
  id: 'outages.sumOutages',
  method: 'GET',
  path: '/data_manager/v1/dm/outages/sums',
  summary:
    'Outages of a period by vehicle, group, carrier, cell, place or month, with the share of availability (RPM-04, RPM-05).',
  scope: 'tenant',
  roles: everyRole,
  query: sumQuery,
  response: pageOf(availability),
});

export const sumColumns = [
  'name',
  'org',
  'outages',
  'minutes',
  'longestMinutes',
  'vehicles',
  'excludedMinutes',
  'parkedMinutes',
  'plannedMinutes',
  'share',
  'target',
  'difference',
] as const;

export const exportSums = operation({
  id: 'outages.exportSums',
  method: 'GET',
  path: '/data_manager/v1/dm/outages/sums/export',
  summary: 'The same sums as CSV or Excel workbook.',
  scope: 'tenant',
  roles: everyRole,
  query: sumQuery.extend({ format: fileFormat, columns: columnsOf(sumColumns), language }),
  response: z.string(),
  sends: 'file',
});

export const evidencePack = operation({
  id: 'outages.evidencePack',
  method: 'GET',
  path: '/data_manager/v1/dm/outages/evidence',
  summary:
    'Evidence for a carrier as PDF: outages of a vehicle or of a place with map, chart and table, and what other vehicles met there (RPM-04).',
  scope: 'organization',
  roles: everyRole,
  query: outagePeriod.extend({ language }),
  response: z.string(),
  sends: 'file',
  fileTypes: ['application/pdf'],
});

export const schemaNames = { Availability: availability, Outage: outage };
