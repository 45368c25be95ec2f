import { z } from 'zod';
import { groupKey, tenantBody, tenantQuery } from '../conventions.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { LONGEST_SETTING, MOST_VALUES } from './schema.ts';

/** Says what a file is; a later form has another version. */
export const PROFILE_FORMAT = 'highline-settings-profile';

/** Entries of one list that are read from a router. */
export const MOST_RUNNING_ENTRIES = 32;

/** `value` null stands for a secret, which no profile has. */
const profileValue = z.object({ path: z.string().max(160), value: z.string().max(LONGEST_SETTING).nullable() });

/** What is set, or runs, as a file: values by their paths. */
export const settingsProfile = z.object({
  format: z.literal(PROFILE_FORMAT),
  version: z.literal(1),
  /** Where it is from: name of a group, or serial number of a device; empty = the organization. */
  name: z.string().max(200),
  values: z.array(profileValue).max(MOST_VALUES),
});
export type SettingsProfile = z.infer<typeof settingsProfile>;

/**
 * `unknown`: no schema has this path. `value`: it does not fit. `twice`: an earlier row has the path. `secret`: the level has no such secret, type
 * it. `entries`: more entries than a list may have.
 */
export const profileFaults = ['unknown', 'value', 'twice', 'secret', 'entries'] as const;
export type ProfileFault = (typeof profileFaults)[number];

const profileProblem = z.object({ row: z.number().int(), path: z.string(), kind: z.enum(profileFaults) });
const profileChange = z.object({
  path: z.string(),
  /** Null = not set, or a secret. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  isSecret: z.boolean(),
});

/** What a profile would change on a level. */
export const profileReport = z.object({
  dryRun: z.boolean(),
  /** Whether it is saved now: never while a row is wrong. */
  saved: z.boolean(),
  /** Rows that are wrong, from 1. */
  problems: z.array(profileProblem),
  changes: z.array(profileChange),
  /** What the level would set, for `settings.save`; null keeps its secret. */
  values: z.array(z.object({ path: z.string(), value: z.string().nullable() })),
});
export type ProfileReport = z.infer<typeof profileReport>;

const PROFILE = '/data_manager/v1/dm/settings/profile';
const level = { group: groupKey.min(1).optional(), device: z.string().max(60).optional() };

export const exportProfile = operation({
  id: 'settings.profile',
  method: 'GET',
  path: PROFILE,
  summary:
    'What the organization, a group or a device sets on routers, as a profile: JSON that `settings.importProfile` takes; secrets are null (TPL-07).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend(level),
  response: z.object({ result: settingsProfile }),
});

export const readRunning = operation({
  id: 'settings.running',
  method: 'GET',
  path: '/data_manager/v1/dm/device/settings/running',
  summary: 'What the router of a device runs now, as a profile: every parameter of its schema that it reports (TPL-07).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({ device: z.string() }),
  response: z.object({ result: settingsProfile }),
});

export const importProfile = operation({
  id: 'settings.importProfile',
  queue: 'imports',
  method: 'POST',
  path: PROFILE,
  summary:
    'Replace what the organization, a group or a device sets by a profile; nothing is sent to routers. With `dryRun` the difference and every wrong row are answered, and nothing is saved; neither is anything while a row is wrong. Honours If-Match (TPL-07).',
  scope: 'organization',
  roles: adminOnly,
  /** `dryRun`: check only, write nothing (BLK-05). */
  query: z.object({ dryRun: z.string().optional() }),
  body: tenantBody.extend({ ...level, profile: settingsProfile }),
  bodyExample: {
    group: undefined,
    device: undefined,
    profile: {
      format: PROFILE_FORMAT,
      version: 1,
      name: 'North depot',
      values: [{ path: 'WiFi.SSID[name=passengers].SSID', value: 'Bus' }],
    },
  },
  response: z.object({ result: profileReport }),
});

export const schemaNames = {
  SettingsProfile: settingsProfile,
  SettingsProfileReport: profileReport,
  SettingsProfileProblem: profileProblem,
  SettingsProfileChange: profileChange,
};
