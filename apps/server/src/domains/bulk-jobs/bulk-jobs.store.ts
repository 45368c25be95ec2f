import { sql } from 'kysely';
import { authorOf, newId, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { ItemResult, ItemRow, OwnJob, JobSource, RowItem, StoredAction } from './bulk-job.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A job as the start of a call describes it. */
export interface NewJob {
  readonly action: StoredAction;
  readonly isUndo: boolean;
  /** Null: the caller inserts all items. */
  readonly source: JobSource | null;
}

/** Insert a job without items. */
export async function insertJob(tx: Tx, scope: Scope, actor: Actor, job: NewJob, now: Date): Promise<OwnJob> {
  const id = newId(now.getTime());
  await tx
    .insertInto('bulk_jobs')
    .values({
      id,
      main_account_id: scope.mainAccountId,
      organization_id: scope.kind === 'organization' ? scope.organizationId : null,
      action: JSON.stringify(job.action),
      is_undo: job.isUndo,
      selection: job.source === null ? null : JSON.stringify(job.source),
      actor: JSON.stringify(authorOf(actor)),
      state: job.source === null ? 'running' : 'selecting',
      due_at: now,
      created_at: now,
    })
    .execute();
  return (await lockJob(tx, scope, id))!;
}

/** The condition of jobs that a scope covers, on `bulk_jobs j`. */
export function jobsOf(scope: Scope): Fragment {
  return scope.kind === 'organization'
    ? sql`j.organization_id = ${scope.organizationId}::uuid`
    : sql`j.main_account_id = ${scope.mainAccountId}::uuid`;
}

/** Lock a job of the scope. @param busy 'skip' = undefined when another transaction has it */
export async function lockJob(tx: Tx, scope: Scope, id: string, busy: 'wait' | 'skip' = 'wait'): Promise<OwnJob | undefined> {
  const { rows } = await sql<OwnJob>`select j.* from bulk_jobs j where j.id = ${id}::uuid and ${jobsOf(scope)}
    for no key update ${busy === 'skip' ? sql`skip locked` : sql``}`.execute(tx);
  return rows[0];
}

/** A job of the scope as it is now, without a lock. */
export async function readJob(queries: Queries, scope: Scope, id: string): Promise<OwnJob | undefined> {
  const { rows } = await sql<OwnJob>`select j.* from bulk_jobs j where j.id = ${id}::uuid and ${jobsOf(scope)}`.execute(queries);
  return rows[0];
}

/** How many jobs of the same owner have not ended. Starts of one owner wait for each other. */
export async function countActive(tx: Tx, scope: Scope): Promise<number> {
  const owner = scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`bulk_jobs ${owner}`}, 0))`.execute(tx);
  const own = scope.kind === 'organization' ? sql`true` : sql`j.organization_id is null`;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from bulk_jobs j
    where ${jobsOf(scope)} and ${own} and j.ended_at is null`.execute(tx);
  return rows[0]!.count;
}

/** A device that a job shall change, or a row of another list that it shall delete. */
export interface SelectedDevice {
  /** The organization that it belongs to; for rows of the main account that account. */
  readonly organization_id: string;
  /** Null: it is a row. */
  readonly device_id: string | null;
  /** The key of the row in its list. */
  readonly subject?: string | null;
  /** The serial number, or the name of the row. */
  readonly serial: string;
  /** The value that an undo restores. */
  readonly target?: unknown;
  /** Its number among the items of the job that it comes from. */
  readonly source_n?: number;
}

/** Add items after those that the job has. @param isComplete there are no more, and the job begins */
export async function addItems(tx: Tx, job: OwnJob, devices: readonly SelectedDevice[], isComplete: boolean): Promise<void> {
  const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));
  if (devices.length > 0)
    await sql`insert into bulk_job_items (job_id, n, organization_id, device_id, subject, serial, target)
      select ${job.id}::uuid, ${job.total} + s.n, s.organization_id, s.device_id, s.subject, s.serial, s.target
      from unnest(${devices.map(({ organization_id }) => organization_id)}::uuid[],
        ${devices.map(({ device_id }) => device_id)}::uuid[], ${devices.map(({ subject = null }) => subject)}::text[],
        ${devices.map(({ serial }) => serial)}::text[], ${devices.map(({ target }) => json(target))}::jsonb[])
        with ordinality as s (organization_id, device_id, subject, serial, target, n)`.execute(tx);
  const last = devices.at(-1);
  await tx
    .updateTable('bulk_jobs')
    .set({
      total: job.total + devices.length,
      ...(last === undefined
        ? {}
        : { selected_serial: last.serial, selected_id: last.device_id, selected_n: last.source_n ?? 0 }),
      ...(isComplete ? { selection: null, state: 'running' as const } : {}),
    })
    .where('id', '=', job.id)
    .execute();
}

/** The next items of another job, for a job that repeats or undoes it. */
export async function nextSourceItems(
  tx: Tx,
  job: OwnJob,
  source: Extract<JobSource, { from: 'job' }>,
  limit: number,
): Promise<SelectedDevice[]> {
  const { rows } = await sql<SelectedDevice>`select i.organization_id, i.device_id, i.subject, i.serial, i.n as source_n,
      ${sql.ref(`i.${source.target}`)} as target from bulk_job_items i
    where i.job_id = ${source.job}::uuid and i.state = ${source.state} and i.n > ${job.selected_n} order by i.n limit ${limit}`.execute(
    tx,
  );
  return rows;
}

/** The next row that a job deletes, or undefined after the last one. */
export async function nextRow(queries: Queries, job: OwnJob): Promise<RowItem | undefined> {
  const { rows } = await sql<RowItem>`select i.n, i.organization_id, i.subject from bulk_job_items i
    where i.job_id = ${job.id}::uuid and i.n >= ${job.next_n} and i.subject is not null order by i.n limit 1`.execute(queries);
  return rows[0];
}

/** The next items of a job. */
export async function nextItems(tx: Tx, job: OwnJob, limit: number): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`select i.n, i.organization_id, i.device_id, i.target from bulk_job_items i
    where i.job_id = ${job.id}::uuid and i.n >= ${job.next_n} order by i.n limit ${limit}`.execute(tx);
  return rows;
}

/**
 * Write results of items and count them. Items that have a result already keep it.
 * @param from items in this state get their result
 */
export async function writeResults(
  tx: Tx,
  job: OwnJob,
  results: readonly ItemResult[],
  from: 'waiting' | 'sending',
): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  await sql`with written as (
      update bulk_job_items i set state = r.state, reason = r.reason, message = r.message, before = r.before
      from unnest(${results.map(({ n }) => n)}::int[], ${results.map(({ state }) => state)}::text[],
        ${results.map(({ reason = null }) => reason)}::text[], ${results.map(({ message = null }) => message)}::text[],
        ${results.map(({ before }) => json(before))}::jsonb[]) as r (n, state, reason, message, before)
      where i.job_id = ${job.id}::uuid and i.n = r.n and i.state = ${from} returning r.state
    ), counted as (
      select count(*) filter (where state = 'done') as done, count(*) filter (where state = 'failed') as failed,
        count(*) filter (where state = 'skipped') as skipped from written
    )
    update bulk_jobs j set done = j.done + c.done, failed = j.failed + c.failed, skipped = j.skipped + c.skipped
    from counted c where j.id = ${job.id}::uuid`.execute(tx);
}

/** Continue after an item, and end the job after its last one. */
export async function advance(tx: Tx, job: OwnJob, lastN: number, now: Date): Promise<void> {
  await sql`update bulk_jobs set next_n = ${lastN + 1}, attempts = 0, worked_at = ${now}::timestamptz,
      leased_until = null,
      state = case when ended_at is null and ${lastN} >= total then 'done' else state end,
      ended_at = case when ended_at is null and ${lastN} >= total then ${now}::timestamptz else ended_at end
    where id = ${job.id}::uuid`.execute(tx);
}

/** Reserve items for sending: no other process takes the next batch until the lease is over. */
export async function reserveItems(tx: Tx, job: OwnJob, lastN: number, until: Date, now: Date): Promise<void> {
  await sql`update bulk_job_items set state = 'sending'
    where job_id = ${job.id}::uuid and n between ${job.next_n} and ${lastN}`.execute(tx);
  await sql`update bulk_jobs set next_n = ${lastN + 1}, leased_until = ${until}::timestamptz, worked_at = ${now}::timestamptz
    where id = ${job.id}::uuid`.execute(tx);
}

/** Items that were reserved and not sent wait again. */
export async function releaseItems(tx: Tx, job: OwnJob, firstN: number): Promise<void> {
  await sql`update bulk_job_items set state = 'waiting'
    where job_id = ${job.id}::uuid and n >= ${firstN} and state = 'sending'`.execute(tx);
}

/** Numbers of the items of the former batch that were sent and have no result: the process that sent them ended. */
export async function listInterrupted(tx: Tx, job: OwnJob, batch: number): Promise<number[]> {
  const { rows } = await sql<Row<'bulk_job_items', 'n'>>`select n from bulk_job_items where job_id = ${job.id}::uuid
    and n between ${job.next_n - batch} and ${job.next_n - 1} and state = 'sending'`.execute(tx);
  return rows.map(({ n }) => n);
}

/** End a job before its end. */
export async function cancel(tx: Tx, job: OwnJob, now: Date): Promise<void> {
  await tx
    .updateTable('bulk_jobs')
    .set({ state: 'cancelled', ended_at: now, selection: null })
    .where('id', '=', job.id)
    .where('ended_at', 'is', null)
    .execute();
}

/** Note the job that tries the failed items of another one again, or undoes it. */
export async function noteFollower(tx: Tx, job: OwnJob, column: 'retried_by' | 'undone_by', follower: string): Promise<void> {
  await tx
    .updateTable('bulk_jobs')
    .set({ [column]: follower })
    .where('id', '=', job.id)
    .execute();
}

/** A batch failed: try it again later. @returns the failures in a row */
export async function postpone(tx: Tx, job: OwnJob, until: Date): Promise<number> {
  const row = await tx
    .updateTable('bulk_jobs')
    .set((set) => ({ attempts: set('attempts', '+', 1), due_at: until }))
    .where('id', '=', job.id)
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts ?? 0;
}

/** Delete the jobs of an organization that is being purged, with at most this many items. */
export function purgeItemsOf(tx: Tx, { organizationId }: OrganizationScope, limit: number) {
  return sql`delete from bulk_job_items where (job_id, n) in (
      select i.job_id, i.n from bulk_jobs j join bulk_job_items i on i.job_id = j.id
      where j.organization_id = ${organizationId}::uuid limit ${limit})`.execute(tx);
}

/** Delete the jobs of an organization, once they have no items. */
export async function purgeJobsOf(tx: Tx, { organizationId }: OrganizationScope): Promise<void> {
  await tx.deleteFrom('bulk_jobs').where('organization_id', '=', organizationId).execute();
}
