import { bulkJobs } from '@highline/contract';
import { americanDay, sanitizeLine } from '../../kernel/index.ts';
import type { OwnJob } from './bulk-job.ts';

/** A job as the API returns it. */
export function toJobDto(row: OwnJob): bulkJobs.BulkJob {
  const { action } = row;
  const days = action.kind === 'subscription' ? action : { startedOn: null, expiresOn: null };
  const tags = action.kind === 'tags' ? action : { add: [], remove: [] };
  return {
    id: row.id,
    org: row.organization_id,
    kind: action.kind,
    list: action.kind === 'remove' ? action.list : null,
    undo: row.is_undo,
    state: row.state,
    total: row.total,
    done: row.done,
    failed: row.failed,
    skipped: row.skipped,
    name: nameOf(action),
    send: action.kind === 'send' ? action.order.kind : null,
    started: days.startedOn === null ? null : americanDay(days.startedOn),
    expired: days.expiresOn === null ? null : americanDay(days.expiresOn),
    add: [...tags.add],
    remove: [...tags.remove],
    by: row.actor.email,
    created: row.created_at.toISOString(),
    ended: row.ended_at?.toISOString() ?? null,
    retriable: isRetriable(row),
    undoable: isUndoable(row),
  };
}

function nameOf(action: OwnJob['action']): string | null {
  if (action.kind === 'send') return action.order.name === '' ? null : action.order.name;
  return 'name' in action ? action.name : null;
}

/** Devices of this job failed, and were not tried again. */
export function isRetriable({ ended_at, failed, retried_by }: OwnJob): boolean {
  return ended_at !== null && failed > 0 && retried_by === null;
}

/** Its former values are known, and were not restored. */
export function isUndoable({ ended_at, done, undone_by, is_undo, action }: OwnJob): boolean {
  return ended_at !== null && done > 0 && undone_by === null && !is_undo && bulkJobs.undoableKinds.has(action.kind);
}

/** The result of a device or row as it is read. */
export interface ItemResultRow {
  readonly n: number;
  readonly device_id: string | null;
  readonly subject: string | null;
  readonly organization_id: string;
  readonly serial: string;
  readonly vehicle_number: string | null;
  readonly state: bulkJobs.ItemState;
  readonly reason: bulkJobs.ItemReason | null;
  readonly message: string | null;
}

/** The result of a job for one device or row, as the API returns it. */
export function toItemDto(row: ItemResultRow): bulkJobs.JobItem {
  const { subject } = row;
  return {
    n: row.n,
    device: row.device_id ?? '',
    serial_number: subject === null ? row.serial : '',
    row: subject === null ? null : { id: subject, name: row.serial },
    vehicle_number: row.vehicle_number ?? '',
    org: row.organization_id,
    state: row.state,
    reason: row.reason,
    message: row.message === null ? null : (sanitizeLine(row.message) ?? null),
  };
}
