import type { Job } from '../../../platform/jobs/runner.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { readings, type ReadingKey } from '../facts.ts';
import { BatchWriter, batchWriterDefaults, type BatchWriterSettings } from '../../../platform/retry/batch-writer.ts';
import { copyReports, type LookAtReports } from './copy-rows.ts';
import { CLOCK_ERROR_MS, type RouterReport } from './router-report.ts';
import { dropOldPartitions, ensureTimePartitions, type TimeWindow } from './telemetry.partitions.ts';
import { purgeWaiting } from './sink.queue.ts';
import { rollupJob } from './telemetry.rollups.ts';
import type { Sample } from './telemetry.sample.ts';

export interface TelemetryDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Days that time series are kept (setting TELEMETRY_DAYS). */
  readonly retentionDays: number;
  /** Readings are copied to a sink (setting TELEMETRY_SINK_URL). */
  readonly hasSink?: boolean;
  /** Looks at reports where they are stored: alert rules. */
  readonly lookAt?: LookAtReports;
  readonly settings?: Partial<BatchWriterSettings>;
}

export interface TelemetryStats {
  /** Values committed since the start. */
  readonly written: number;
  /** Reports that wait to be committed. */
  readonly waiting: number;
  /** Values older than the retention. */
  readonly expired: number;
}

/** Writes the measurements from the gateway into the time series. */
export interface Telemetry {
  /** Create partitions; before the first `write`. */
  start(): Promise<void>;
  /**
   * Write what a router measured; resolves when it is committed. A future value is stored with the current time, one older than
   * the time series is dropped, and so is a report that is stored already.
   * @param connectedAt epoch milliseconds. What was measured before it may be sent again by the router although it is stored; undefined =
   * it was read just now, so it cannot be
   * @throws RowsRejected when too much already waits: the caller must not acknowledge the values
   */
  write(routerId: string, samples: readonly Sample[], connectedAt?: number): Promise<void>;
  /** Creates tomorrow's partitions and drops expired ones. */
  readonly retention: Job;
  /** Keeps what reports and statistics read instead of single values. */
  readonly rollups: Job;
  /** Commit the waiting rows, at most within the timeout. */
  stop(timeoutMs?: number): Promise<void>;
  stats(): TelemetryStats;
}

/** The most that TELEMETRY_SINK_HOURS can be. */
const SINK_MOST_MS = 7 * 86_400_000;
const RETENTION_EVERY_MS = 3_600_000;
const MOST_AT_ONCE = 1_000;
const noValues: readonly undefined[] = readings.map(() => undefined);
const places = new Map<ReadingKey, number>(readings.map(({ key }, place) => [key, place]));

/** Writes measurements by COPY. Days older than `retentionDays` are dropped, and values for them are counted as expired. */
export function createTelemetry({
  database,
  clock,
  log,
  retentionDays,
  hasSink = false,
  lookAt,
  settings,
}: TelemetryDeps): Telemetry {
  let window: TimeWindow = { from: 0, until: 0 };
  let expired = 0;
  const makePartitions = async () => {
    window = await ensureTimePartitions(database, clock.now());
  };
  let written = 0;
  let isUncertain = false;
  const writer = new BatchWriter<RouterReport>(
    'measured values',
    async (reports) => {
      const wasUncertain = isUncertain;
      // Until it is committed, or is tried again.
      isUncertain = true;
      written += countValues(await copyReports(database.pool, reports, { hasSink, lookAt, isUncertain: wasUncertain }));
      isUncertain = false;
    },
    makePartitions,
    { ...batchWriterDefaults, ...settings },
    log,
  );

  /** Consecutive samples of one time are one report, as they came; a second value of a parameter begins another. */
  const reportsOf = (routerId: string, samples: readonly Sample[], connectedAt: number): RouterReport[] => {
    const reports: (RouterReport & { values: (number | undefined)[] })[] = [];
    const now = clock.now().getTime();
    for (const { at, parameter, value } of samples) {
      const place = places.get(parameter);
      if (place === undefined || !Number.isFinite(value) || Number.isNaN(at)) continue;
      if (at < window.from) {
        expired++;
        continue;
      }
      const time = at < window.until ? at : now;
      let report = reports.at(-1);
      if (report?.at !== time || report.values[place] !== undefined) {
        report = { routerId, at: time, values: [...noValues], mayBeStored: time < connectedAt + CLOCK_ERROR_MS };
        reports.push(report);
      }
      report.values[place] = value;
    }
    return reports;
  };

  return {
    start: makePartitions,
    async write(routerId, samples, connectedAt = Number.NEGATIVE_INFINITY) {
      const reports = reportsOf(routerId, samples, connectedAt);
      const parts = [];
      for (let start = 0; start < reports.length; start += MOST_AT_ONCE)
        parts.push(writer.write(reports.slice(start, start + MOST_AT_ONCE)));
      await Promise.all(parts);
    },
    retention: {
      name: 'telemetry.retention',
      everyMs: RETENTION_EVERY_MS,
      async run(now) {
        await dropOldPartitions(database, now, retentionDays);
        await makePartitions();
        // What an installation that no longer has a sink had not copied.
        await purgeWaiting(database, new Date(now.getTime() - SINK_MOST_MS));
      },
    },
    rollups: rollupJob(database),
    stop: (timeoutMs = 10_000) => writer.close(timeoutMs),
    stats: () => ({ written, waiting: writer.waiting, expired }),
  };
}

function countValues(reports: readonly RouterReport[]): number {
  let count = 0;
  for (const { values } of reports) for (const value of values) if (value !== undefined) count++;
  return count;
}
