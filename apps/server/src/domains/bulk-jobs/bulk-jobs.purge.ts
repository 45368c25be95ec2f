import { bulkJobs } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Database } from '../../platform/ports/database.ts';
import { deleteInBatches } from '../../platform/retention/batches.ts';
import { purgeItemsOf, purgeJobsOf } from './bulk-jobs.store.ts';
import type { Row } from '../../platform/ports/tables.ts';

const BATCH = 10_000;
const JOBS = 100;

/** A job of the clock: delete bulk jobs that ended at least 30 days ago, items first. After an interruption the next run continues. */
export async function purgeBulkJobs(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - bulkJobs.JOB_DAYS * 86_400_000);
  for (;;) {
    const { rows } = await sql<Row<'bulk_jobs', 'id'>>`select id from bulk_jobs where ended_at < ${before}::timestamptz
      order by ended_at limit ${JOBS}`.execute(database.read);
    if (rows.length === 0) return;
    for (const { id } of rows) await purgeJob(database, id);
  }
}

async function purgeJob(database: Database, id: string): Promise<void> {
  await deleteInBatches(database, BATCH, (tx) =>
    sql`delete from bulk_job_items where (job_id, n) in (
      select job_id, n from bulk_job_items where job_id = ${id}::uuid order by n limit ${BATCH})`.execute(tx),
  );
  await database.write((tx) => tx.deleteFrom('bulk_jobs').where('id', '=', id).execute());
}

/** Delete every job of an organization that is being purged. */
export async function purgeBulkJobsOf(database: Database, scope: OrganizationScope): Promise<void> {
  await deleteInBatches(database, BATCH, (tx) => purgeItemsOf(tx, scope, BATCH));
  await database.write((tx) => purgeJobsOf(tx, scope));
}
