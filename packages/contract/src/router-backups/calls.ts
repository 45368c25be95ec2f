import { z } from 'zod';
import { ANY_FILE, line, pageOf, paging, tenantBody, tenantQuery } from '../conventions.ts';
import { sentCommand, WAIT_HOURS } from '../commands/sent-commands.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';

/** The largest file that is stored, bytes: more is rejected while it is uploaded. */
export const MOST_BACKUP_BYTES = 1_048_576;
/** Versions of a device that are kept, and days; the newest one is kept in any case. */
export const KEPT_VERSIONS = { least: 1, usual: 30, most: 90 } as const;
export const KEPT_DAYS = { least: 7, usual: 365, most: 730 } as const;
/** Over so many hours the backups of a night are spread. */
export const NIGHT_HOURS = 4;
/** Days without a backup that can be chosen for the list. */
export const OVERDUE_DAYS = { least: 1, usual: 7, most: 365 } as const;

const within = ({ least, most }: { readonly least: number; readonly most: number }) => z.number().int().min(least).max(most);

/** A version of the configuration of a device's router. The same file again is the same version. */
export const routerBackup = z.object({
  id: z.string(),
  device: z.string(),
  /** Of the router that sent it. */
  serial_number: z.string(),
  model: z.string(),
  firmware: z.string(),
  /** Name that the router gave the file. */
  name: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  /** It is text: differences are shown by lines. */
  text: z.boolean(),
  created: z.string(),
  /** When the router last sent the same file. */
  confirmed: z.string(),
  /** E-mail address of the user whose command it was. */
  by: z.string(),
});
export type RouterBackup = z.infer<typeof routerBackup>;

/** When routers are backed up by themselves, and how long versions are kept. */
export const backupSettings = z.object({
  /** Every night, in the name of who saved this. */
  nightly: z.boolean(),
  /** The hour at which the night begins. */
  hour: z.number().int().min(0).max(23),
  zone: z.string().min(1).max(60),
  versions: within(KEPT_VERSIONS),
  days: within(KEPT_DAYS),
});
export type BackupSettings = z.infer<typeof backupSettings>;

/** A device whose last backup is older than so many days, or that has none. */
export const overdueDevice = z.object({
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  online: z.boolean(),
  /** When its router last sent its configuration. */
  last: z.string().nullable(),
  /** Whether its data model can be backed up; null = unknown. */
  offered: z.boolean().nullable(),
});
export type OverdueDevice = z.infer<typeof overdueDevice>;

const backupPath = z.object({ backup: z.string() });
const BACKUPS = '/data_manager/v1/dm/router-backups';

export const listBackups = operation({
  id: 'routerBackups.list',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/{device}/backups',
  summary: 'Versions of the configuration of a device’s router, the newest first, without their contents (TPL-06).',
  scope: 'organization',
  roles: everyRole,
  params: z.object({ device: z.string() }),
  query: tenantQuery.extend({
    ...paging.shape,
  }),
  response: pageOf(routerBackup),
});

export const listOverdue = operation({
  id: 'routerBackups.overdue',
  method: 'GET',
  path: `${BACKUPS}/overdue`,
  summary: 'Devices by serial number whose last backup is older than so many days, or that have none (TPL-06).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...paging.shape,
    days: z.coerce.number().int().min(OVERDUE_DAYS.least).max(OVERDUE_DAYS.most).optional(),
  }),
  response: pageOf(overdueDevice),
});

export const compareBackup = operation({
  id: 'routerBackups.compare',
  method: 'GET',
  path: `${BACKUPS}/{backup}/text`,
  summary:
    'The lines of a version, and of another one of the same device to compare it with. Passwords and keys are masked; equal ones have the same number (TPL-06).',
  scope: 'organization',
  roles: adminOnly,
  params: backupPath,
  query: tenantQuery.extend({ against: z.string().max(60).optional() }),
  response: z.object({
    result: z.object({
      /** Null = it is no text. */
      text: z.string().nullable(),
      /** Null = it is no text, or none was named. */
      against: z.string().nullable(),
    }),
  }),
});
export type ComparedBackup = z.infer<typeof compareBackup.response>['result'];

export const readBackupFile = operation({
  id: 'routerBackups.file',
  method: 'GET',
  path: `${BACKUPS}/{backup}/file`,
  summary: 'The file of a version as the router sent it, with its passwords and keys: each call is logged (TPL-06).',
  scope: 'organization',
  roles: adminOnly,
  params: backupPath,
  query: tenantQuery,
  response: z.string(),
  sends: 'file',
  fileTypes: [ANY_FILE],
});

export const restoreBackup = operation({
  id: 'routerBackups.restore',
  method: 'POST',
  path: `${BACKUPS}/{backup}/restore`,
  summary:
    'Send a version back to the router that its device has now: the same one, or its replacement of the same model. With `wait` it waits like any command (TPL-06).',
  scope: 'organization',
  roles: adminOnly,
  params: backupPath,
  body: tenantBody.extend({
    /** The serial number of the router that gets it. */
    confirmation: line(64),
    wait: z.number().int().min(WAIT_HOURS.least).max(WAIT_HOURS.most).optional(),
  }),
  bodyExample: { confirmation: 'HL5-20260117', wait: 24 },
  response: z.object({ result: sentCommand }),
});

/** The same, with in whose name routers are backed up at night. */
export const storedBackupSettings = backupSettings.extend({
  /** E-mail address of who saved it; empty = no one has. */
  by: z.string(),
  /** Since when nothing is backed up at night, because that person left or may not do it any more; null = it is. */
  stopped: z.string().nullable(),
  /** Changes with its content; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type StoredBackupSettings = z.infer<typeof storedBackupSettings>;

const settingsAnswer = z.object({ result: storedBackupSettings });

export const readSettings = operation({
  id: 'routerBackups.settings',
  method: 'GET',
  path: `${BACKUPS}/settings`,
  summary: 'When routers of an organization are backed up by themselves, and how long versions are kept (TPL-06).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: settingsAnswer,
});

export const saveSettings = operation({
  id: 'routerBackups.saveSettings',
  method: 'PUT',
  path: `${BACKUPS}/settings`,
  summary:
    'Change when routers are backed up by themselves, and how long versions are kept. A router is backed up at once by `commands.send` or a job of the kind `backup-config`. Accepts If-Match with its `version` (TPL-06).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend(backupSettings.shape),
  bodyExample: { nightly: true, hour: 2, zone: 'America/Chicago', versions: 30, days: 365 },
  response: settingsAnswer,
});

export const topics = ['backups'] as const;

export const schemaNames = {
  RouterBackup: routerBackup,
  RouterBackupSettings: storedBackupSettings,
  OverdueDevice: overdueDevice,
};
