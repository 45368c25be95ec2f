import type { Job } from '../../../platform/jobs/runner.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import type { ReadingSink } from '../../../platform/ports/reading-sink.ts';
import { messagesOf, type FindOwners } from './sink.records.ts';
import { createSinkQueue } from './sink.queue.ts';

export interface SinkDeps extends Pick<Deps, 'database' | 'log'> {
  readonly sink: ReadingSink;
  /** Names this process among those at the database. */
  readonly node: string;
  readonly findOwners: FindOwners;
  /** Readings that could not be copied for so many hours are given up (setting TELEMETRY_SINK_HOURS). */
  readonly hours: number;
  readonly timeouts?: Partial<SinkTimeouts>;
}

export interface SinkTimeouts {
  /** One attempt to send. Below the lease, so that a process without it does not send any more. */
  readonly sendMs: number;
  readonly leaseMs: number;
  /** The longest pause after failed attempts. */
  readonly pauseMs: number;
}

export interface SinkStats {
  /** Age of the oldest readings that are not copied, at the last look; NaN before it. */
  readonly lagSeconds: number;
  /** Reports that the sink confirmed to this process. */
  readonly sent: number;
  readonly failures: number;
  /** Reports that were given up. */
  readonly lost: number;
}

/** Copies readings to the sink. */
export interface TelemetrySink {
  readonly jobs: readonly Job[];
  stats(): SinkStats;
  /** End the running attempt, and leave the rest to another process. */
  stop(): Promise<void>;
}

const defaults: SinkTimeouts = { sendMs: 20_000, leaseMs: 45_000, pauseMs: 30_000 };
/** The lease is renewed so often within its time. */
const RENEWALS = 3;
const LEAST_PAUSE_MS = 500;
const HOUR_MS = 3_600_000;

/**
 * Copies what was stored to the sink: at least once, oldest first, by one process at a time. What waits is in the database, so memory is
 * bounded and the ingest does not wait for the sink.
 */
export function createTelemetrySink({ database, log, sink, node, findOwners, hours, timeouts }: SinkDeps): TelemetrySink {
  const { sendMs, leaseMs, pauseMs } = { ...defaults, ...timeouts };
  const queue = createSinkQueue(database, node, leaseMs);
  const stopping = new AbortController();
  const stats = { lagSeconds: Number.NaN, sent: 0, failures: 0, lost: 0 };
  let isFailing = false;
  let wait = 0;
  let pausedUntil = 0;
  let renewAt = 0;

  /** Renewed in time, and not written more often than needed. */
  const hasLease = async (): Promise<boolean> => {
    if (performance.now() < renewAt) return true;
    const began = performance.now();
    const has = await queue.takeLease();
    renewAt = has ? began + leaseMs / RENEWALS : 0;
    return has;
  };

  const sendOldest = async (): Promise<boolean> => {
    const batches = await queue.next();
    if (batches.length === 0) return false;
    const messages = [];
    for (const batch of batches) messages.push(...(await messagesOf(batch, findOwners)));
    await sink.send(messages, AbortSignal.any([stopping.signal, AbortSignal.timeout(sendMs)]));
    await queue.confirm(batches.map(({ id }) => id));
    for (const { reports } of batches) stats.sent += reports;
    return true;
  };

  const failed = (error: unknown) => {
    if (stopping.signal.aborted) return;
    stats.failures++;
    if (!isFailing) log.warn({ err: error }, 'The telemetry sink does not take readings; they wait and are sent again.');
    isFailing = true;
    wait = Math.min(Math.max(wait * 2, LEAST_PAUSE_MS), pauseMs);
    pausedUntil = performance.now() + wait;
  };

  const run = async () => {
    if (stopping.signal.aborted) return;
    if (performance.now() >= pausedUntil && (await hasLease()))
      try {
        while (!stopping.signal.aborted && (await hasLease()) && (await sendOldest())) {
          if (isFailing) log.info({}, 'The telemetry sink takes readings again.');
          isFailing = false;
          wait = 0;
          stats.lagSeconds = await queue.lagSeconds();
        }
      } catch (error) {
        failed(error);
      }
    stats.lagSeconds = await queue.lagSeconds();
  };

  const purge = async (now: Date) => {
    const lost = await queue.purge(new Date(now.getTime() - hours * HOUR_MS));
    stats.lost += lost;
    if (lost > 0) log.error({ reports: lost, hours }, 'Readings waited too long for the telemetry sink; they were not copied.');
  };

  return {
    jobs: [
      { name: 'telemetry.sink', everyMs: 500, run },
      { name: 'telemetry.sink.retention', everyMs: 300_000, deletes: true, run: purge },
    ],
    stats: () => stats,
    async stop() {
      stopping.abort();
      await queue.endLease().catch(() => undefined);
      await sink.close();
    },
  };
}
