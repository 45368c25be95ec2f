import { AsyncLocalStorage } from 'node:async_hooks';
import { DatabaseError, type Pool } from 'pg';
import type { ReadSource } from '../ports/read-source.ts';
import { isConnectionFault } from './postgres/faults.ts';
import { parsePosition, type ReplicaMonitor } from './postgres/replica-monitor.ts';

/** A call whose lists may be read from the replica. */
interface ReadingCall {
  readonly accountId: string;
  /** Position of a write that it has to see, in hex; anything else is ignored. */
  readonly after: string | undefined;
  /** It only reads. */
  readonly isRead: boolean;
}

/** What a call did, for its response. */
export interface CallOutcome<T> {
  readonly result: T;
  /** If it wrote: later calls of this client that name this position see the write, at any node. */
  readonly position: string | undefined;
  /** Age of the data it read, milliseconds; 0 = read from the primary. */
  readonly ageMs: number;
}

interface RunningCall extends ReadingCall {
  chosen?: 'primary' | 'replica';
  ageMs: number;
  hasWritten: boolean;
}

export interface ReplicaReads {
  readonly source: ReadSource;
  /** Run a call. Outside of calls, everything is read from the primary. */
  during<T>(call: ReadingCall, work: () => Promise<T>): Promise<CallOutcome<T>>;
  /** The present call has committed a write, or may have. */
  noteWrite(): void;
  /** Run `work` once the replica shows what is committed now, or cannot be used. */
  whenShown(work: () => void): void;
  /** Age of the replica, milliseconds; NaN while it cannot be used. */
  ageMs(): number;
  /** Number of reads since the start. */
  readonly counts: Readonly<Record<'primary' | 'replica', number>>;
}

export interface ReplicaReadsParts {
  readonly primary: Pool;
  readonly replica: Pool;
  readonly monitor: ReplicaMonitor;
  /** A replica that is further behind is not used. */
  readonly mostAgeMs: number;
}

/** More waiting than this are not held back. */
const MOST_HELD = 10_000;

/**
 * Choose between primary and replica for each call (decision 0035): the replica if it is recent enough and shows everything that
 * the account of the call has written through this node, and everything up to the position that the call names.
 */
export function createReplicaReads({ primary, replica, monitor, mostAgeMs }: ReplicaReadsParts): ReplicaReads {
  const calls = new AsyncLocalStorage<RunningCall>();
  const wroteAt = new Map<string, number>();
  const counts = { primary: 0, replica: 0 };
  let held: { readonly at: number; readonly work: () => void }[] = [];

  /** Undefined: it cannot be used. */
  const containsUpTo = (): number | undefined => {
    const upTo = monitor.progress().containsUpTo;
    return upTo !== undefined && performance.now() - upTo <= mostAgeMs ? upTo : undefined;
  };

  const choose = (call: RunningCall): 'primary' | 'replica' => {
    const upTo = containsUpTo();
    if (!call.isRead || upTo === undefined) return 'primary';
    if ((wroteAt.get(call.accountId) ?? -1) >= upTo || positionOf(call.after) > monitor.progress().replayed) return 'primary';
    call.ageMs = performance.now() - upTo;
    return 'replica';
  };

  const name = (): 'primary' | 'replica' => {
    const call = calls.getStore();
    return call === undefined ? 'primary' : (call.chosen ??= choose(call));
  };

  monitor.onCompared(() => {
    const upTo = containsUpTo();
    const oldest = performance.now() - mostAgeMs;
    for (const [accountId, at] of wroteAt) if (at < (upTo ?? oldest)) wroteAt.delete(accountId);
    const shown = held.filter(({ at }, index) => upTo === undefined || at < upTo || index < held.length - MOST_HELD);
    held = held.slice(shown.length);
    for (const { work } of shown) work();
  });

  const source: ReadSource = {
    name,
    async run(work) {
      const chosen = name();
      counts[chosen] += 1;
      if (chosen === 'primary') return work(primary);
      try {
        return await work(replica);
      } catch (error) {
        if (isConnectionFault(error)) monitor.noteFault();
        else if (!(error instanceof DatabaseError)) throw error;
        // It was lost, cancelled the query to go on replaying, or lacks a column of a migration that it has not replayed yet.
        const call = calls.getStore()!;
        call.chosen = 'primary';
        call.ageMs = 0;
        counts.primary += 1;
        return work(primary);
      }
    },
  };

  return {
    source,
    counts,
    async during(call, work) {
      const running: RunningCall = { ...call, ageMs: 0, hasWritten: false };
      const result = await calls.run(running, work);
      return { result, ageMs: running.ageMs, position: running.hasWritten ? await currentPosition(primary) : undefined };
    },
    noteWrite() {
      const call = calls.getStore();
      if (call === undefined) return;
      call.hasWritten = true;
      wroteAt.set(call.accountId, performance.now());
    },
    whenShown(work) {
      if (containsUpTo() === undefined) work();
      else held.push({ at: performance.now(), work });
    },
    ageMs: () => performance.now() - (containsUpTo() ?? Number.NaN),
  };
}

/** The position that a client names; -1 for none and for anything that is not one. */
function positionOf(text: string | undefined): bigint {
  return text !== undefined && /^[\da-f]{1,16}$/u.test(text) ? BigInt(`0x${text}`) : -1n;
}

/** Behind every commit that was acknowledged. Undefined if the primary does not answer: the write itself is committed. */
async function currentPosition(primary: Pool): Promise<string | undefined> {
  try {
    const { rows } = await primary.query<{ position: string }>('select pg_current_wal_flush_lsn()::text as position');
    return parsePosition(rows[0]!.position).toString(16);
  } catch {
    return undefined;
  }
}
