import type { firmware } from '@highline/contract';
import { toBoundDto, type BoundRow } from './bound.ts';
import type { Row } from '../../platform/ports/tables.ts';

export interface FirmwareRow extends Row<
  'firmware',
  'id' | 'version' | 'profile' | 'note' | 'file_name' | 'size' | 'sha256' | 'signed_by' | 'created_at' | 'updated_at'
> {
  /** Its bindings in the scope. */
  readonly bound: BoundRow;
}

/** Firmware as its screens show it. */
export function toFirmwareDto(row: FirmwareRow): firmware.Firmware {
  return {
    pk: row.id,
    version: row.version,
    note: row.note,
    size: row.size,
    profile: row.profile,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
    file: row.file_name,
    sha256: row.sha256.toString('hex'),
    signedBy: row.signed_by,
    ...toBoundDto(row.bound),
  };
}
