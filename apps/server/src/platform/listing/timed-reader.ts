import type { Pool, PoolClient } from 'pg';
import { DomainError } from '../../kernel/failure.ts';
import type { Fragment, Reader } from './fragment.ts';
import { createSemaphore } from './semaphore.ts';

/** Reads of arbitrary cost, limited in time. */
export interface TimedReader {
  /**
   * Run `work`, which has no effects, on one snapshot. The time limit covers all of its statements together, not the wait before them.
   * @throws DomainError `report.too_slow` when the time is over, `server.busy` when the queue is full
   */
  read<T>(work: (rows: ReadRows) => Promise<T>, limitMs?: number): Promise<T>;
}

/** Rows of a statement. */
export type ReadRows = <Row>(statement: Fragment) => Promise<Row[]>;

/** Longest time a query may hold a connection. */
const LIMIT_MS = 10_000;
const AT_ONCE = 5;
const WAITING = 60;
/** SQLSTATE of a cancelled statement. */
const CANCELLED = '57014';

/**
 * A reader for expensive queries, a few at once and each with a time limit. It throws DomainError `server.busy` when the queue is
 * full.
 */
export function createTimedReader(reader: Pick<Reader, 'compile' | 'source'>, usualMs = LIMIT_MS): TimedReader {
  const semaphore = createSemaphore(AT_ONCE);
  return {
    async read(work, limitMs = usualMs) {
      if (semaphore.waiting() >= WAITING) throw new DomainError('server.busy', { retryAfter: 5 });
      await semaphore.acquire();
      try {
        return await reader.source.run((pool) => within(pool, reader, limitMs, work));
      } finally {
        semaphore.release();
      }
    },
  };
}

async function within<T>(
  pool: Pool,
  { compile }: Pick<Reader, 'compile'>,
  limitMs: number,
  work: (rows: ReadRows) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: boolean | undefined;
  try {
    const allow = allowance(client, limitMs);
    const result = await work(async <Row>(statement: Fragment) => {
      await allow();
      const { sql, parameters } = compile(statement);
      return (await client.query(sql, [...parameters])).rows as Row[];
    });
    await client.query('commit');
    broken = false;
    return result;
  } catch (error) {
    throw isCancelled(error) ? new DomainError('report.too_slow') : error;
  } finally {
    broken ??= await client.query('rollback').then(
      () => false,
      () => true,
    );
    client.release(broken);
  }
}

const BEGIN = 'begin transaction isolation level repeatable read read only;';

/**
 * Called before each statement: the first call begins the transaction and sets its time limit, which is updated only after a
 * tenth of it has passed. Most queries have ended by then, and each update is a round trip to the database.
 */
function allowance(client: PoolClient, limitMs: number): () => Promise<void> {
  const begin = performance.now();
  let announcedMs = Number.POSITIVE_INFINITY;
  return async () => {
    const leftMs = limitMs - (performance.now() - begin);
    // A limit of 0 would mean none.
    if (leftMs < 1) throw new DomainError('report.too_slow');
    if (announcedMs - leftMs < limitMs / 10) return;
    await client.query(
      `${announcedMs === Number.POSITIVE_INFINITY ? BEGIN : ''} set local statement_timeout = ${Math.ceil(leftMs)}`,
    );
    announcedMs = leftMs;
  };
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === CANCELLED;
}
