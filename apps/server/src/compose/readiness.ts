import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
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
  /** Milliseconds since a check ended, well or not: it grows only when this process is stuck. */
  sinceCheck(): number;
}

export interface ReadinessDeps {
  readonly database: Database;
  /** Whether the database is reachable. */
  readonly ready: () => Promise<boolean>;
  readonly dataDir: string;
  readonly leastFreeBytes?: number | undefined;
  /** After this time a write counts as failed. */
  readonly writeTimeoutMs?: number;
}

const PROBE_MS = 10_000;
const WRITE_TIMEOUT_MS = 20_000;
/** Time not ready after the last write that failed because of a full disk. */
const DISK_FULL_MS = 30_000;
/** Retention of rows of ended processes. */
const KEPT_MS = 24 * 3_600_000;
const LEAST_FREE_BYTES = 64 * 1_048_576;
/** SQLSTATE of a full disk. */
const DISK_FULL = '53100';

/** Detects what `select 1` does not: failing writes and full disks. */
export function createReadiness(deps: ReadinessDeps): Readiness {
  const { database, ready, dataDir, leastFreeBytes = LEAST_FREE_BYTES, writeTimeoutMs = WRITE_TIMEOUT_MS } = deps;
  const process = newId();
  let freeBytes = Number.NaN;
  let isWriteFailing = false;
  let diskFullUntil = 0;
  let checkedAt = performance.now();
  /** A frozen database answers nothing: its write is awaited on, and none is added to it. */
  let underWay: Promise<void> | undefined;

  const write = (now: Date): Promise<void> =>
    database.write(async (tx) => {
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

  const probe = async (now: Date): Promise<void> => {
    freeBytes = await readFree(dataDir);
    underWay ??= write(now).finally(() => (underWay = undefined));
    try {
      await within(underWay, writeTimeoutMs);
      isWriteFailing = false;
    } catch (error) {
      isWriteFailing = true;
      throw error;
    } finally {
      checkedAt = performance.now();
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
    sinceCheck: () => performance.now() - checkedAt,
  };
}

/** @throws Error when it takes longer */
async function within(work: Promise<void>, timeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  const late = async () => {
    await pause(timeoutMs, undefined, { signal: timeout.signal });
    throw new Error(`The database has not answered a write for ${timeoutMs} ms.`);
  };
  try {
    await Promise.race([work, late()]);
  } finally {
    timeout.abort();
  }
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
