import { purgeRouterEvents } from '../domains/router-state/index.ts';
import { purgeNodes } from '../platform/nodes/index.ts';
import { purgeIdempotentCalls } from '../platform/idempotency/index.ts';
import { purgeRecordedCalls } from '../platform/node-rpc/index.ts';
import { sweepUploads } from '../transport/http/upload.ts';
import type { Job } from '../platform/jobs/runner.ts';
import { purgeOutbox } from '../platform/outbox/index.ts';
import type { Database } from '../platform/ports/database.ts';
import type { Settings } from '../platform/settings/settings.ts';

export interface JobDeps {
  readonly database: Database;
  readonly settings: Pick<Settings, 'telemetryDays'>;
  /** Folder of uploads until they are processed. */
  readonly spoolFolder: string;
}

const MINUTE = 60_000;

/** Scheduled jobs that belong to no module; each limits the size of a table or folder. */
export function jobsOf({ database, settings, spoolFolder }: JobDeps): Job[] {
  return [
    { name: 'abandoned uploads', everyMs: 60 * MINUTE, run: (now) => sweepUploads(spoolFolder, now) },
    { name: 'outbox retention', everyMs: 5 * MINUTE, deletes: true, run: (now) => purgeOutbox(database, now) },
    { name: 'ended nodes', everyMs: 60 * MINUTE, run: () => purgeNodes(database) },
    { name: 'calls with an Idempotency-Key', everyMs: 60 * MINUTE, run: () => purgeIdempotentCalls(database) },
    { name: 'recorded calls', everyMs: 10 * MINUTE, deletes: true, run: () => purgeRecordedCalls(database) },
    { name: 'router events', everyMs: 60 * MINUTE, run: (now) => purgeRouterEvents(database, settings.telemetryDays, now) },
  ];
}
