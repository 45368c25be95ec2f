import { z } from 'zod';
import { pageOf, pageQuery, tenantBody, tenantQuery } from '../conventions.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { sentReasons, sentStates } from '../commands/sent-commands.ts';
import { LONGEST_SETTING, settingsSchema } from './schema.ts';

/** Where a value comes from; the last one counts. */
export const settingLevels = ['organization', 'group', 'device'] as const;
export type SettingLevel = (typeof settingLevels)[number];

const path = z.enum(settingsSchema.map((setting) => setting.path));

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

/** What a device's router makes of a value. `hidden`: it was confirmed, and cannot be read. `not-sent`: it was saved since. */
export const valueStates = ['as-set', 'hidden', 'differs', 'rejected', 'missing', 'no-value', 'invalid', 'not-sent'] as const;
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
  command: appliedCommand.nullable(),
});
export type DeviceSettings = z.infer<typeof deviceSettings>;

/** A device in the list. */
export const settingsRow = deviceSettings.omit({ values: true }).extend({
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
const level = { group: z.string().min(1).max(100).optional(), device: z.string().max(60).optional() };

/** All values of the level: what is left out is not set by it. `value` null keeps a stored secret. */
const values = z
  .array(z.object({ path, value: z.string().max(LONGEST_SETTING).nullable() }))
  .max(settingsSchema.length)
  .refine((list) => new Set(list.map((each) => each.path)).size === list.length, 'must name each path once');

const levelBody = tenantBody.extend({ ...level, values });
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

export const saveSettings = operation({
  id: 'settings.save',
  method: 'PUT',
  path: SETTINGS,
  summary:
    'Replace what the organization, a group or a device sets on routers. Nothing is sent by this: `commands.send` or a job of the kind `apply-settings` does that. Honours If-Match (TPL-02).',
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

export const listSettings = operation({
  id: 'settings.list',
  method: 'GET',
  path: `${SETTINGS}/devices`,
  summary:
    'Devices by serial number with the state of their settings, the result of the last command that applied them included (TPL-05).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    limit: pageQuery.shape.limit,
    offset: pageQuery.shape.offset,
    cursor: pageQuery.shape.cursor,
    group: z.string().min(1).max(100).optional(),
    state: z.enum(deviceStates).optional(),
  }),
  response: pageOf(settingsRow),
});

export const topics = ['settings'] as const;

export const schemaNames = {
  LevelSettings: levelSettings,
  DeviceSettings: deviceSettings,
  EffectiveSetting: effectiveValue,
  SettingsRow: settingsRow,
  InheritedSetting: inheritedValue,
  AppliedSettings: appliedCommand,
  LevelSettingsBody: levelBody,
};
