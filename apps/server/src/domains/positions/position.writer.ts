import type { Log } from '../../platform/ports/log.ts';
import { Attempts, isRejection } from '../../platform/retry/attempts.ts';
import type { Fix } from './fix.ts';
import type { PositionRow } from './position.rows.ts';

export interface PositionWriterSettings {
  /** How long positions are collected for a batch, milliseconds. */
  readonly collectMs: number;
  /** Most rows of a batch. */
  readonly batchRows: number;
  /** The most rows that wait while the database is down; more are rejected, and routers keep them. */
  readonly maxRows: number;
}

export const positionWriterDefaults: PositionWriterSettings = { collectMs: 250, batchRows: 5_000, maxRows: 100_000 };

/** How often a batch is tried that the database itself rejects; then it is dropped, so that it does not block all others. */
const MOST_REJECTIONS = 3;

/** Positions are rejected: too many already wait, or the writer is closed. The caller must not acknowledge them. */
export class PositionsRejected extends Error {
  override readonly name = 'PositionsRejected';
}

interface Waiter {
  readonly rows: readonly PositionRow[];
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Collects positions and writes them in batches, one at a time. A failed batch is tried again until it succeeds; rows are lost only with
 * the process, and were not acknowledged then.
 */
export class PositionWriter {
  readonly #store: (rows: readonly PositionRow[]) => Promise<void>;
  readonly #repair: () => Promise<unknown>;
  readonly #settings: PositionWriterSettings;
  readonly #log: Log;
  readonly #attempts = new Attempts();
  #waiters: Waiter[] = [];
  #rows = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #hasGivenUp = false;

  /**
   * @param store makes rows durable, all or none
   * @param repair called when the database rejected a batch, before it is tried again: creates missing partitions
   */
  constructor(
    store: (rows: readonly PositionRow[]) => Promise<void>,
    repair: () => Promise<unknown>,
    settings: PositionWriterSettings,
    log: Log,
  ) {
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

  /** Resolves when the positions are committed. @throws PositionsRejected when too many wait */
  write(routerId: string, fixes: readonly Fix[]): Promise<void> {
    if (this.#closed || this.#rows + fixes.length > this.#settings.maxRows)
      return Promise.reject(new PositionsRejected('Too many positions are waiting to be written.'));
    this.#rows += fixes.length;
    const rows = fixes.map((fix) => ({ ...fix, routerId }));
    const written = new Promise<void>((resolve, reject) => this.#waiters.push({ rows, resolve, reject }));
    if (this.#rows >= this.#settings.batchRows) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#settings.collectMs);
    return written;
  }

  /** Write what waits, for this time at most, and accept no more. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true;
    const deadline = setTimeout(() => {
      this.#hasGivenUp = true;
      this.#attempts.wake();
    }, timeoutMs);
    this.#flush();
    await this.#running;
    clearTimeout(deadline);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async #run(): Promise<void> {
    while (this.#waiters.length > 0) {
      const batch = this.#take();
      const fault = await this.#writeBatch(batch.flatMap(({ rows }) => rows));
      for (const { rows, resolve, reject } of batch) {
        this.#rows -= rows.length;
        if (fault === undefined) {
          this.#written += rows.length;
          resolve();
        } else reject(fault);
      }
    }
  }

  #take(): Waiter[] {
    let rows = 0;
    let count = 0;
    // At least one, however many positions it has.
    while (count < this.#waiters.length && (count === 0 || rows + this.#waiters[count]!.rows.length <= this.#settings.batchRows))
      rows += this.#waiters[count++]!.rows.length;
    return this.#waiters.splice(0, count);
  }

  /** @returns why it was not written; undefined once it is */
  async #writeBatch(rows: readonly PositionRow[]): Promise<Error | undefined> {
    let rejections = 0;
    let dropped: Error | undefined;
    await this.#attempts.run(
      async () => {
        if (this.#hasGivenUp) dropped = new PositionsRejected('The server stopped before positions were written.');
        else await this.#store(rows);
      },
      async (fault) => {
        if (isRejection(fault) && ++rejections >= MOST_REJECTIONS) {
          this.#log.error({ err: fault, positions: rows.length }, 'The database rejected positions; they were dropped.');
          dropped = fault as Error;
          return true;
        }
        this.#log.warn({ err: fault, positions: this.#rows }, 'Failed to write positions; the batch will be retried.');
        if (isRejection(fault)) await this.#repair().catch(() => undefined);
        return false;
      },
    );
    return dropped;
  }
}
