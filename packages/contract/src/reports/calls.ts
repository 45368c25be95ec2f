import { z } from 'zod';
import { everyRole, operation } from '../operation.ts';
import { propertyTypes, type PropertyType } from '../properties/property-types.ts';
import {
  ANY_FILE,
  deletion,
  deviceOrAll,
  groupKey,
  language,
  line,
  pageOf,
  pageQuery,
  tenantQuery,
  typedName,
} from '../conventions.ts';

export type { PropertyType };

/** Page sizes of reports (RPT-02). */
export const REPORT_PAGE_SIZES = [10, 20, 30, 50, 100] as const;
/** The most records of one page. */
export const MAX_RECORDS = 1_000;

export const dayPresets = ['today', 'yesterday', 'week', 'month'] as const;
export type DayPreset = (typeof dayPresets)[number];
/** Empty with both dates: a range of one's own. */
export const dayType = z.enum(['', ...dayPresets]);

/** A value that routers report over time (part 2 section 3, "Device data"). */
export const property = z.object({
  property_id: z.string(),
  property_name: z.string(),
  property_type: z.enum(propertyTypes),
  /** Empty = none. */
  unit: z.string(),
});
export type Property = z.infer<typeof property>;

/** A device in reports, and its properties (part 2 section 3, "Device data"). */
export const deviceData = z.object({
  device_id: z.string(),
  device_name: z.string(),
  device_type: z.string(),
  device_type_name: z.string(),
  properties: z.array(property),
  projectId: z.string(),
});
export type DeviceData = z.infer<typeof deviceData>;

/** Collected record (part 2 section 3), with the additional columns of the report (RPT-02). */
export const record = z.object({
  /** Device id. */
  device: z.string(),
  device_name: z.string(),
  device_type: z.string(),
  /** Its present group. */
  group: z.string(),
  group_name: z.string(),
  udid: z.string(),
  on: z.number().describe('Epoch milliseconds (last_query has seconds).'),
  /** Property id. */
  field: z.string(),
  field_name: z.string(),
  field_type: z.enum(propertyTypes),
  /** A number, 'true' or 'false' as bool, or text; numbers are rounded to 10 decimals (SHR-09). */
  field_value: z.union([z.number(), z.boolean(), z.string()]),
});
export type CollectedRecord = z.infer<typeof record>;

/** The type of an Excel workbook. */
export const EXCEL_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A time: epoch seconds or milliseconds, or ISO 8601. */
const instant = z
  .string()
  .max(40)
  .meta({ examples: ['2026-11-23T00:00:00Z'] });

/** The query for records: `project` is the organization, `on` … `to` the time range, its end excluded. */
export const recordQuery = tenantQuery.extend({
  project: z.string().max(60).optional(),
  on: instant.optional(),
  to: instant.optional(),
  /** A group's key or a device's id; an unknown one finds nothing (RPT-01). */
  id: z.string().max(100).optional(),
  group: groupKey.optional(),
  device: deviceOrAll.optional(),
  property: z.string().max(60).optional(),
  /** Compared as text (RPT-01). */
  value: z.string().max(200).optional(),
});
export type RecordQuery = z.infer<typeof recordQuery>;

export const listProperties = operation({
  id: 'reports.properties',
  method: 'GET',
  path: '/data_manager/api/v1/properties',
  summary: 'The values that routers of an organization report over time: names, types and units.',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({ project: z.string().max(60).optional() }),
  response: z.object({ result: z.array(property) }),
});

export const listDeviceData = operation({
  id: 'reports.devices',
  method: 'GET',
  path: '/data_manager/api/v1/devices',
  summary: 'Devices by name with their properties, for the pickers of reports and analysis. `search` looks in their names.',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...pageQuery.shape,
    project: z.string().max(60).optional(),
    /** Only devices of this group. */
    group: groupKey.optional(),
  }),
  response: pageOf(deviceData),
});

export const listRecords = operation({
  id: 'reports.records',
  queue: 'questions',
  method: 'GET',
  path: '/data_manager/api/v1/records',
  summary: 'Collected records, newest first (RPT-01, RPT-02). Without `limit` all of them are streamed.',
  scope: 'organization',
  roles: everyRole,
  query: recordQuery.extend({
    limit: z.coerce.number().int().min(1).max(MAX_RECORDS).optional(),
    offset: z.coerce.number().int().min(0).optional(),
    cursor: z.string().max(2_000).optional(),
  }),
  /** `total` is exact up to 100,000; beyond, `more` is true and the pages continue by `next`. */
  response: pageOf(record).extend({ more: z.boolean().optional() }),
});

export const exportRecords = operation({
  id: 'reports.export',
  queue: 'questions',
  method: 'GET',
  path: '/data_manager/api/v1/records/export',
  summary: 'The same records as an Excel workbook, or as CSV (RPT-01).',
  scope: 'organization',
  roles: everyRole,
  query: recordQuery.extend({
    format: z.enum(['xlsx', 'csv']).optional(),
    /** Name of the file, without its ending. */
    name: z.string().max(120).optional(),
    /** IANA time zone of the times in it. */
    zone: z.string().max(60).optional(),
    language,
  }),
  response: z.string(),
  sends: 'file',
  fileTypes: [EXCEL_TYPE, ANY_FILE, 'text/csv'],
});

export const countRecords = operation({
  id: 'reports.count',
  queue: 'questions',
  method: 'GET',
  path: '/data_manager/api/v1/statistics/query_count',
  summary: 'How many records a query would touch, and the windows that it would be answered in (RPT-03).',
  scope: 'organization',
  roles: everyRole,
  query: recordQuery,
  response: z.object({
    result: z.object({
      /** Exact up to a million, above it an estimate from a sample of the devices. */
      count: z.number().int(),
      /** Records of an average day of the range. */
      perDay: z.number(),
      /** Days of the range, partial ones counted whole. */
      days: z.number().int(),
      /** Windows to choose from, widest first. */
      windows: z.array(z.string()),
      /** The one to begin with. */
      window: z.string(),
    }),
  }),
});

/** A saved query, by name (part 2 section 3, "Report search arguments"). */
export const savedReport = z.object({
  id: z.string(),
  reportName: z.string(),
  dayType: z.enum(dayPresets).nullable(),
  /** `YYYY/MM/DD HH:mm:ss`, used if `dayType` is null. */
  startDate: z.string(),
  endDate: z.string(),
  queryId: z.string(),
  /** Group key, empty for all. */
  groupId: z.string(),
  projectId: z.string().describe('The organization, or the key of the group that it was saved with.'),
  deviceId: z.string(),
  /** Its id is empty for all of them. */
  properties: z.object({ id: z.string() }),
  /** The value of the condition, as text. */
  num: z.string(),
});
export type SavedReport = z.infer<typeof savedReport>;

export const listReports = operation({
  id: 'reports.list',
  method: 'GET',
  path: '/data_manager/api/v1/reports',
  summary: "The caller's own saved reports, by name.",
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(savedReport) }),
});

export const saveReport = operation({
  id: 'reports.save',
  method: 'POST',
  path: '/data_manager/api/v1/reports',
  summary: 'Save a query under a name; the same name again replaces it. At most 100 per user.',
  scope: 'organization',
  projectMayBeGroup: true,
  roles: everyRole,
  body: z.object({
    realm: z.string().optional(),
    org: z.string().optional(),
    reportName: typedName(120).min(1),
    dayType: dayType.nullable().optional(),
    startDate: line(40).optional(),
    endDate: line(40).optional(),
    queryId: line(100).optional(),
    projectId: line(100).describe('The organization for all of its groups, or the key of a group.').optional(),
    groupId: line(100).describe('The key of a group: another name for `projectId`.').optional(),
    deviceId: line(60).optional(),
    properties: z.object({ id: line(60) }).optional(),
    num: line(200).optional(),
  }),
  response: z.object({ result: savedReport }),
});

export const deleteReport = operation({
  id: 'reports.delete',
  method: 'DELETE',
  path: '/data_manager/api/v1/reports/{report}',
  summary: "Delete one of the caller's saved reports.",
  scope: 'organization',
  roles: everyRole,
  params: z.object({ report: z.string() }),
  query: tenantQuery,
  response: deletion,
});

export const topics = ['reports'] as const;

export const schemaNames = {
  CollectedRecord: record,
  DeviceReport: deviceData,
  ReportedProperty: property,
  SavedReport: savedReport,
};
