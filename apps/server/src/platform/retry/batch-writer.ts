import type { Log } from '../ports/log.ts';
import { Attempts, isRejection } from './attempts.ts';

export interface BatchWriterSettings {
  /** From the beginning of a batch to that of the next, milliseconds: what a batch costs hardly depends on its rows. */
  readonly collectMs: number;
  /** So many rows do not wait. */
  readonly enoughRows: number;
  /** Most rows of a batch. */
  readonly batchRows: number;
  /** The most rows that wait while the database is down; more are rejected, and routers keep them. */
  readonly maxRows: number;
}

export const batchWriterDefaults: BatchWriterSettings = {
  collectMs: 1_000,
  enoughRows: 500,
  batchRows: 5_000,
  maxRows: 100_000,
};

/** How long the first rows after a pause wait for others. */
const FIRST_MS = 50;

/** How often a batch is tried that the database itself rejects; then it is divided, so that one bad row does not block those of other routers. */
const MOST_REJECTIONS = 3;

/** Rows are rejected: too many already wait, or the writer is closed. The caller must not acknowledge them. */
export class RowsRejected extends Error {
  override readonly name = 'RowsRejected';
}

interface Waiter<Row> {
  readonly rows: readonly Row[];
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Collects rows that routers reported and writes them in batches, one at a time. A failed batch is tried again until it succeeds; rows are lost only with
 * the process, or because the database rejects them, and were not acknowledged then.
 */
export class BatchWriter<Row> {
  readonly #what: string;
  readonly #store: (rows: readonly Row[]) => Promise<void>;
  readonly #repair: () => Promise<unknown>;
  readonly #settings: BatchWriterSettings;
  readonly #log: Log;
  readonly #attempts = new Attempts();
  #waiters: Waiter<Row>[] = [];
  #rows = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  #beganAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #closed = false;
  #hasGivenUp = false;

  /**
   * @param what the rows, in messages and in the log: `positions`
   * @param store makes rows durable, all or none
   * @param repair called when the database rejected a batch, before it is tried again: creates missing partitions
   */
  constructor(
    what: string,
    store: (rows: readonly Row[]) => Promise<void>,
    repair: () => Promise<unknown>,
    settings: BatchWriterSettings,
    log: Log,
  ) {
    this.#what = what;
    this.#store = store;
    this.#repair = repair;
    this.#settings = settings;
    this.#log = log;
  }

  get waiting(): number {
    return this.#rows;
  }

  get written(): number {
    return this.#written;
  }

  /** Resolves when the rows are committed. @throws RowsRejected when too many wait */
  write(rows: readonly Row[]): Promise<void> {
    if (this.#closed || this.#rows + rows.length > this.#settings.maxRows)
      return Promise.reject(new RowsRejected(`Too many ${this.#what} are waiting to be written.`));
    this.#rows += rows.length;
    const written = new Promise<void>((resolve, reject) => this.#waiters.push({ rows, resolve, reject }));
    this.#schedule();
    return written;
  }

  /** Write what waits, for this time at most, and accept no more. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true;
    const deadline = setTimeout(() => {
      this.#hasGivenUp = true;
      this.#attempts.wake();
    }, timeoutMs);
    this.#schedule();
    while (this.#running !== undefined) await this.#running;
    clearTimeout(deadline);
  }

  #schedule(): void {
    if (this.#running !== undefined || this.#waiters.length === 0) return;
    const { collectMs, enoughRows } = this.#settings;
    if (this.#rows >= enoughRows || this.#closed) this.#begin();
    else {
      const wait = Math.max(Math.min(FIRST_MS, collectMs), this.#beganAt + collectMs - performance.now());
      this.#timer ??= setTimeout(() => this.#begin(), wait);
    }
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#beganAt = performance.now();
    this.#running = this.#writeNext().finally(() => {
      this.#running = undefined;
      this.#schedule();
    });
  }

  #writeNext(): Promise<void> {
    return this.#writeOrDivide(this.#take(), MOST_REJECTIONS);
  }

  async #writeOrDivide(batch: readonly Waiter<Row>[], mostRejections: number): Promise<void> {
    const fault = await this.#writeBatch(
      batch.flatMap(({ rows }) => rows),
      mostRejections,
    );
    if (isRejection(fault) && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2);
      // Partitions were made, so another attempt at the same rows would fail as well.
      for (const half of [batch.slice(0, middle), batch.slice(middle)]) await this.#writeOrDivide(half, 1);
      return;
    }
    if (isRejection(fault))
      this.#log.error({ err: fault, rows: batch[0]!.rows.length }, `The database rejected ${this.#what}; they were dropped.`);
    for (const { rows, resolve, reject } of batch) {
      this.#rows -= rows.length;
      if (fault === undefined) {
        this.#written += rows.length;
        resolve();
      } else reject(fault);
    }
  }

  #take(): Waiter<Row>[] {
    let rows = 0;
    let count = 0;
    // At least one, however many rows it has.
    while (count < this.#waiters.length && (count === 0 || rows + this.#waiters[count]!.rows.length <= this.#settings.batchRows))
      rows += this.#waiters[count++]!.rows.length;
    return this.#waiters.splice(0, count);
  }

  /** @returns why it was not written; undefined once it is */
  async #writeBatch(rows: readonly Row[], mostRejections: number): Promise<Error | undefined> {
    let rejections = 0;
    let dropped: Error | undefined;
    await this.#attempts.run(
      async () => {
        if (this.#hasGivenUp) dropped = new RowsRejected(`The server stopped before ${this.#what} were written.`);
        else await this.#store(rows);
      },
      async (fault) => {
        if (isRejection(fault) && ++rejections >= mostRejections) {
          dropped = fault as Error;
          return true;
        }
        this.#log.warn({ err: fault, rows: this.#rows }, `Failed to write ${this.#what}; the batch will be retried.`);
        if (isRejection(fault)) await this.#repair().catch(() => undefined);
        return false;
      },
    );
    return dropped;
  }
}
