import type { Pool, PoolClient } from 'pg';
import { DomainError } from '../../kernel/failure.ts';
import type { Fragment, Reader } from './fragment.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Whole lists, read with a database cursor on one snapshot: a million rows are never in memory at once. */
export interface RowStreams {
  /**
   * Rows of a statement, in its order. Nothing is read before the first row is requested.
   * @throws DomainError `server.busy` when the queue is full
   */
  open<Row>(statement: Fragment): AsyncIterable<Row>;
}

export interface RowStreamOptions {
  /** Concurrent streams: each holds a connection of the pool while it lasts; more wait in a queue. */
  readonly atOnce?: number;
  /** Length of the queue. */
  readonly waiting?: number;
  /** A reader that reads nothing for this long is disconnected, to release its snapshot and connection. */
  readonly stallMs?: number;
}

const BATCH = 500;

/** Streams of whole lists, a few at once; `open` throws DomainError `server.busy` when the queue is full. */
export function createRowStreams(pool: Pool, reader: Reader, options: RowStreamOptions = {}): RowStreams {
  const { atOnce = 6, waiting = 100, stallMs = 45_000 } = options;
  const semaphore = createSemaphore(atOnce);
  return {
    open<Row>(statement: Fragment): AsyncIterable<Row> {
      if (semaphore.waiting() >= waiting) throw new DomainError('server.busy', { retryAfter: 5 });
      const { sql: text, parameters } = reader.compile(statement);
      return streamRows<Row>(pool, semaphore, stallMs, text, parameters);
    },
  };
}

async function* streamRows<Row>(
  pool: Pool,
  semaphore: Semaphore,
  stallMs: number,
  text: string,
  parameters: readonly unknown[],
): AsyncGenerator<Row> {
  await semaphore.acquire();
  try {
    const client = await pool.connect();
    const cut = createStallCut(client, stallMs);
    try {
      await client.query('begin transaction isolation level repeatable read read only');
      await client.query(`declare list no scroll cursor for ${text}`, [...parameters]);
      for (;;) {
        const { rows } = await client.query(`fetch ${BATCH} from list`);
        if (rows.length === 0) break;
        cut.arm();
        yield* rows as Row[];
        cut.disarm();
      }
      await client.query('commit');
      cut.release();
    } finally {
      await cut.abandon();
    }
  } finally {
    semaphore.release();
  }
}

/** Close the connection of a reader that stopped reading; otherwise return it to the pool exactly once. */
function createStallCut(client: PoolClient, stallMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let released = false;
  const release = (broken = false) => {
    clearTimeout(timer);
    if (released) return;
    released = true;
    client.release(broken);
  };
  return {
    release,
    /** Stopped early, or failed. */
    async abandon(): Promise<void> {
      clearTimeout(timer);
      if (released) return;
      const mended = await client.query('rollback').then(
        () => true,
        () => false,
      );
      release(!mended);
    },
    arm: () => {
      timer = setTimeout(() => release(true), stallMs).unref();
    },
    disarm: () => {
      clearTimeout(timer);
      if (released) throw new DomainError('server.busy', { message: 'The list was not read in time.' });
    },
  };
}
