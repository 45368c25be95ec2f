import type { firmware } from '@highline/contract';
import { toBoundDto, type BoundRow } from './bound.ts';

export interface FirmwareRow {
  readonly id: string;
  readonly version: string;
  readonly profile: string;
  readonly note: string;
  readonly file_name: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly signed_by: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
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
