import type { tools } from '@highline/contract';
import type { RunRow } from './tools.store.ts';

/** A run as the API returns it. */
export function toRunDto(row: RunRow): tools.ToolRun {
  return {
    id: row.id,
    device: row.device_id,
    input: row.input,
    state: row.state,
    by: row.started_by,
    rule: row.rule_id,
    started: row.created_at.toISOString(),
    ended: row.ended_at?.toISOString() ?? null,
    result: row.result,
    failure: row.cause === null ? null : { cause: row.cause, message: row.message ?? '' },
    file: row.has_file && row.file_sha256 !== null ? { bytes: row.file_bytes ?? 0, sha256: row.file_sha256 } : null,
  };
}
