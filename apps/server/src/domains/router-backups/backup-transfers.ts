import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { routerBackups } from '@highline/contract';
import { DomainError, newId, sanitizeLine, type OrganizationScope, type Sealing } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { AddressSource } from '../tools/index.ts';
import { isText } from './backup-text.ts';
import {
  confirmBackup,
  deleteBeyond,
  findOpenBackup,
  findRestored,
  insertBackup,
  lockNewest,
  markReceived,
  noteBackedUp,
  type OpenBackup,
} from './backup-transfers.job.queries.ts';
import { readBackupSettings } from './backups.queries.ts';

export interface BackupDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly backupSealing: Sealing;
}

/**
 * The addresses of commands that back up and restore, each for as long as its command has not ended: a router may try again, and what it sends
 * a second time changes nothing.
 */
export function createBackupAddresses(deps: BackupDeps): AddressSource {
  const { database, clock, backupSealing } = deps;
  return async (hash) => {
    const open = await findOpenBackup(database.read, hash);
    if (open === undefined) return undefined;
    const common = {
      organizationId: open.organization_id,
      routerId: open.router_id,
      claim: () => Promise.resolve(true),
    };
    if (open.backup_id === null) {
      const store = async (contents: Buffer) => {
        // Some routers are done before they wrote their file: restored, it would leave nothing.
        if (contents.length === 0) throw new DomainError('request.invalid', { message: 'The file is empty.' });
        await database.write((tx) => storeBackup(tx, deps, hash, open, contents, clock.now()));
        return true;
      };
      return { ...common, upload: { most: routerBackups.MOST_BACKUP_BYTES, store } };
    }
    const backup = await findRestored(database.read, open);
    if (backup === undefined) return undefined;
    const contents = () => Readable.from([backupSealing.open(backup.id, backup.sealed)]);
    return { ...common, download: { bytes: backup.bytes, open: contents } };
  };
}

/** Keep what a router sent as a version, or confirm the newest one where it is the same file. */
async function storeBackup(
  tx: Tx,
  { backupSealing }: BackupDeps,
  hash: Buffer,
  open: OpenBackup,
  contents: Buffer,
  now: Date,
): Promise<void> {
  const { organization_id: organizationId, main_account_id: mainAccountId, device_id: deviceId } = open;
  if (!(await markReceived(tx, hash, now))) return;
  // The row of the device first: of two files at once the second sees the version of the first.
  await noteBackedUp(tx, open, now);
  const sha256 = createHash('sha256').update(contents).digest('hex');
  const newest = await lockNewest(tx, open);
  if (newest?.sha256 === sha256 && newest.model === open.model) await confirmBackup(tx, organizationId, newest.id, now);
  else {
    const id = newId(now.getTime());
    await insertBackup(
      tx,
      {
        organization_id: organizationId,
        id,
        device_id: deviceId,
        router_id: open.router_id,
        serial: open.serial,
        model: open.model,
        firmware: open.firmware ?? '',
        name: sanitizeLine(open.config ?? '') ?? '',
        bytes: contents.length,
        sha256,
        is_text: isText(contents),
        sealed: backupSealing.seal(id, contents),
        created_by: open.actor.key?.label ?? open.actor.email,
      },
      now,
    );
    const { versions } = await readBackupSettings(tx, { organizationId });
    await deleteBeyond(tx, open, versions);
  }
  const scope: OrganizationScope = { kind: 'organization', organizationId, mainAccountId };
  await announce(tx, scope, 'backups', [deviceId]);
}
