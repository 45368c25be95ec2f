import type { routerBackups } from '@highline/contract';
import type { Row } from '../../platform/ports/tables.ts';

/** A version without its contents. */
export interface BackupRow extends Row<
  'router_backups',
  | 'id'
  | 'device_id'
  | 'serial'
  | 'model'
  | 'firmware'
  | 'name'
  | 'bytes'
  | 'sha256'
  | 'is_text'
  | 'created_by'
  | 'created_at'
  | 'confirmed_at'
> {}

/** A version as the API returns it. */
export function toBackupDto(row: BackupRow): routerBackups.RouterBackup {
  return {
    id: row.id,
    device: row.device_id,
    serial_number: row.serial,
    model: row.model,
    firmware: row.firmware,
    name: row.name,
    bytes: row.bytes,
    sha256: row.sha256,
    text: row.is_text,
    created: row.created_at.toISOString(),
    confirmed: row.confirmed_at.toISOString(),
    by: row.created_by,
  };
}

/** A device in the list of those without a recent backup. */
export interface OverdueRow {
  readonly device_id: string;
  readonly serial: string;
  readonly vehicle_number: string;
  readonly is_online: boolean;
  readonly backed_up_at: Date | null;
  readonly offered: boolean | null;
}

/** The same as the API returns it. */
export function toOverdueDto(row: OverdueRow): routerBackups.OverdueDevice {
  return {
    device: row.device_id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number,
    online: row.is_online,
    last: row.backed_up_at?.toISOString() ?? null,
    offered: row.offered,
  };
}
