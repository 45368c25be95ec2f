import { AsyncLocalStorage } from 'node:async_hooks';
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

const BATCH = 1_000;

/** Streams of whole lists, a few at once; `open` throws DomainError `server.busy` when the queue is full. */
export function createRowStreams(reader: Reader, options: RowStreamOptions = {}): RowStreams {
  const { atOnce = 6, waiting = 100, stallMs = 45_000 } = options;
  const semaphore = createSemaphore(atOnce);
  return {
    open<Row>(statement: Fragment): AsyncIterable<Row> {
      if (semaphore.waiting() >= waiting) throw new DomainError('server.busy', { retryAfter: 5 });
      const { sql: text, parameters } = reader.compile(statement);
      // Rows are read after the call's handler has returned, and still from the database chosen for this call.
      const inCall = AsyncLocalStorage.snapshot();
      const begin = (): Promise<Cursor> => inCall(() => reader.source.run((pool) => openCursor(pool, stallMs, text, parameters)));
      return streamRows<Row>(begin, semaphore);
    },
  };
}

/** A cursor and its first rows. */
interface Cursor {
  readonly client: PoolClient;
  readonly cut: ReturnType<typeof createStallCut>;
  readonly first: readonly unknown[];
}

const FETCH = `fetch ${BATCH} from list`;

async function openCursor(pool: Pool, stallMs: number, text: string, parameters: readonly unknown[]): Promise<Cursor> {
  const client = await pool.connect();
  const cut = createStallCut(client, stallMs);
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    await client.query(`declare list no scroll cursor for ${text}`, [...parameters]);
    return { client, cut, first: (await client.query(FETCH)).rows };
  } catch (error) {
    await cut.abandon();
    throw error;
  }
}

async function* streamRows<Row>(begin: () => Promise<Cursor>, semaphore: Semaphore): AsyncGenerator<Row> {
  await semaphore.acquire();
  try {
    const { client, cut, first } = await begin();
    try {
      for (let rows = first; rows.length > 0;) {
        // The next rows are read while these are used.
        const next = client.query(FETCH);
        next.catch(() => {});
        cut.arm();
        yield* rows as Row[];
        cut.disarm();
        ({ rows } = await next);
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
