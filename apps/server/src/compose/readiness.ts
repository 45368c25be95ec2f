import { statfs } from 'node:fs/promises';
import { sqlState } from '../platform/adapters/postgres/faults.ts';
import { newId } from '../kernel/ids.ts';
import type { Job } from '../platform/jobs/runner.ts';
import type { Database } from '../platform/ports/database.ts';

/** Why a server cannot do its work: the database is unreachable or read-only, or too little disk is free for files. */
export type NotReady = 'database' | 'writes' | 'disk';

export interface Readiness {
  /** Writes a row and measures the free disk. */
  readonly job: Job;
  /** Undefined while everything works. */
  check(): Promise<NotReady | undefined>;
  /** Report a failed write: a full disk makes the server not ready until a while after the last such failure. */
  noteFailure(error: unknown): void;
  /** Free bytes on the data folder's disk, as of the last check; NaN before the first. */
  readonly freeBytes: number;
}

export interface ReadinessDeps {
  readonly database: Database;
  /** Whether the database is reachable. */
  readonly ready: () => Promise<boolean>;
  readonly dataDir: string;
  readonly leastFreeBytes?: number;
}

const PROBE_MS = 10_000;
/** Time not ready after the last write that failed because of a full disk. */
const DISK_FULL_MS = 30_000;
/** Retention of rows of ended processes. */
const KEPT_MS = 24 * 3_600_000;
const LEAST_FREE_BYTES = 64 * 1_048_576;
/** SQLSTATE of a full disk. */
const DISK_FULL = '53100';

/** Detects what `select 1` does not: failing writes and full disks. */
export function createReadiness(deps: ReadinessDeps): Readiness {
  const { database, ready, dataDir, leastFreeBytes = LEAST_FREE_BYTES } = deps;
  const process = newId();
  let freeBytes = Number.NaN;
  let isWriteFailing = false;
  let diskFullUntil = 0;

  const probe = async (now: Date): Promise<void> => {
    freeBytes = await readFree(dataDir);
    try {
      await database.write(async (tx) => {
        const row = { process, at: now };
        await tx
          .insertInto('write_probes')
          .values(row)
          .onConflict((existing) => existing.column('process').doUpdateSet({ at: now }))
          .execute();
        await tx
          .deleteFrom('write_probes')
          .where('at', '<', new Date(now.getTime() - KEPT_MS))
          .execute();
      });
      isWriteFailing = false;
    } catch (error) {
      isWriteFailing = true;
      throw error;
    }
  };

  return {
    job: { name: 'write probe', everyMs: PROBE_MS, run: probe },
    async check() {
      if (!(await ready())) return 'database';
      if (freeBytes < leastFreeBytes) return 'disk';
      return isWriteFailing || performance.now() < diskFullUntil ? 'writes' : undefined;
    },
    noteFailure(error) {
      if (sqlState(error) === DISK_FULL) diskFullUntil = performance.now() + DISK_FULL_MS;
    },
    get freeBytes() {
      return freeBytes;
    },
  };
}

/** NaN when the system does not report it. */
async function readFree(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}
