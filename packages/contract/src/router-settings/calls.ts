import { z } from 'zod';
import { columnsOf, fileFormat, groupKey, language, pageOf, paging, tenantBody, tenantQuery } from '../conventions.ts';
import { importedFile, importQuery } from '../devices/device-adding.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { sentReasons, sentStates } from '../commands/sent-commands.ts';
import { LONGEST_SETTING, MOST_VALUES } from './schema.ts';

/** Where a value comes from; the last one counts. */
export const settingLevels = ['organization', 'group', 'device'] as const;
export type SettingLevel = (typeof settingLevels)[number];

/** Below `Device.`, instances by their keys: `NAT.PortMapping[name=camera].ExternalPort`. One that no schema has is `settings.unknown_path`. */
const path = z.string().min(1).max(160);

/** A value as it was saved, with its variables; null = a secret, which is never shown. */
const savedValue = z.object({ path: z.string(), value: z.string().nullable() });

/** The same with its level. */
const inheritedValue = savedValue.extend({ from: z.enum(settingLevels) });

/** What one level sets, and what it inherits (TPL-02). */
export const levelSettings = z.object({
  level: z.enum(settingLevels),
  /** Name of the group, serial number of the device, or empty. */
  name: z.string(),
  /** Changes with its values; send it back as If-Match, in quotes. 0 = nothing was ever saved. */
  version: z.number().int(),
  changed: z.string().nullable(),
  /** E-mail address of the user who saved it. */
  by: z.string(),
  values: z.array(savedValue),
  /** Values of the levels above, those that count. */
  inherited: z.array(inheritedValue),
  /** Devices for which it counts. */
  devices: z.number().int(),
  /** Devices with exceptions of their own; 0 for a device. */
  exceptions: z.number().int(),
});
export type LevelSettings = z.infer<typeof levelSettings>;

/** What a device's router makes of a value. `returned`: it did not reach us with it, and has its former one again (TPL-04). `hidden`: it was confirmed, and cannot be read. `not-sent`: it was saved since. */
export const valueStates = [
  'as-set',
  'hidden',
  'differs',
  'rejected',
  'returned',
  'missing',
  'no-value',
  'invalid',
  'not-sent',
] as const;
export type ValueState = (typeof valueStates)[number];

/** The worst of the values of a device; `none`: nothing is set for it. `incomplete`: a variable has no value, or it does not fit. */
export const deviceStates = ['as-set', 'differs', 'incomplete', 'not-readable', 'not-sent', 'none'] as const;
export type DeviceState = (typeof deviceStates)[number];

export const effectiveValue = z.object({
  path: z.string(),
  /** As it was saved; null = a secret. */
  value: z.string().nullable(),
  /** With its variables replaced; null = a secret, or a variable has no value. */
  resolved: z.string().nullable(),
  from: z.enum(settingLevels),
  /** Values of levels above that it replaces, the nearest first. */
  overrides: z.array(inheritedValue),
  state: z.enum(valueStates),
  /** What the router reports; null = unknown or a secret. */
  actual: z.string().nullable(),
  /** Since when it differs. */
  since: z.string().nullable(),
  /** E-mail address of the user whose remote session was open then; empty = unknown. */
  by: z.string(),
  /** The router's own message, or the variable without a value. */
  message: z.string(),
});
export type EffectiveValue = z.infer<typeof effectiveValue>;

/** The last command that applied settings to a device. */
const appliedCommand = z.object({
  id: z.string(),
  state: z.enum(sentStates),
  reason: z.enum(sentReasons).nullable(),
  message: z.string(),
  created: z.string(),
  ended: z.string().nullable(),
});

export const deviceSettings = z.object({
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  online: z.boolean(),
  state: z.enum(deviceStates),
  /** When the router was read. */
  checked: z.string().nullable(),
  values: z.array(effectiveValue),
  /** Entries that nothing sets any more and that the router still has: `NAT.PortMapping[name=camera]`. */
  removals: z.array(z.string()),
  command: appliedCommand.nullable(),
});
export type DeviceSettings = z.infer<typeof deviceSettings>;

/** A device in the list. */
export const settingsRow = deviceSettings.omit({ values: true, removals: true }).extend({
  group: z.string(),
  group_name: z.string(),
  /** How many values differ or were rejected. */
  differs: z.number().int(),
  /** Since when. */
  since: z.string().nullable(),
  /** How many values the device sets itself. */
  exceptions: z.number().int(),
});
export type SettingsRow = z.infer<typeof settingsRow>;

const SETTINGS = '/data_manager/v1/dm/settings';
const DEVICE = '/data_manager/v1/dm/device/settings';

/** The organization, one of its groups, or one of its devices. */
const level = { group: groupKey.min(1).optional(), device: z.string().max(60).optional() };

/** All values of the level: what is left out is not set by it. `value` null keeps a stored secret. */
const values = z
  .array(z.object({ path, value: z.string().max(LONGEST_SETTING).nullable() }))
  .max(MOST_VALUES)
  .refine((list) => new Set(list.map((each) => each.path)).size === list.length, 'must name each path once');

const levelBody = tenantBody.extend({
  ...level,
  values,
  /** Version of the level from which secrets with `value` null are taken; left out = the present one. */
  secretsOf: z.number().int().min(1).max(2_147_483_647).optional(),
});
const bodyExample = { group: undefined, device: undefined, values: [{ path: 'WiFi.SSID[name=passengers].SSID', value: 'Bus' }] };

const levelAnswer = z.object({ result: levelSettings });

export const readSettings = operation({
  id: 'settings.read',
  method: 'GET',
  path: SETTINGS,
  summary: 'What the organization, a group or a device sets on routers, and what it inherits; secrets are never shown (TPL-02).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend(level),
  response: levelAnswer,
});

/** Versions that one answer has. */
export const MOST_VERSIONS = 50;

export const listVersions = operation({
  id: 'settings.versions',
  method: 'GET',
  path: `${SETTINGS}/versions`,
  summary:
    'What the organization, a group or a device set before, the newest first: former versions are kept for a year. To return to one, save its values with its number as `secretsOf` (TPL-03).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...level,
    /** Versions before this one. */
    before: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  }),
  response: z.object({
    result: z.array(
      z.object({
        version: z.number().int(),
        changed: z.string(),
        /** E-mail address of the user who saved it. */
        by: z.string(),
        values: z.array(savedValue),
      }),
    ),
  }),
});
export type SettingsVersion = z.infer<typeof listVersions.response>['result'][number];

export const saveSettings = operation({
  id: 'settings.save',
  method: 'PUT',
  path: SETTINGS,
  summary:
    'Replace what the organization, a group or a device sets on routers. Nothing is sent by this: `bindings.settings` does that, and `commands.send` of the kind `apply-settings` for one device. Honours If-Match (TPL-02).',
  scope: 'organization',
  roles: adminOnly,
  body: levelBody,
  bodyExample,
  response: levelAnswer,
});

export const previewSettings = operation({
  id: 'settings.preview',
  method: 'POST',
  path: `${SETTINGS}/preview`,
  summary: 'What would change on how many devices if these values were saved, and which devices lack a variable (TPL-03).',
  scope: 'organization',
  roles: everyRole,
  body: levelBody,
  bodyExample,
  response: z.object({
    result: z.object({
      /** Devices for which the level counts. */
      devices: z.number().int(),
      /** Devices for which at least one value changes. */
      changing: z.number().int(),
      /** The same change of many devices once; the most frequent first, at most 200. */
      changes: z.array(
        z.object({
          path: z.string(),
          /** null = not set, or a secret. */
          before: z.string().nullable(),
          after: z.string().nullable(),
          isSecret: z.boolean(),
          devices: z.number().int(),
          canCut: z.boolean(),
        }),
      ),
      /** Devices that a wrong value can cut off and that do not return to their former ones by themselves: at most 200 serial numbers (TPL-04). */
      withoutReturn: z.object({ devices: z.number().int(), serials: z.array(z.string()) }),
      /** Values that no router can be sent. `serials`: the first five. */
      problems: z.array(
        z.object({
          path: z.string(),
          kind: z.enum(['variable', 'invalid']),
          /** The variable, or a value that does not fit. */
          text: z.string(),
          devices: z.number().int(),
          serials: z.array(z.string()),
        }),
      ),
    }),
  }),
});
export type SettingsPreview = z.infer<typeof previewSettings.response>['result'];

const deviceAnswer = z.object({ result: deviceSettings });

export const readDeviceSettings = operation({
  id: 'settings.ofDevice',
  method: 'GET',
  path: DEVICE,
  summary:
    'Every value that is set for a device, where it comes from, and what its router reports: read now where that is connected, at most every 10 seconds (TPL-02, TPL-05).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string() }),
  response: deviceAnswer,
});

export const adoptSettings = operation({
  id: 'settings.adopt',
  method: 'POST',
  path: `${DEVICE}/adopt`,
  summary: 'Make what the router of a device reports instead of what is set an exception of this device (TPL-05).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ device: z.string() }),
  response: deviceAnswer,
});

export const adoptMany = operation({
  id: 'settings.adoptMany',
  method: 'POST',
  path: `${SETTINGS}/adopt`,
  summary:
    'Make what routers report instead of what is set exceptions of their devices: of a group, or of the organization; at most 500 devices at a time (TPL-05).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ group: groupKey.min(1).optional() }),
  bodyExample: { group: undefined },
  response: z.object({
    result: z.object({
      /** Devices of which something was adopted. */
      devices: z.number().int(),
      /** Devices that still differ: call it again, or their values cannot be adopted. */
      left: z.number().int(),
    }),
  }),
});

const settingsQuery = tenantQuery.extend({
  group: groupKey.min(1).optional(),
  state: z.enum(deviceStates).optional(),
});

export const listSettings = operation({
  id: 'settings.list',
  method: 'GET',
  path: `${SETTINGS}/devices`,
  summary:
    'Devices by serial number with the state of their settings, the result of the last command that applied them included (TPL-05).',
  scope: 'organization',
  roles: everyRole,
  query: settingsQuery.extend({
    ...paging.shape,
  }),
  response: pageOf(settingsRow),
});

export const settingsColumns = [
  'name',
  'serial',
  'group',
  'state',
  'differs',
  'values',
  'since',
  'checked',
  'sent',
  'exceptions',
] as const;

export const exportSettings = operation({
  id: 'settings.export',
  method: 'GET',
  path: `${SETTINGS}/devices/export`,
  summary: 'The same list as CSV or Excel workbook, with the values that differ (TPL-05).',
  scope: 'organization',
  roles: everyRole,
  query: settingsQuery.extend({
    format: fileFormat,
    language,
    zone: z.string().min(1).max(60).optional(),
    columns: columnsOf(settingsColumns),
  }),
  response: z.string(),
  sends: 'file',
});

/** Rows of one import. */
export const MOST_IMPORT_ROWS = 2_000;
/** Rows that an answer lists. */
const MOST_LISTED = 1_000;

/**
 * `device`: the organization has none of this serial number. `twice`: an earlier row has it. `cells`: it has cells beyond the header. `unreadable`: a
 * text was damaged, or is in another encoding.
 */
export const importFaults = ['device', 'twice', 'value', 'entries', 'cells', 'unreadable'] as const;
const importFault = z.object({
  /** The header is row 1. */
  row: z.number().int(),
  serial: z.string(),
  kind: z.enum(importFaults),
  /** The column of a value that does not fit or cannot be read, or empty. */
  path: z.string(),
});
const importDoubt = z.object({
  row: z.number().int(),
  serial: z.string(),
  path: z.string(),
  kind: z.enum(['variable', 'invalid']),
  /** The variable without a value, or a value that does not fit with its variables. */
  text: z.string(),
});

const importResponse = z.object({
  result: z.object({
    dryRun: z.boolean(),
    rows: z.number().int(),
    /** Devices whose values change, or would. */
    changed: z.number().int(),
    /** Devices that have these values already. */
    unchanged: z.number().int(),
    failed: z.number().int(),
    fail: z.array(importFault).max(MOST_LISTED),
    /** Values that are saved and cannot be sent to their device. */
    doubted: z.number().int(),
    doubts: z.array(importDoubt).max(MOST_LISTED),
    file: importedFile,
  }),
});

export const importSettings = operation({
  id: 'settings.import',
  queue: 'imports',
  method: 'POST',
  path: `${DEVICE}/import`,
  summary:
    'Set values of devices from CSV: a column SN, and one for each path. An empty cell changes nothing, `-` removes the value of the device. Good rows are saved, bad rows listed; nothing is sent (TPL-02).',
  scope: 'organization',
  roles: adminOnly,
  /** `dryRun`: check only, write nothing (BLK-05). */
  query: z.object({ dryRun: z.string().optional() }),
  body: tenantBody.extend({ csv: z.string().min(1).max(2_000_000) }),
  bodyExample: { csv: 'SN,WiFi.SSID[name=passengers].SSID\nHL5-20260117,Bus 7\n' },
  maxBodyBytes: 8 * 1_048_576,
  response: importResponse,
});

export const importSettingsFile = operation({
  id: 'settings.importFile',
  queue: 'imports',
  method: 'POST',
  path: `${DEVICE}/import/file`,
  summary:
    'Set values of devices from a CSV file or an Excel workbook: a column SN, and one for each path; other columns are ignored and named. An empty cell changes nothing, `-` removes the value of the device. Good rows are saved, bad rows listed; nothing is sent (TPL-02).',
  scope: 'organization',
  roles: adminOnly,
  query: importQuery,
  body: tenantBody,
  bodyKind: 'multipart',
  fileExample: 'SN,WiFi.SSID[name=passengers].SSID\nHL5-20260117,Bus 7\n',
  response: importResponse,
});
export type SettingsImport = z.infer<typeof importSettings.response>['result'];

export const topics = ['settings'] as const;

export const schemaNames = {
  LevelSettings: levelSettings,
  DeviceSettings: deviceSettings,
  EffectiveSetting: effectiveValue,
  SettingsRow: settingsRow,
  InheritedSetting: inheritedValue,
  AppliedSettings: appliedCommand,
  LevelSettingsBody: levelBody,
  SavedSetting: savedValue,
  SettingsImportAnswer: importResponse,
  SettingsImportFault: importFault,
  SettingsImportDoubt: importDoubt,
};
