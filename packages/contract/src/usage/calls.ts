import { z } from 'zod';
import { fileFormat, columnsOf, language, pageOf, pageQuery, sortOf, tenantQuery } from '../conventions.ts';
import { everyRole, operation } from '../operation.ts';

/** What data use is listed by. `organizations` is for the main account. */
export const usageKinds = ['sims', 'vehicles', 'groups', 'organizations'] as const;
export type UsageKind = (typeof usageKinds)[number];

/** The running cycle of each SIM, or the one before. A SIM without a plan has the calendar month. */
export const usageCycles = ['current', 'last'] as const;
export type UsageCycle = (typeof usageCycles)[number];

const bytes = z.number().int().min(0);

/** Data used in a cycle by a SIM, a vehicle, a group or an organization (USE-02). */
export const usageRow = z.object({
  /** Its ICCID, the id of the device, the key of the group, or the id of the organization. An empty ICCID: the router did not report it. */
  id: z.string(),
  /** As people know it: the ICCID, the vehicle or serial number, the name. Empty: nothing is known of it any more. */
  name: z.string(),
  /** Organization, for links of the main account. */
  org: z.string(),
  orgName: z.string(),
  /** Of a SIM and of a vehicle: the device; empty if the organization has it no more. */
  device: z.string(),
  /** Of a SIM: the vehicle or serial number of the device that used the most of it in the cycle. */
  deviceName: z.string(),
  /** Of a SIM and of a vehicle: the serial number. */
  serial: z.string(),
  /** Of a SIM the one that it was connected to first; of a vehicle those of the SIMs that it used in the cycle, the one of the most bytes first, separated by commas. */
  carrier: z.string(),
  /** First day of the cycle, `YYYY-MM-DD`, and of the next one; of several SIMs the first and the last of theirs. */
  cycleFrom: z.string(),
  cycleUntil: z.string(),
  sent: bytes,
  received: bytes,
  /** Sent and received. */
  total: bytes,
  /** The same of the cycle before. */
  before: bytes,
});
export type UsageRow = z.infer<typeof usageRow>;

export const usageSorts = ['total', 'sent', 'received'] as const;
export const usageSearchFields = ['iccid', 'vehicle'] as const;

export const usageListQuery = tenantQuery.extend({
  ...pageQuery.shape,
  by: z.enum(usageKinds).optional(),
  cycle: z.enum(usageCycles).optional(),
  sort: sortOf(usageSorts),
  field: z.enum(usageSearchFields).optional(),
});
export type UsageListQuery = z.output<typeof usageListQuery>;

export const listUsage = operation({
  id: 'usage.list',
  method: 'GET',
  path: '/data_manager/v1/dm/usage',
  summary:
    'Data used in the running or the last cycle by SIMs, vehicles, groups or, for the main account, organizations, the most first (USE-02). Bytes.',
  scope: 'tenant',
  roles: everyRole,
  query: usageListQuery,
  response: pageOf(usageRow),
});

/** Columns of the exported file. */
export const usageColumns = [
  'name',
  'serial',
  'org',
  'device',
  'carrier',
  'from',
  'until',
  'sent',
  'received',
  'total',
  'before',
] as const;

export const exportUsage = operation({
  id: 'usage.export',
  method: 'GET',
  path: '/data_manager/v1/dm/usage/export',
  summary: 'The same list as CSV or Excel workbook; its name says by what and of which month.',
  scope: 'tenant',
  roles: everyRole,
  query: usageListQuery.extend({ format: fileFormat, columns: columnsOf(usageColumns), language }),
  response: z.string(),
  sends: 'file',
});

/** Bytes of a day of a month, and of the same day of the month before. */
export const usageDay = z.object({
  /** Day of the month, from 1. */
  day: z.number().int().min(1).max(31),
  sent: bytes,
  received: bytes,
  /** Sent and received on this day of the month before; null = that month has no such day. */
  before: bytes.nullable(),
});
export type UsageDay = z.infer<typeof usageDay>;

export const usageMonth = operation({
  id: 'usage.month',
  method: 'GET',
  path: '/data_manager/v1/dm/usage/month',
  summary:
    'Data used this calendar month, or the last, by day, next to the month before; of a scope, a device or a SIM (USE-02). Days are of the time zone of the organization.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    cycle: z.enum(usageCycles).optional(),
    device: z.string().max(60).optional(),
    iccid: z.string().max(40).optional(),
  }),
  response: z.object({
    result: z.object({
      /** First day of the month. */
      month: z.iso.date(),
      /** Today in the zone. */
      today: z.iso.date(),
      /** IANA name of the time zone of days and cycles; of several organizations UTC stands for each one's. */
      zone: z.string(),
      /** The zone that was chosen, and its first day; null = it stays. */
      nextZone: z.object({ zone: z.string(), from: z.string() }).nullable(),
      /** The cycles of all SIMs are calendar months. */
      isCalendar: z.boolean(),
      days: z.array(usageDay),
      sent: bytes,
      received: bytes,
      /** Sent and received in the month before, and in it up to the same day; next to the last month, in all of it. */
      before: bytes,
      beforeToDate: bytes,
    }),
  }),
});

/** The running and the last cycle of a SIM. */
export const simUsage = z.object({
  iccid: z.string(),
  org: z.string(),
  /** First day of the running cycle, `YYYY-MM-DD`, and of the next one. */
  cycleFrom: z.string(),
  cycleUntil: z.string(),
  sent: bytes,
  received: bytes,
  total: bytes,
  before: bytes,
});
export type SimUsage = z.infer<typeof simUsage>;

export const usageOf = operation({
  id: 'usage.of',
  method: 'GET',
  path: '/data_manager/v1/dm/usage/of',
  summary: 'Data used this cycle by the SIMs of one device, or by SIMs and devices of the scope that are named (USE-02).',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({
    /** Ids of devices, separated by commas; together with the longest list of ICCIDs the address still fits a request. */
    devices: z.string().max(8_000).optional(),
    /** ICCIDs, separated by commas. */
    iccids: z.string().max(4_400).optional(),
  }),
  response: z.object({
    result: z.object({
      /** Of the devices that are named, by SIM. */
      devices: z.array(simUsage.extend({ device: z.string() })),
      /** Of the SIMs that are named. */
      sims: z.array(simUsage),
    }),
  }),
});

export const topics = ['usage'] as const;

export const schemaNames = {
  SimUsage: simUsage,
  UsageDay: usageDay,
  UsageRow: usageRow,
};
