import {
  catalogueOf,
  devices,
  rollouts,
  routerSettings,
  sentCommands,
  type SettingsCatalogue,
  settingSchemas,
  standardCatalogue,
  type TextEncodingName,
  toFamily,
} from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallInput, type CallQuery, callTagged } from '../../api/client.ts';
import { type Page, pageOf } from '../../api/useList.ts';
import { startJob } from '../../entities/jobs/bulk-jobs.api.ts';

export type LevelSettings = routerSettings.LevelSettings;
export type DeviceSettings = routerSettings.DeviceSettings;
export type EffectiveValue = routerSettings.EffectiveValue;
export type SettingsRow = routerSettings.SettingsRow;
export type SettingsPreview = routerSettings.SettingsPreview;

/** The organization without both, one of its groups, or one of its devices. */
export interface LevelName {
  readonly group?: string | undefined;
  readonly device?: string | undefined;
}

type Values = CallInput<typeof routerSettings.saveSettings>['body']['values'];

const named = ({ group, device }: LevelName) => ({
  ...(group === undefined ? {} : { group }),
  ...(device === undefined ? {} : { device }),
});

export type SettingsImport = routerSettings.SettingsImport;

/** Set values of devices from a file. @param dryRun check only */
export async function importSettings(
  file: File,
  { encoding, dryRun }: { readonly encoding: TextEncodingName | undefined; readonly dryRun: boolean },
): Promise<SettingsImport> {
  const query = { encoding, ...(dryRun ? { dryRun: 'true' } : {}) };
  return (await call(routerSettings.importSettingsFile, { query, body: {}, files: { file } })).result;
}

export type SchemaFile = settingSchemas.SchemaFile;

/** The schema files of the organization. */
export const schemasQuery = queryOptions({
  queryKey: ['settings', 'schemas'] as const,
  queryFn: async ({ signal }) => (await call(settingSchemas.listSchemaFiles, { query: {}, signal })).result,
});

/** What can be set, with what schema files add. */
export const catalogueWith = (files: readonly SchemaFile[] = []): SettingsCatalogue =>
  files.length === 0
    ? standardCatalogue
    : catalogueOf(
        undefined,
        files.map((each) => toFamily(each)),
      );

/** Store a schema file in place of one of the same name. @param schema what a file contains, checked by the server */
export async function saveSchemaFile(schema: SchemaFile): Promise<readonly SchemaFile[]> {
  return (await call(settingSchemas.saveSchemaFile, { body: { schema } })).result;
}

/** Delete a schema file by its name. */
export async function deleteSchemaFile(name: string): Promise<readonly SchemaFile[]> {
  return (await call(settingSchemas.deleteSchemaFile, { body: { name } })).result;
}

/** A level with the ETag that a save is based on. */
export const levelQuery = (level: LevelName) =>
  queryOptions({
    queryKey: ['settings', 'level', level.group, level.device] as const,
    queryFn: async ({ signal }) => {
      const { response, etag } = await callTagged(routerSettings.readSettings, { query: named(level), signal });
      return { settings: response.result, etag };
    },
  });

/** @throws ApiError `conflict.stale` when another user saved in the meantime */
export async function saveLevel(
  level: LevelName,
  values: Values,
  ifMatch: string | undefined,
  secretsOf: number | undefined,
): Promise<LevelSettings> {
  const input = { body: { ...named(level), values, ...keptOf(secretsOf) } };
  return (await call(routerSettings.saveSettings, ifMatch === undefined ? input : { ...input, ifMatch })).result;
}

/** What a save would change. */
export async function previewLevel(level: LevelName, values: Values, secretsOf: number | undefined): Promise<SettingsPreview> {
  return (await call(routerSettings.previewSettings, { body: { ...named(level), values, ...keptOf(secretsOf) } })).result;
}

const keptOf = (secretsOf: number | undefined) => (secretsOf === undefined ? {} : { secretsOf });

export type SettingsVersion = routerSettings.SettingsVersion;

/** What a level set before, the newest first. */
export const versionsQuery = (level: LevelName) =>
  queryOptions({
    queryKey: ['settings', 'versions', level.group, level.device] as const,
    queryFn: async ({ signal }) => (await call(routerSettings.listVersions, { query: named(level), signal })).result,
  });

/** Hours that routers which are off have to connect in. */
const WAIT_HOURS = 168;

/** What goes first, how it goes on, and what stops it. */
export type RolloutOptions = Pick<
  CallInput<typeof rollouts.rollOutSettings>['body'],
  'canaries' | 'failureThreshold' | 'first' | 'waves'
>;

/**
 * Send what is set for a device to its router; one that is off gets it when it connects.
 * @param window left out = at any time
 * @returns whether they are sent now, or wait for the router or the window
 */
export async function applyToDevice(device: string, window?: rollouts.UpdateWindow): Promise<'sent' | 'waits'> {
  const when = window === undefined ? {} : { window };
  await call(sentCommands.sendCommand, { body: { device, kind: 'apply-settings', wait: WAIT_HOURS, ...when } });
  if (window !== undefined) return 'waits';
  // They are sent, whatever becomes of this read.
  const read = await call(devices.getDevice, { query: { device } }).catch(() => undefined);
  return read === undefined || read.result.presence === 'online' ? 'sent' : 'waits';
}

/**
 * Send what is set to the routers of a level: to one by a command, to those of a group or of the organization by a rollout.
 * @param version that was reviewed
 * @param sending window: undefined = at any time
 */
export async function sendLevel(
  { group, device }: LevelName,
  version: number,
  { window, options }: { readonly window: rollouts.UpdateWindow | undefined; readonly options: RolloutOptions },
): Promise<'sent' | 'waits'> {
  if (device !== undefined) return applyToDevice(device, window);
  const when = window === undefined ? {} : { window };
  await call(rollouts.rollOutSettings, { body: { ...named({ group }), version, ...options, ...when } });
  return 'sent';
}

/**
 * Restore what is set on all devices of a group or of the organization; those that are off get it when they connect.
 * @param devices how many there are
 */
export async function restoreMany(group: string | undefined, devices: number): Promise<void> {
  const action = { kind: 'send', send: 'apply-settings', wait: WAIT_HOURS } as const;
  await startJob({ selection: { filter: group === undefined ? {} : { group } }, count: devices }, action);
}

/** While someone looks; the server reads a router at most as often. */
const LOOK_MS = 10_000;

/** Every value that is set for a device, compared with its router while the screen is open. */
export const deviceSettingsQuery = (device: string) =>
  queryOptions({
    queryKey: ['settings', 'device', device] as const,
    queryFn: async ({ signal }) => (await call(routerSettings.readDeviceSettings, { query: { device }, signal })).result,
    refetchInterval: LOOK_MS,
    placeholderData: keepPreviousData,
    meta: { topics: ['settings', 'commands'] },
  });

/** Make what the router reports an exception of its device. */
export async function adoptSettings(device: string): Promise<DeviceSettings> {
  return (await call(routerSettings.adoptSettings, { body: { device } })).result;
}

/** Make what routers report instead exceptions of their devices. @param group undefined = of the organization */
export async function adoptMany(group: string | undefined): Promise<{ readonly devices: number; readonly left: number }> {
  return (await call(routerSettings.adoptMany, { body: group === undefined ? {} : { group } })).result;
}

export const fetchSettingsFile = (query: CallQuery<typeof routerSettings.exportSettings>): Promise<Blob> =>
  callFile(routerSettings.exportSettings, { query });

/** Devices with the state of their settings. */
export async function fetchSettings(
  query: CallQuery<typeof routerSettings.listSettings>,
  signal: AbortSignal,
): Promise<Page<SettingsRow>> {
  return pageOf(await call(routerSettings.listSettings, { query, signal }));
}
