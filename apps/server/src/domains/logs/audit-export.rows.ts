import type { LogSentence } from '@highline/contract/log-texts';
import type { AuditExportEntry } from './audit-export.ts';

/** A stored entry, with everything that its hash covers. */
export interface AuditExportRow {
  readonly seq: number;
  readonly at: Date;
  readonly actor_id: string | null;
  readonly actor_email: string;
  readonly actor_role: string;
  readonly actor_key: string | null;
  readonly address: string;
  readonly action: string;
  readonly sentence: LogSentence | null;
  readonly subject_kind: string;
  readonly subject_id: string;
  readonly detail: unknown;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
}

/** The same in the format of an exported file. */
export function toExportEntry(row: AuditExportRow): AuditExportEntry {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actorId: row.actor_id,
    actorEmail: row.actor_email,
    actorRole: row.actor_role,
    ...(row.actor_key === null ? {} : { actorKey: row.actor_key }),
    address: row.address,
    action: row.action,
    ...(row.sentence === null ? {} : { sentence: row.sentence }),
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    detail: row.detail,
    previous: row.previous_hash.toString('hex'),
    hash: row.hash.toString('hex'),
  };
}
