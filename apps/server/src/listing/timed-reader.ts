import type { Pool, PoolClient } from 'pg';
import { DomainError } from '../failure.ts';
import type { Fragment, Reader } from './fragment.ts';
import { createTurns } from './turns.ts';

/** Reads that a person may make as dear as they like, within a time that nobody exceeds. */
export interface TimedReader {
  /**
   * Run `work` on one snapshot. The time counts for all of its statements together, not for the wait before them.
   * @throws DomainError `report.too_slow` when it is over, `server.busy` when too many wait already
   */
  read<T>(work: (rows: ReadRows) => Promise<T>, limitMs?: number): Promise<T>;
}

/** Rows of a statement. */
export type ReadRows = <Row>(statement: Fragment) => Promise<Row[]>;

/** How long one question may hold a connection. */
const LIMIT_MS = 10_000;
const AT_ONCE = 5;
const WAITING = 60;
/** What PostgreSQL calls a statement that was cancelled. */
const CANCELLED = '57014';

/** A reader for dear questions, a few at once and each within a time. It throws DomainError `server.busy` when too many wait. */
export function createTimedReader(pool: Pool, reader: Pick<Reader, 'compile'>, usualMs = LIMIT_MS): TimedReader {
  const turns = createTurns(AT_ONCE);
  return {
    async read(work, limitMs = usualMs) {
      if (turns.waiting() >= WAITING) throw new DomainError('server.busy', { retryAfter: 5 });
      await turns.take();
      try {
        return await within(pool, reader, limitMs, work);
      } finally {
        turns.give();
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
 * Called before each statement: the first call begins the transaction and says what time there is, and that is said anew only once a
 * tenth of it has passed. Most questions are over by then, and each thing said is a way to the database and back.
 */
function allowance(client: PoolClient, limitMs: number): () => Promise<void> {
  const begin = performance.now();
  let saidMs = Number.POSITIVE_INFINITY;
  return async () => {
    const leftMs = limitMs - (performance.now() - begin);
    // A limit of 0 would be none at all.
    if (leftMs < 1) throw new DomainError('report.too_slow');
    if (saidMs - leftMs < limitMs / 10) return;
    await client.query(`${saidMs === Number.POSITIVE_INFINITY ? BEGIN : ''} set local statement_timeout = ${Math.ceil(leftMs)}`);
    saidMs = leftMs;
  };
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === CANCELLED;
}
