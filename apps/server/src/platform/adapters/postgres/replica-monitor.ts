import type { Pool } from 'pg';
import { guard } from '../../../kernel/guard.ts';
import type { Log } from '../../ports/log.ts';

/** Interval of the comparison of primary and replica. */
const POLL_MS = 250;
/** More samples than this are thinned: the age of a replica far behind need not be exact. */
const MOST_SAMPLES = 512;

/** A position in the write-ahead log, `16/B374D848` in PostgreSQL's format, as a number. */
export function parsePosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** How far a replica has replayed the log of the primary. */
export interface ReplicaProgress {
  /** Everything committed before this `performance.now()` is visible on the replica; undefined while it cannot be used. */
  readonly containsUpTo: number | undefined;
  /** Everything committed up to this position is visible on the replica. */
  readonly replayed: bigint;
}

export interface ReplicaMonitor {
  progress(): ReplicaProgress;
  /** A read of the replica failed: do not use it until it answers again. */
  noteFault(): void;
  /** After each comparison. */
  onCompared(listener: () => void): void;
  stop(): Promise<void>;
}

export interface MonitorParts {
  /** Connections for nothing else: reads that fill a pool must not delay the comparison. */
  readonly primary: Pool;
  readonly replica: Pool;
  readonly log: Log;
  /** Called when the replica is lost, to end reads that would wait for a server that says nothing. */
  readonly lost: () => void;
}

interface PrimaryRow {
  readonly position: string;
  readonly timeline: string;
}

interface ReplicaRow {
  readonly isReplica: boolean;
  readonly replayed: string | null;
  readonly received: string | null;
}

const PRIMARY = `select position::text, left(pg_walfile_name(position), 8) as timeline from pg_current_wal_flush_lsn() as position`;
const REPLICA = `select pg_is_in_recovery() as "isReplica", pg_last_wal_replay_lsn()::text as replayed,
  pg_last_wal_receive_lsn()::text as received`;

/**
 * Compare positions several times a second. The age of the replica follows from our own samples of the primary, since the time of
 * the last replayed transaction says nothing while there are no writes.
 */
export function monitorReplica({ primary, replica, log, lost }: MonitorParts): ReplicaMonitor {
  const listeners: (() => void)[] = [];
  let samples: { readonly at: number; readonly position: bigint }[] = [];
  let replayed = 0n;
  let containsUpTo: number | undefined;
  let isLost = false;
  let timeline: string | undefined;
  /** After a failover: the position that the replica has to pass. One that continues the former primary stays where it is. */
  let mustPass = -1n;

  const sample = async (): Promise<string> => {
    const at = performance.now();
    const { rows } = await primary.query<PrimaryRow>(PRIMARY);
    samples.push({ at, position: parsePosition(rows[0]!.position) });
    if (samples.length > MOST_SAMPLES) samples = samples.filter((_, index) => index % 2 === 0);
    return rows[0]!.timeline;
  };

  const readReplica = async (): Promise<ReplicaRow> => {
    const { rows } = await replica.query<ReplicaRow>(REPLICA);
    if (rows[0]?.isReplica !== true || rows[0].replayed === null) throw new Error('It is not a replica.');
    return rows[0];
  };

  const compare = async (): Promise<void> => {
    // While the primary is away, its last samples still say how old the replica is.
    const [sampled, { value: row, reason }] = await Promise.all([sample().catch(() => timeline), outcomeOf(readReplica())]);
    if (row === undefined) return lose(reason);
    if (isLost) log.info({}, 'The replica answers again.');
    isLost = false;
    replayed = parsePosition(row.replayed!);
    if (timeline !== undefined && sampled !== timeline) mustPass = parsePosition(row.received ?? row.replayed!);
    timeline = sampled;
    const newest = samples.findLastIndex(({ position }) => position <= replayed);
    containsUpTo = replayed > mustPass ? (samples[newest]?.at ?? containsUpTo) : undefined;
    samples = samples.slice(Math.max(0, newest));
  };

  const lose = (error: unknown): void => {
    containsUpTo = undefined;
    if (!isLost) log.warn({ err: error }, 'The replica cannot be used; lists are read from the primary.');
    isLost = true;
    lost();
  };

  const stopping = new AbortController();
  let wake = () => {};
  const notify = guard(
    log,
    () => {},
    () => {
      for (const listener of listeners) listener();
    },
  );

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await compare();
      notify();
      if (stopping.signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const done = run();

  return {
    progress: () => ({ containsUpTo, replayed }),
    noteFault() {
      containsUpTo = undefined;
    },
    onCompared: (listener) => void listeners.push(listener),
    async stop() {
      stopping.abort();
      wake();
      await done;
    },
  };
}

async function outcomeOf<T>(work: Promise<T>): Promise<{ readonly value?: T; readonly reason?: unknown }> {
  try {
    return { value: await work };
  } catch (reason) {
    return { reason };
  }
}
