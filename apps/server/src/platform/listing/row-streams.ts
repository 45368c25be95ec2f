import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DomainError } from '../../kernel/failure.ts';
import type { Fragment, Reader } from './fragment.ts';
import { literalSql } from './literal-sql.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Whole lists, read on one snapshot: a million rows are never in memory at once. */
export interface RowStreams {
  /**
   * Rows of a statement, in its order. Nothing is read before the first row is requested.
   * @throws DomainError `server.busy` when the queue is full
   */
  open<Row>(statement: Fragment): AsyncIterable<Row>;
  /**
   * The same rows with `COPY`, as the bytes of CSV lines that PostgreSQL writes: for long files, where it takes a tenth of the processor
   * time. Pieces end anywhere; NULL is an empty value, as is an empty text in quotes; a date is written as `MM/DD/YYYY`.
   * @throws DomainError `server.busy` when the queue is full
   */
  copy(statement: Fragment): AsyncIterable<Buffer>;
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
  /** What a stream begins with, later: after the call's handler has returned, and still in the database chosen for this call. */
  const prepare = <T>(work: (pool: Pool) => Promise<T>): (() => Promise<T>) => {
    if (semaphore.waiting() >= waiting) throw new DomainError('server.busy', { retryAfter: 5 });
    const inCall = AsyncLocalStorage.snapshot();
    return () => inCall(() => reader.source.run(work));
  };
  return {
    open<Row>(statement: Fragment): AsyncIterable<Row> {
      const { sql: text, parameters } = reader.compile(statement);
      const begin = prepare((pool) => openCursor(pool, stallMs, text, parameters));
      return streamRows<Row>(begin, semaphore);
    },
    copy(statement: Fragment): AsyncIterable<Buffer> {
      const text = `copy (${literalSql(statement)}) to stdout (format csv)`;
      return streamCopy(
        prepare((pool) => openCopy(pool, stallMs, text)),
        semaphore,
      );
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

/** A running `COPY` and its first piece. */
interface Copy {
  readonly client: PoolClient;
  readonly cut: ReturnType<typeof createStallCut>;
  readonly pieces: AsyncIterator<Buffer, undefined>;
  readonly first: IteratorResult<Buffer, undefined>;
}

async function openCopy(pool: Pool, stallMs: number, text: string): Promise<Copy> {
  const client = await pool.connect();
  const cut = createStallCut(client, stallMs);
  try {
    // One statement, as long as its reader takes; `stallMs` limits how long it waits for one that reads nothing.
    // It reads ISO dates in any style, and writes them without a function for each row.
    await client.query(`begin transaction read only; set local statement_timeout = 0; set local datestyle = 'SQL, MDY'`);
    const pieces = client.query(copyTo(text))[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    return { client, cut, pieces, first: await pieces.next() };
  } catch (error) {
    cut.release(true);
    throw error;
  }
}

async function* streamCopy(begin: () => Promise<Copy>, semaphore: Semaphore): AsyncGenerator<Buffer> {
  await semaphore.acquire();
  try {
    const { client, cut, pieces, first } = await begin();
    try {
      for (let piece = first; piece.done !== true; piece = await pieces.next()) {
        cut.arm();
        yield piece.value;
        cut.disarm();
      }
      await client.query('commit');
      cut.release();
    } finally {
      // Ends a `COPY` that was not read to its end; without effect after the release above.
      cut.release(true);
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
