import type { Job } from '../../platform/jobs/runner.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { batchWriterDefaults, BatchWriter, type BatchWriterSettings } from '../../platform/retry/batch-writer.ts';
import { readCounters, type CounterReading, type InUse } from './counters.ts';
import { closeOldSegments, deleteOldUse, dropOldReadings, ensureUsagePartitions } from './usage.partitions.ts';
import { storeReadings, type RouterReading } from './usage.writes.ts';

export interface UsageDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Days that data used is kept (setting USAGE_DAYS). */
  readonly retentionDays: number;
  readonly settings?: Partial<BatchWriterSettings>;
}

export interface UsageStats {
  /** Readings of counters committed since the start. */
  readonly written: number;
  /** Those that wait to be committed. */
  readonly waiting: number;
  /** Those that were too old to be compared with others. */
  readonly expired: number;
}

/** A report of a router: full paths and values, and when they were collected, epoch milliseconds by our clock. */
export interface TimedValues {
  readonly at: number;
  readonly values: Iterable<readonly [string, unknown]>;
}

/** Takes counters of modems from the gateway (USE-01). */
export interface Usage {
  /** Create partitions; before the first report. */
  start(): Promise<void>;
  /**
   * Take the counters in reports of a router; undefined when they have none. Resolves when they are in the ledger. Reports may come late and
   * more than once.
   * @throws RowsRejected when too much already waits: the caller must not acknowledge them
   */
  reported(routerId: string, reports: readonly TimedValues[], inUse: InUse): Promise<void> | undefined;
  /** Creates tomorrow's partitions and deletes what is no longer kept. */
  readonly retention: Job;
  /** Commit what waits, at most within the timeout. */
  stop(timeoutMs?: number): Promise<void>;
  stats(): UsageStats;
}

const RETENTION_EVERY_MS = 3_600_000;
/** Readings written in one call; a router that was long without coverage has more. */
const MOST_AT_ONCE = 1_000;

/** Reads counters, and adds to the ledger in batches. */
export function createUsage({ database, clock, log, retentionDays, settings }: UsageDeps): Usage {
  let acceptedFrom = 0;
  let expired = 0;
  const makePartitions = async () => {
    acceptedFrom = await ensureUsagePartitions(database, clock.now());
  };
  const writer = new BatchWriter<RouterReading>(
    'counters',
    (rows) => database.write((tx) => storeReadings(tx, rows)),
    makePartitions,
    { ...batchWriterDefaults, ...settings },
    log,
  );
  /** Those not too old; one of the future counts as of now. */
  const inTime = (readings: readonly CounterReading[]): CounterReading[] => {
    const now = clock.now().getTime();
    const accepted = readings.filter(({ at }) => at >= acceptedFrom);
    expired += readings.length - accepted.length;
    return accepted.map((reading) => (reading.at > now ? { ...reading, at: now } : reading));
  };
  return {
    start: makePartitions,
    reported(routerId, reports, inUse) {
      const readings = inTime(reports.flatMap(({ at, values }) => readCounters(values, inUse, Math.round(at))));
      if (readings.length === 0) return undefined;
      const parts = [];
      for (let start = 0; start < readings.length; start += MOST_AT_ONCE)
        parts.push(writer.write(readings.slice(start, start + MOST_AT_ONCE).map((reading) => ({ ...reading, routerId }))));
      return Promise.all(parts).then(() => undefined);
    },
    retention: {
      name: 'usage.retention',
      everyMs: RETENTION_EVERY_MS,
      async run(now) {
        await closeOldSegments(database, now);
        await dropOldReadings(database, now);
        await deleteOldUse(database, now, retentionDays);
        await makePartitions();
      },
    },
    stop: (timeoutMs = 10_000) => writer.close(timeoutMs),
    stats: () => ({ written: writer.written, waiting: writer.waiting, expired }),
  };
}
