import type { LogSentence } from '@highline/contract/log-texts';
import type { SecondPerson } from '../../kernel/scope.ts';
import type { AuditExportEntry } from './audit-export.ts';
import type { Selectable } from 'kysely';
import type { Tables } from '../../platform/ports/tables.ts';

/** A stored entry, with everything that its hash covers. */
declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'audit_entries.actor_with': SecondPerson[];
    'audit_entries.sentence': LogSentence;
    'audit_entries.detail': Record<string, unknown>;
  }
}

export type AuditExportRow = Omit<Selectable<Tables['audit_entries']>, 'chain_id'>;

/** The same in the format of an exported file. */
export function toExportEntry(row: AuditExportRow): AuditExportEntry {
  return {
    seq: row.seq,
    at: row.at.toISOString(),
    actorId: row.actor_id,
    actorEmail: row.actor_email,
    actorRole: row.actor_role,
    ...(row.actor_key === null ? {} : { actorKey: row.actor_key }),
    ...(row.actor_with === null ? {} : { actorWith: row.actor_with }),
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
