import { DomainError } from '../../kernel/failure.ts';
import type { DeviceLink, OperationOutcome } from '../../platform/ports/index.ts';
import type { CommandRequest } from '../commands/index.ts';
import { createTransferAddress } from '../tools/index.ts';
import type { BackupDeps } from './backup-transfers.ts';
import { findConfigSlot, findRestored, insertTransfer } from './backup-transfers.job.queries.ts';

export interface BackupOrderDeps extends Pick<BackupDeps, 'database' | 'clock'> {
  readonly deviceLink: Pick<DeviceLink, 'operate'>;
  /** Address that routers transfer to and from, without a trailing slash. */
  readonly origin: () => string;
}

const RESPONSE_MS = 20_000;

/** Have a router upload its configuration. @throws DomainError as `DeviceLink.operate` */
export async function sendBackup(deps: BackupOrderDeps, request: CommandRequest): Promise<OperationOutcome> {
  const slot = await findConfigSlot(deps.database.read, request.routerId);
  if (slot === null) return rejected('unsupported', '');
  const url = await openAddress(deps, request, null);
  return deps.deviceLink.operate(request.routerId, { type: 'backup-config', slot, url }, optionsOf(request));
}

/** Send a version back to a router. @throws DomainError as `DeviceLink.operate` */
export async function sendRestore(deps: BackupOrderDeps, request: CommandRequest): Promise<OperationOutcome> {
  const { database, deviceLink } = deps;
  const slot = await findConfigSlot(database.read, request.routerId);
  if (slot === null) return rejected('unsupported', '');
  const { organizationId: organization_id, deviceId: device_id, argument: backup_id } = request;
  const backup = await findRestored(database.read, { organization_id, device_id, backup_id });
  if (backup === undefined) return rejected('rejected', 'the backup no longer exists');
  const url = await openAddress(deps, request, backup.id);
  const file = { url, username: '', password: '', size: backup.bytes, sha256: backup.sha256 };
  const name = backup.name === '' ? 'backup' : backup.name;
  return deviceLink.operate(request.routerId, { type: 'restore-config', slot, file, name }, optionsOf(request));
}

const optionsOf = ({ id }: CommandRequest) => ({ key: id, timeoutMs: RESPONSE_MS });

function rejected(cause: 'unsupported' | 'rejected', message: string): OperationOutcome {
  return { type: 'failed', cause, code: null, message };
}

/** A new address each time that a command is sent: earlier ones stay open until it has ended. */
async function openAddress(deps: BackupOrderDeps, request: CommandRequest, backupId: string | null): Promise<string> {
  const { database, clock, origin } = deps;
  const { url, hash } = createTransferAddress(origin());
  const { id: command_id, organizationId: organization_id, deviceId: device_id, routerId: router_id } = request;
  const transfer = { organization_id, command_id, device_id, router_id, backup_id: backupId };
  const isOpen = await database.write((tx) => insertTransfer(tx, transfer, hash, clock.now()));
  // Its device left, and the command is about to be cancelled.
  if (!isOpen) throw new DomainError('router.not_connected');
  return url;
}
