import { Readable } from 'node:stream';
import { routerBackups as calls } from '@highline/contract';
import { required, withVersion, type OrganizationScope } from '../../kernel/index.ts';
import { announceFile, fileNameOf, sendSavedContent, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { findSent } from '../commands/index.ts';
import type { BackupDeps } from './backup-transfers.ts';
import { backupList, findBackedUpDevice, overdueList, readBackupSettings } from './backups.queries.ts';
import { changeBackupSettings, compareBackups, readBackupFile, restoreBackup } from './backups.service.ts';

export interface BackupRoutesDeps extends BackupDeps, Pick<Deps, 'reader' | 'streams'> {}

/** Registers the calls about configurations that routers uploaded (TPL-06). */
export function registerBackupRoutes(routes: Routes, deps: BackupRoutesDeps): void {
  const { database, reader, clock } = deps;

  routes.on(calls.listBackups, async ({ scope, params, query }) => {
    const device = required(await findBackedUpDevice(database.read, scope, params.device), 'not_found', { field: 'device' });
    return backupList(device.deviceId).respond(deps, scope, query);
  });

  routes.on(calls.listOverdue, ({ scope, query }) => overdueList(clock.now()).respond(deps, scope, query));

  routes.on(calls.compareBackup, async ({ scope, params, query, reply }) => {
    reply.header('cache-control', 'no-store');
    return { result: await compareBackups(deps, scope, params.backup, query.against) };
  });

  routes.on(calls.readBackupFile, async ({ scope, actor, params, reply }) => {
    const { backup, contents } = await readBackupFile(deps, scope, actor, params.backup);
    const name = `${backup.serial} ${backup.created_at.toISOString().slice(0, 16)}`;
    announceFile(reply, `${fileNameOf(name, 'backup')}.${backup.is_text ? 'txt' : 'bin'}`, 'application/octet-stream');
    return Readable.from([contents]);
  });

  routes.on(calls.restoreBackup, async ({ scope, actor, params, body: { confirmation, wait } }) => {
    const id = await restoreBackup(deps, scope, actor, params.backup, { confirmation, wait });
    return { result: required(await findSent(reader, scope, id), 'command.unknown') };
  });

  const settingsOf = (scope: OrganizationScope) => readBackupSettings(database.read, scope);

  routes.on(calls.readSettings, async ({ scope }) => ({ result: withVersion(await settingsOf(scope)) }));

  routes.on(calls.saveSettings, (call) => {
    const { scope, actor, body } = call;
    const { nightly, hour, zone, versions, days } = body;
    return sendSavedContent(
      call,
      (isCurrent) => changeBackupSettings(deps, scope, actor, { nightly, hour, zone, versions, days }, isCurrent),
      () => settingsOf(scope),
    );
  });
}
