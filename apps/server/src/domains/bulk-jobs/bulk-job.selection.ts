import { sql } from 'kysely';
import { withinLimit } from '../../platform/calls/index.ts';
import type { Allowed } from '../accounts/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { scopeOf, type JobSource, type OwnJob } from './bulk-job.ts';
import { pageDevices, selected } from './bulk-jobs.queries.ts';
import { addItems, nextSourceItems, type SelectedDevice } from './bulk-jobs.store.ts';

/** Items of one transaction: a million devices are never in memory at once. */
export const SELECT_BATCH = 5_000;

/**
 * Select the next devices of a job in the order of their serial numbers, or the next items of another job. The job begins when there
 * are no more.
 * @param allowed as for `changeBatch`
 */
export async function selectMore(tx: Tx, job: OwnJob, { limit }: Allowed, expiringDays: number): Promise<void> {
  const { selection } = job;
  if (selection === null) return;
  const found =
    selection.from === 'filter'
      ? await withinLimit(tx, limit, () => nextDevices(tx, job, selection, expiringDays))
      : await nextSourceItems(tx, job, selection, SELECT_BATCH);
  await addItems(tx, job, found, found.length < SELECT_BATCH);
}

function nextDevices(
  tx: Tx,
  job: OwnJob,
  { filter, at }: Extract<JobSource, { from: 'filter' }>,
  expiringDays: number,
): Promise<SelectedDevice[]> {
  const scope = scopeOf(job);
  const matching = selected(scope, { filter }, expiringDays, new Date(at));
  const after =
    job.selected_serial === null ? sql`true` : sql`(d.serial, d.id) > (${job.selected_serial}, ${job.selected_id}::uuid)`;
  return pageDevices(tx, scope, sql`${matching} and ${after}`, SELECT_BATCH);
}
