import { type rollouts, routerSettings, sentCommands } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, type CallInput, type CallQuery, callTagged } from '../../api/client.ts';
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
export async function saveLevel(level: LevelName, values: Values, ifMatch: string | undefined): Promise<LevelSettings> {
  const input = { body: { ...named(level), values } };
  return (await call(routerSettings.saveSettings, ifMatch === undefined ? input : { ...input, ifMatch })).result;
}

/** What a save would change. */
export async function previewLevel(level: LevelName, values: Values): Promise<SettingsPreview> {
  return (await call(routerSettings.previewSettings, { body: { ...named(level), values } })).result;
}

/** Hours that routers which are off have to connect in. */
const WAIT_HOURS = 168;

/** Where settings are sent, and when. */
export interface Sending {
  /** How many there are. */
  readonly devices: number;
  /** Only while all of it holds (WIN-02); undefined = at once. */
  readonly window: rollouts.UpdateWindow | undefined;
}

/** Send what is set to the devices of a level; those that are off get it when they connect. */
export async function applyLevel({ group, device }: LevelName, { devices, window }: Sending): Promise<void> {
  const when = { wait: WAIT_HOURS, ...(window !== undefined && { window }) };
  if (device !== undefined) {
    await call(sentCommands.sendCommand, { body: { device, kind: 'apply-settings', ...when } });
    return;
  }
  const filter = group === undefined ? {} : { group };
  await startJob({ selection: { filter }, count: devices }, { kind: 'send', send: 'apply-settings', ...when });
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

/** Devices with the state of their settings. */
export async function fetchSettings(
  query: CallQuery<typeof routerSettings.listSettings>,
  signal: AbortSignal,
): Promise<Page<SettingsRow>> {
  return pageOf(await call(routerSettings.listSettings, { query, signal }));
}
