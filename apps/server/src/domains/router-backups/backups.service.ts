import type { routerBackups } from '@highline/contract';
import { checkZone } from '../../kernel/calendar.ts';
import { contentVersion, DomainError, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { endSystemAlert } from '../alerts/index.ts';
import { requireApproval } from '../approvals/index.ts';
import { sendOrder } from '../commands/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { createMasking } from './backup-text.ts';
import type { BackupDeps } from './backup-transfers.ts';
import { findBackedUpDevice, findBackup, readBackupSettings, type StoredBackup } from './backups.queries.ts';
import { saveBackupSettings } from './backups.store.ts';

/** @throws DomainError `backup.not_found` */
async function requireBackup(queries: Queries, scope: OrganizationScope, id: string): Promise<StoredBackup> {
  return required(await findBackup(queries, scope, id), 'backup.not_found');
}

/**
 * The lines of a version and of another one, with passwords and keys masked.
 * @throws DomainError `backup.not_found`, also for one of another device
 */
export async function compareBackups(
  { database, backupSealing }: BackupDeps,
  scope: OrganizationScope,
  id: string,
  against: string | undefined,
): Promise<routerBackups.ComparedBackup> {
  const later = await requireBackup(database.read, scope, id);
  const earlier = against === undefined ? undefined : await requireBackup(database.read, scope, against);
  if (earlier !== undefined && earlier.device_id !== later.device_id)
    throw new DomainError('backup.not_found', { field: 'against' });
  const mask = createMasking();
  const textOf = async (backup: StoredBackup | undefined) =>
    backup?.is_text === true ? mask(backupSealing.open(backup.id, backup.sealed).toString('utf8')) : null;
  const masked = await textOf(earlier);
  return { against: masked, text: await textOf(later) };
}

/** The file of a version, with a log entry. @throws DomainError `backup.not_found` */
export async function readBackupFile(
  { database, clock, backupSealing }: BackupDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<{ readonly backup: StoredBackup; readonly contents: Buffer }> {
  return database.write(async (tx) => {
    const backup = await requireBackup(tx, scope, id);
    const event = {
      action: sentence('backup.downloaded', backup.serial),
      subject: { kind: 'device', id: backup.device_id },
      detail: { serial: backup.serial, backup: id, created: backup.created_at.toISOString(), sha256: backup.sha256 },
    };
    await announce(tx, scope, 'backups', [backup.device_id]);
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
    return { backup, contents: backupSealing.open(id, backup.sealed) };
  });
}

/**
 * Send a version back to the router that its device has now, with a command that waits like any other; where the organization says so, a second
 * person approves it first (IAM-07).
 * @returns the id of the command
 * @throws DomainError `backup.not_found`, `backup.other_model`, `backup.not_offered`, `request.invalid` for the confirmation, `approval.waiting`,
 * and as `sendOrder`
 */
export async function restoreBackup(
  { database, clock }: BackupDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
  { confirmation, wait }: { readonly confirmation: string; readonly wait?: number | undefined },
): Promise<string> {
  return database.write(async (tx) => {
    const backup = await requireBackup(tx, scope, id);
    const device = required(await findBackedUpDevice(tx, scope, backup.device_id), 'backup.not_found');
    if (device.model !== backup.model) throw new DomainError('backup.other_model');
    if (device.isRestorable === false) throw new DomainError('backup.not_offered');
    if (confirmation !== device.serial)
      throw new DomainError('request.invalid', { message: 'confirmation: must be the serial number', field: 'confirmation' });
    await requireApproval(tx, scope, {
      rule: 'settings',
      acts: [sentence('approval.act_restore_backup', device.serial, backup.created_at.toISOString().slice(0, 16))],
      routers: 1,
      names: [device.serial],
      touches: [id, backup.sha256, device.deviceId, device.routerId],
    });
    const order = { kind: 'restore-config', argument: id, name: '' } as const;
    const sent = await sendOrder(
      tx,
      scope,
      actor,
      { device: device.deviceId, order, wait, window: undefined, confirmation },
      clock.now(),
    );
    await announce(tx, scope, 'backups', [device.deviceId]);
    return sent.id;
  });
}

/**
 * Replace the settings of an organization.
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `request.invalid` for an unknown zone, `conflict.stale`
 */
export async function changeBackupSettings(
  { database, clock }: BackupDeps,
  scope: OrganizationScope,
  actor: Actor,
  settings: routerBackups.BackupSettings,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  checkZone(settings.zone, 'zone');
  const now = clock.now();
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    if (!isCurrent(contentVersion(await readBackupSettings(tx, scope)))) throw new DomainError('conflict.stale');
    await saveBackupSettings(tx, scope, actor, settings, now);
    await endSystemAlert(tx, scope, { kind: 'backups-stopped', about: scope.organizationId }, now);
    await announce(tx, scope, 'backups', []);
    const event = {
      action: sentence('backup.settings'),
      subject: { kind: 'organization', id: scope.organizationId },
      detail: { ...settings },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
}
