import { routerBackups, sentCommands } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile, type CallInput } from '../../api/client.ts';
import { pageOf, REFRESH_MS } from '../../api/useList.ts';

export type RouterBackup = routerBackups.RouterBackup;
export type BackupSettings = routerBackups.BackupSettings;
export type StoredBackupSettings = routerBackups.StoredBackupSettings;
export type OverdueDevice = routerBackups.OverdueDevice;
export type SentCommand = sentCommands.SentCommand;

/** Versions that the panel of a device shows. */
export const SHOWN_VERSIONS = 90;

/** Versions of a device, the newest first. */
export const backupsQuery = (device: string) =>
  queryOptions({
    queryKey: ['backups', device] as const,
    queryFn: async ({ signal }) =>
      (await call(routerBackups.listBackups, { params: { device }, query: { limit: SHOWN_VERSIONS }, signal })).result,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['backups'] },
  });

/** The last commands of a device that are about its backups. */
export const backupCommandsQuery = (device: string) =>
  queryOptions({
    queryKey: ['commands', 'backups', device] as const,
    queryFn: async ({ signal }) => {
      const { result } = await call(sentCommands.listSentCommands, { query: { device, limit: 10 }, signal });
      return result.find(({ kind }) => kind === 'backup-config' || kind === 'restore-config') ?? null;
    },
    refetchInterval: REFRESH_MS,
    meta: { topics: ['commands'] },
  });

/** The lines of a version, and of another one. */
export const comparedQuery = (backup: string, against: string | undefined) =>
  queryOptions({
    queryKey: ['backups', 'text', backup, against] as const,
    queryFn: async ({ signal }) => {
      const query = against === undefined ? {} : { against };
      return (await call(routerBackups.compareBackup, { params: { backup }, query, signal })).result;
    },
    staleTime: Infinity,
    gcTime: 0,
  });

/** Have a router upload its configuration. @param wait hours; undefined = it is connected */
export async function backUpRouter(device: string, wait: number | undefined): Promise<SentCommand> {
  const body = { device, kind: 'backup-config', ...(wait === undefined ? {} : { wait }) } as const;
  return (await call(sentCommands.sendCommand, { body })).result;
}

/** Send a version back. @throws ApiError `approval.waiting` when a second person has to approve it */
export async function restoreVersion(backup: string, confirmation: string, wait: number | undefined): Promise<SentCommand> {
  const body = { confirmation, ...(wait === undefined ? {} : { wait }) };
  return (await call(routerBackups.restoreBackup, { params: { backup }, body })).result;
}

export const fetchBackupFile = (backup: string): Promise<Blob> =>
  callFile(routerBackups.readBackupFile, { params: { backup }, query: {} });

/** A page of devices without a recent backup. */
export async function fetchOverdue(
  query: NonNullable<CallInput<typeof routerBackups.listOverdue>['query']>,
  signal: AbortSignal,
) {
  return pageOf(await call(routerBackups.listOverdue, { query, signal }));
}

export const backupSettingsQuery = queryOptions({
  queryKey: ['backups', 'settings'] as const,
  queryFn: async ({ signal }) => (await call(routerBackups.readSettings, { query: {}, signal })).result,
  meta: { topics: ['backups'] },
});

/** @throws ApiError `conflict.stale` when another person saved in the meantime */
export async function saveBackupSettings(settings: BackupSettings, etag: string): Promise<BackupSettings> {
  return (await call(routerBackups.saveSettings, { body: settings, ifMatch: etag })).result;
}
