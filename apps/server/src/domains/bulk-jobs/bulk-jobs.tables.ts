import type { bulkJobs } from '@highline/contract';
import type { Generated } from 'kysely';
import type { Actor } from '../../kernel/scope.ts';
import type { Json } from '../../platform/ports/tables.ts';
import type { JobSource, StoredAction } from './bulk-job.ts';

// The tables that this folder owns: only its files may write them (docs/decisions/0030-table-ownership.md).

declare module '../../platform/ports/tables.ts' {
  interface Tables {
    bulk_jobs: {
      id: string;
      main_account_id: string;
      /** Null: devices of all organizations of the main account. */
      organization_id: string | null;
      action: Json<StoredAction>;
      is_undo: boolean;
      /** Null: all items are there. */
      selection: Json<JobSource> | null;
      selected_serial: string | null;
      selected_id: string | null;
      selected_n: Generated<number>;
      actor: Json<Actor>;
      state: bulkJobs.JobState;
      total: Generated<number>;
      done: Generated<number>;
      failed: Generated<number>;
      skipped: Generated<number>;
      next_n: Generated<number>;
      attempts: Generated<number>;
      due_at: Stamp;
      worked_at: NullableStamp;
      leased_until: NullableStamp;
      retried_by: string | null;
      undone_by: string | null;
      created_at: Stamp;
      ended_at: NullableStamp;
    };
    bulk_job_items: {
      job_id: string;
      n: number;
      organization_id: string;
      /** Null: it is a row of another list. */
      device_id: string | null;
      /** The key of the row in its list. */
      subject: string | null;
      /** The serial number, or the name of the row. */
      serial: string;
      state: Generated<bulkJobs.ItemState>;
      reason: bulkJobs.ItemReason | null;
      message: string | null;
      before: Json<unknown> | null;
      target: Json<unknown> | null;
    };
  }
}
