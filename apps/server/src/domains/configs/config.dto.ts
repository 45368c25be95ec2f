import type { configs } from '@highline/contract';
import { toBoundDto, type BoundRow } from '../firmware/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

export interface ConfigRow extends Row<'config_files', 'id' | 'name' | 'note' | 'current_version' | 'created_at' | 'updated_at'> {
  /** Number of saves. */
  readonly version: number;
  readonly size: number;
  readonly sha256: Buffer;
  /** Its bindings. */
  readonly bound: BoundRow;
}

/** A config file as its screens show it; never its contents. */
export function toConfigDto(row: ConfigRow): configs.Config {
  return {
    pk: row.id,
    id: row.id,
    name: row.name,
    note: row.note,
    size: row.size,
    version: row.current_version,
    sha256: row.sha256.toString('hex'),
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
    file: row.name,
    profile: row.id,
    ...toBoundDto(row.bound),
  };
}
