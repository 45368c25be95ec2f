import { z } from 'zod';
import { device } from './calls.ts';
import { mainOnly, managers, operation } from '../operation.ts';
import { groupKey, line, tenantBody } from '../conventions.ts';
import { impactQuery } from '../impact.ts';

/** A device as the add form sends it (part 2 section 3). Serial and MAC are checked against the inventory, by name. */
export const newDevice = z.object({
  group: groupKey.optional(),
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

/** The most devices in one batch (OLD-04). */
export const MAX_BATCH = 1_000;

/**
 * A batch of devices (OLD-04): `batch` free routers of one model in the order of their serial numbers, each with the name and an
 * increasing number.
 */
export const newBatch = z.object({
  /** From the inventory; empty for routers without a model. */
  model: line(60),
  /** A trailing space is kept: 'Bus ' becomes 'Bus 1'. */
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
  group: groupKey.optional(),
  /** Serial number of the first router to use; without it, the first in stock. */
  serial_number: z
    .string()
    .trim()
    .max(100)
    .regex(/^[A-Za-z0-9._-]*$/u, 'may contain letters, digits, dot, hyphen and underscore')
    .optional(),
  started: z.string().trim().max(20),
  expired: z.string().trim().max(20),
});

/** One device of a batch; `device` is empty if nothing was written (`?dryRun`). */
const batchRow = z.object({ device: z.string(), vehicle_number: z.string(), serial_number: z.string(), mac: z.string() });

export const addBatch = operation({
  id: 'devices.addBatch',
  method: 'POST',
  path: '/data_manager/v1/dm/devices/series',
  summary: 'Create devices of one model, named name + number, from the routers in stock: all or none (OLD-04).',
  scope: 'organization',
  // Only the owner of the stock may take routers without their MAC.
  roles: mainOnly,
  query: impactQuery.extend({ dryRun: z.string().optional() }),
  body: tenantBody.extend({ device_type_id: z.string().optional(), ...newBatch.shape }),
  // `confirmation` identifies exactly these routers with these names, group and dates.
  response: z.object({ result: z.object({ dryRun: z.boolean(), devices: z.array(batchRow), confirmation: z.string() }) }),
});

/** Encodings of CSV files that are read: those of spreadsheets in America, Europe and Taiwan. */
export const textEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'macintosh', 'big5'] as const;
export type TextEncodingName = (typeof textEncodings)[number];

/** Order of day and month where a date of a file could be read either way. */
export const dateOrders = ['mdy', 'dmy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** What every import takes. */
export const importQuery = z.object({
  /** Check only, write nothing. */
  dryRun: z.string().optional(),
  /** The encoding of a CSV; without it, it is decided by the bytes of the file. */
  encoding: z.enum(textEncodings).optional(),
});

/** What an import found out about its file. */
export const importedFile = z.object({
  /** Of a CSV. */
  encoding: z.enum(textEncodings).optional(),
  /** True if the bytes do not prove the encoding: it is no Unicode, and other old code pages are as possible. */
  encodingAssumed: z.boolean().optional(),
  /** Name of the sheet of an Excel workbook. */
  sheet: z.string().optional(),
  /** Titles of columns that the import does not read, the first 50. */
  ignored: z.array(z.string()),
});
export type ImportedFile = z.infer<typeof importedFile>;

/** A column of dates that could be read with the day or the month first. */
export const ambiguousDates = z.object({
  column: z.string(),
  /** The first such date, as it is written. */
  example: z.string(),
  /** It as YYYY-MM-DD, read both ways. */
  readings: z.object({ mdy: z.string(), dmy: z.string() }),
});
export type AmbiguousDates = z.infer<typeof ambiguousDates>;

/** What an import can set. */
export const importFields = [
  'serial',
  'mac',
  'model',
  'endpoint',
  'group',
  'vehicle',
  'note',
  'tags',
  'started',
  'expired',
  'name',
  'eid',
  'iccid',
  'apn1',
  'apn2',
] as const;

/** What an import changes, or would change (`?dryRun`), before and after (BLK-05). */
export const importChanges = z.object({
  /** Number of rows that set each field. */
  fields: z.array(z.object({ field: z.enum(importFields), rows: z.number().int() })),
  /** The first 100 rows. */
  rows: z.array(
    z.object({
      row: z.number().int(),
      serial: z.string(),
      changes: z.array(z.object({ field: z.enum(importFields), before: z.string(), after: z.string() })),
    }),
  ),
  /** Tags that no device of the organization had before, the first 20: a new spelling shows. */
  newTags: z.array(z.string()),
});
export type ImportChanges = z.infer<typeof importChanges>;

/** The result of a bulk import, row by row. */
export const importResult = z.object({
  /** True when nothing was written (`?dryRun`). */
  dryRun: z.boolean(),
  success: z.number().int(),
  total: z.number().int(),
  /** At most 1,000 of the rows that failed. `row` counts lines as a spreadsheet does, the header is row 1. */
  fail: z.array(z.object({ row: z.number().int(), serial: z.string(), mac: z.string(), error: z.string() })),
  /** Number of all rows that failed. */
  failed: z.number().int(),
  /** Ids of the added devices, for the highlight cookie, at most 200. */
  ids: z.array(z.string()),
  changes: importChanges,
  file: importedFile,
  /**
   * The failed rows as CSV, with the columns that the import reads, the first 20 others, and the reason in a last one: mended, it
   * can be imported (BLK-05). It ends after 10,000 rows or 2 MB.
   */
  report: z.string(),
  /** Number of rows in `report`, the first ones of `failed`. */
  reported: z.number().int(),
});
export type ImportResult = z.infer<typeof importResult>;

export const importDevices = operation({
  id: 'devices.import',
  queue: 'imports',
  method: 'POST',
  path: '/data_manager/v1/dm/devices/batch',
  summary:
    'Add devices from a CSV or an Excel workbook (SN, MAC, start date, expiry date; optional Group, Vehicle#, Notes, Tags): good rows are added, bad rows listed (DEV-05, DEV-06).',
  // A main account may check a file for an organization that does not exist yet (ORG-03); only the dry run works without one.
  scope: 'tenant',
  roles: managers,
  query: importQuery.extend({
    /**
     * How to read dates that the other dates of the file do not decide: month first (the default) or day first. `ask` rejects such a
     * file with `csv.dates_ambiguous`.
     */
    dates: z.enum([...dateOrders, 'ask']).optional(),
  }),
  /** `layout` organization: the two dates may be left out (ORG-03). */
  body: tenantBody.extend({
    device_type_id: z.string().optional(),
    layout: z.enum(['devices', 'organization']).optional(),
  }),
  bodyKind: 'multipart',
  fileExample: 'SN,MAC,Start date,Expiry date\nHL5-20260117,020000A1B2C3,01/15/2026,01/14/2027\n',
  response: z.object({
    result: importResult.extend({
      /** Columns of dates that could be read either way, and how they were read. */
      dates: z.array(ambiguousDates.extend({ order: z.enum(dateOrders) })),
    }),
  }),
});

export const schemaNames = {
  ImportChanges: importChanges,
  ImportFault: importResult.shape.fail.element,
  ImportedFile: importResult.shape.file,
  NewDevice: newDevice,
};
