import type { bulkJobs, rollouts } from '@highline/contract';
import type { z } from 'zod';
import type { Actor, Scope } from '../../kernel/scope.ts';
import type { Order } from '../commands/index.ts';
import type { Row } from '../../platform/ports/tables.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'bulk_jobs.action': StoredAction;
    'bulk_jobs.selection': JobSource;
    'bulk_jobs.actor': Actor;
    'bulk_job_items.reason': bulkJobs.ItemReason;
  }
}

/** The action of a job as it is stored: groups and commands with their names, days in ISO. */
export type StoredAction =
  | { readonly kind: 'move'; readonly group: string; readonly name: string }
  | { readonly kind: 'subscription'; readonly startedOn: string; readonly expiresOn: string }
  | { readonly kind: 'tags'; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: 'command'; readonly command: string; readonly name: string }
  | {
      readonly kind: 'send';
      readonly order: Order;
      readonly wait?: number | undefined;
      readonly window?: rollouts.UpdateWindow | undefined;
    }
  | { readonly kind: 'delete' }
  | { readonly kind: 'remove'; readonly list: bulkJobs.RowList };

export type DeviceFilter = z.output<typeof bulkJobs.deviceFilter>;

/** Where items of a job come from that are not there yet. */
export type JobSource =
  | { readonly from: 'filter'; readonly filter: DeviceFilter; /** ISO time of the start. */ readonly at: string }
  | FormerItems;

/** Items of another job with a result, and where their values are. */
export interface FormerItems {
  readonly from: 'job';
  readonly job: string;
  readonly state: 'failed' | 'done';
  readonly target: 'before' | 'target';
}

/** A job as it is read. */
export interface OwnJob {
  readonly id: string;
  readonly main_account_id: string;
  readonly organization_id: string | null;
  readonly action: StoredAction;
  readonly is_undo: boolean;
  readonly selection: JobSource | null;
  readonly selected_serial: string | null;
  readonly selected_id: string | null;
  readonly selected_n: number;
  readonly actor: Actor;
  readonly state: bulkJobs.JobState;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly next_n: number;
  readonly attempts: number;
  readonly leased_until: Date | null;
  readonly retried_by: string | null;
  readonly undone_by: string | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

/** An item of a job as a batch reads it. */
export interface ItemRow extends Row<'bulk_job_items', 'n' | 'organization_id'> {
  /** Null: it is a row of another list. */
  readonly device_id: string | null;
  readonly target: unknown;
}

/** A row of another list that a job deletes. */
export interface RowItem extends Row<'bulk_job_items', 'n'> {
  /** The organization that it belongs to, or the main account. */
  readonly organization_id: string;
  readonly subject: string;
}

/** The result of an item. */
export interface ItemResult {
  readonly n: number;
  readonly state: bulkJobs.ItemState;
  readonly reason?: bulkJobs.ItemReason;
  readonly message?: string | null;
  /** The value that was replaced. */
  readonly before?: unknown;
}

/** The scope of a job: one organization, or the main account with all of its organizations. */
export function scopeOf({ main_account_id: mainAccountId, organization_id: organizationId }: OwnJob): Scope {
  return organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };
}

/** Whether it changes values of devices, many in one transaction with their results. */
export function isStoredChange({ action }: Pick<OwnJob, 'action'>): boolean {
  return action.kind !== 'command' && action.kind !== 'remove';
}
