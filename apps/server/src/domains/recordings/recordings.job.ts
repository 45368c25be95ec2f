import { RECORDING_DAYS } from '@highline/contract';
import { forEachOrganization } from '../../kernel/for-each-organization.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Database } from '../../platform/ports/database.ts';
import { deleteInBatches } from '../../platform/retention/batches.ts';
import { endRecording } from './recordings.audit.ts';
import { deleteOldRecordings, listInterrupted } from './recordings.job.queries.ts';

/** A process that lives ends a recording right after its session. */
const MARGIN_MS = 60_000;
const BATCH = 50;

/** End recordings whose process was stopped: what was stored of them can be read (LIV-07). */
export async function endInterrupted(database: Database, now: Date): Promise<void> {
  const interrupted = await listInterrupted(database.read, new Date(now.getTime() - MARGIN_MS), BATCH);
  await forEachOrganization(
    interrupted,
    (recording) => recording.organizationId,
    async ({ id, organizationId, mainAccountId }) => {
      const scope = { kind: 'organization', organizationId, mainAccountId } as const;
      await database.write((tx) => endRecording(tx, scope, id, 'interrupted', now));
    },
  );
}

/** Delete recordings after their retention. */
export async function purgeRecordings(database: Database, now: Date): Promise<void> {
  await deleteInBatches(database, BATCH, (tx) => deleteOldRecordings(tx, now, RECORDING_DAYS.usual, BATCH));
}

export function createRecordingJobs(database: Database): Job[] {
  return [
    { name: 'recordings: interrupted', everyMs: 30_000, run: (now) => endInterrupted(database, now) },
    { name: 'recordings: retention', everyMs: 3_600_000, run: (now) => purgeRecordings(database, now) },
  ];
}
