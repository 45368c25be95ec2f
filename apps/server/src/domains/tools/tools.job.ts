import { tools } from '@highline/contract';
import type { Database } from '../../platform/ports/database.ts';
import { deleteInBatches } from '../../platform/retention/batches.ts';
import { deleteOldFiles, deleteOldRuns, interruptedRuns, overdueRuns } from './tools.job.queries.ts';
import { recordEnd } from './tool-ends.ts';

const DAY = 86_400_000;
const BATCH = 500;
/** Files are large. */
const FILES = 50;

/** A router that starts reports what it could not end within this time, if it knows. */
const AFTER_BOOT_MS = 20_000;

/** Tests whose router reported no end in time have failed, and those whose router lost power. */
export async function endOverdueRuns(database: Database, now: Date): Promise<void> {
  for (const { id } of await interruptedRuns(database.read, new Date(now.getTime() - AFTER_BOOT_MS), BATCH))
    await recordEnd(database, id, undefined, { failure: { cause: 'interrupted', message: '' } }, now);
  for (const { id } of await overdueRuns(database.read, now, BATCH))
    await recordEnd(database, id, undefined, { failure: { cause: 'no-end', message: '' } }, now);
}

/** Delete files after 7 days, and results after 90. */
export async function purgeTools(database: Database, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY);
  await deleteInBatches(database, FILES, (tx) => deleteOldFiles(tx, before(tools.TOOL_FILE_DAYS), FILES));
  await deleteInBatches(database, BATCH, (tx) => deleteOldRuns(tx, before(tools.TOOL_DAYS), BATCH));
}
