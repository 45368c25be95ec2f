import { sql } from 'kysely';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { copyRows } from './copy-rows.ts';
import { dropOldPartitions, ensureTimePartitions, type TimeWindow } from './telemetry.partitions.ts';
import type { Sample } from './telemetry.sample.ts';
import {
  TelemetryWriter,
  telemetryWriterDefaults,
  type NumberedSample,
  type TelemetryWriterSettings,
} from './telemetry.writer.ts';

export interface TelemetryDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  /** Days that time series are kept (setting TELEMETRY_DAYS). */
  readonly retentionDays: number;
  readonly settings?: Partial<TelemetryWriterSettings>;
}

export interface TelemetryStats {
  /** Values committed since the start. */
  readonly written: number;
  /** Values that wait to be committed. */
  readonly waiting: number;
  /** Values older than the retention. */
  readonly expired: number;
}

/** Writes the measurements from the gateway into the time series. */
export interface Telemetry {
  /** Create partitions and read the parameters' numbers; before the first `write`. */
  start(): Promise<void>;
  /**
   * Write what a router measured; resolves when it is committed. A future value is stored with the current time, one older than
   * the time series is dropped.
   * @throws TelemetryRejected when too much already waits: the caller must not acknowledge the values
   */
  write(routerId: string, samples: readonly Sample[]): Promise<void>;
  /** Creates tomorrow's partitions and drops expired ones. */
  readonly retention: Job;
  /** Commit the waiting rows, at most within the timeout. */
  stop(timeoutMs?: number): Promise<void>;
  stats(): TelemetryStats;
}

const RETENTION_EVERY_MS = 3_600_000;
const MOST_AT_ONCE = 1_000;

/** Writes measurements by COPY. Days older than `retentionDays` are dropped, and values for them are counted as expired. */
export function createTelemetry({ database, clock, log, retentionDays, settings }: TelemetryDeps): Telemetry {
  const numbers = new Map<string, number>();
  let window: TimeWindow = { from: 0, until: 0 };
  let expired = 0;
  const makePartitions = async () => {
    window = await ensureTimePartitions(database, clock.now());
  };
  const writer = new TelemetryWriter(
    (rows) => copyRows(database.pool, rows),
    makePartitions,
    { ...telemetryWriterDefaults, ...settings },
    log,
  );

  const place = ({ at, parameter, value }: Sample): NumberedSample[] => {
    const number = numbers.get(parameter);
    if (number === undefined || !Number.isFinite(value) || Number.isNaN(at)) return [];
    if (at < window.from) expired++;
    return at < window.from ? [] : [{ at: at < window.until ? at : clock.now().getTime(), parameter: number, value }];
  };

  return {
    async start() {
      await makePartitions();
      const { rows } = await sql<{ id: number; name: string }>`select id, name from telemetry_parameters`.execute(database.read);
      for (const { id, name } of rows) numbers.set(name, id);
    },
    async write(routerId, samples) {
      const placed = samples.flatMap(place);
      const parts = [];
      for (let start = 0; start < placed.length; start += MOST_AT_ONCE)
        parts.push(writer.write(routerId, placed.slice(start, start + MOST_AT_ONCE)));
      await Promise.all(parts);
    },
    retention: {
      name: 'telemetry.retention',
      everyMs: RETENTION_EVERY_MS,
      async run(now) {
        await dropOldPartitions(database, now, retentionDays);
        await makePartitions();
      },
    },
    stop: (timeoutMs = 10_000) => writer.close(timeoutMs),
    stats: () => ({ written: writer.written, waiting: writer.waiting, expired }),
  };
}
