import type { Log } from '../../../platform/ports/log.ts';
import { Attempts, isRejection } from '../../../platform/retry/attempts.ts';
import { putRow, ROW_BYTES, type EncodedReports, type MeasuredReport } from './copy-rows.ts';

export interface TelemetryWriterSettings {
  /** How long rows are collected for a batch; a row is a report. */
  readonly collectMs: number;
  /** A batch of this size is written at once. */
  readonly batchRows: number;
  /** The most rows that wait while the database is down; more are rejected, and routers keep them. */
  readonly maxRows: number;
}

export const telemetryWriterDefaults: TelemetryWriterSettings = { collectMs: 200, batchRows: 4_000, maxRows: 60_000 };

/** How often a batch is tried that the database itself rejects; then it is dropped, so that it does not block all others. */
const REFUSALS = 3;

/** Rows are rejected: too many already wait, or the writer is closed. None of them is kept. */
export class TelemetryRejected extends Error {
  override readonly name = 'TelemetryRejected';
}

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

interface Batch {
  readonly bytes: Buffer;
  /** Bytes in use. */
  length: number;
  rows: number;
  values: number;
  /** Of each row, for the marks of late ones. */
  readonly routers: string[];
  readonly times: number[];
  readonly reports: MeasuredReport['values'][];
  readonly waiters: Waiter[];
}

/**
 * Collects encoded rows and writes them batch by batch. A failed batch is kept and retried until it succeeds. Rows are lost only
 * with the process, and were not yet acknowledged then.
 */
export class TelemetryWriter {
  readonly #copy: (reports: EncodedReports) => Promise<void>;
  readonly #repair: () => Promise<unknown>;
  readonly #settings: TelemetryWriterSettings;
  readonly #log: Log;
  readonly #attempts = new Attempts();
  /** Full batches, in order. The first one is being written. */
  readonly #sealed: Batch[] = [];
  #open: Batch | undefined;
  /** The open batch has waited long enough; it is written after the one before it, and grows until then. */
  #due = false;
  #timer: NodeJS.Timeout | undefined;
  #spare: Buffer | undefined;
  #running: Promise<void> | undefined;
  #rows = 0;
  #values = 0;
  #closed = false;
  #written = 0;

  /**
   * @param copy makes encoded rows durable, all or none
   * @param repair called when the database rejected a batch, before it is retried: creates missing partitions
   */
  constructor(
    copy: (reports: EncodedReports) => Promise<void>,
    repair: () => Promise<unknown>,
    settings: TelemetryWriterSettings,
    log: Log,
  ) {
    this.#copy = copy;
    this.#repair = repair;
    this.#settings = settings;
    this.#log = log;
  }

  /** Values that wait to be written. */
  get waiting(): number {
    return this.#values;
  }

  /** Values committed since the start. */
  get written(): number {
    return this.#written;
  }

  /**
   * Write reports of one router, at most one batch. Resolves when they are committed.
   * @throws TelemetryRejected at once when too much already waits
   */
  write(routerId: string, reports: readonly MeasuredReport[]): Promise<void> {
    const { maxRows, batchRows } = this.#settings;
    if (this.#closed || this.#rows + reports.length > maxRows || reports.length > batchRows)
      return Promise.reject(new TelemetryRejected('Too many measured values are waiting to be written.'));
    const batch = this.#batchFor(reports.length);
    const id = routerId.replaceAll('-', '');
    let values = 0;
    for (const report of reports) {
      batch.length = putRow(batch.bytes, batch.length, id, report);
      batch.routers.push(routerId);
      batch.times.push(report.at);
      batch.reports.push(report.values);
      for (const value of report.values) if (value !== undefined) values++;
    }
    batch.rows += reports.length;
    batch.values += values;
    this.#rows += reports.length;
    this.#values += values;
    const written = new Promise<void>((resolve, reject) => batch.waiters.push({ resolve, reject }));
    if (batch.rows >= batchRows) this.#seal();
    return written;
  }

  /** Write all waiting rows. Resolves when they are committed, however long it takes. */
  async flush(): Promise<void> {
    this.#flushNow();
    while (this.#running !== undefined) {
      this.#attempts.wake();
      await this.#running;
    }
  }

  /** Write the waiting rows, for `timeoutMs` at most, and accept no more. Rows that could not be written are rejected. */
  async close(timeoutMs: number): Promise<void> {
    const deadline = setTimeout(() => this.#giveUp(), timeoutMs);
    this.#closed = true;
    await this.flush();
    clearTimeout(deadline);
  }

  #batchFor(rows: number): Batch {
    const { batchRows, collectMs } = this.#settings;
    if (this.#open !== undefined && this.#open.rows + rows > batchRows) this.#seal();
    if (this.#open === undefined) {
      const bytes = this.#spare ?? Buffer.allocUnsafe(batchRows * ROW_BYTES);
      this.#open = { bytes, length: 0, rows: 0, values: 0, routers: [], times: [], reports: [], waiters: [] };
      this.#spare = undefined;
    }
    this.#timer ??= setTimeout(() => this.#flushNow(), collectMs);
    return this.#open;
  }

  #flushNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = this.#open !== undefined;
    this.#start();
  }

  #seal(): void {
    if (this.#open !== undefined) this.#sealed.push(this.#open);
    this.#open = undefined;
    this.#due = false;
    this.#start();
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#due || this.#sealed.length > 0) this.#start();
    });
  }

  async #run(): Promise<void> {
    for (let batch = this.#next(); batch !== undefined; batch = this.#next()) {
      const fault = await this.#writeBatch(batch);
      if (this.#sealed[0] === batch) this.#complete(batch, fault);
    }
  }

  #next(): Batch | undefined {
    if (this.#sealed.length === 0 && this.#due && this.#open !== undefined) {
      this.#sealed.push(this.#open);
      this.#open = undefined;
      this.#due = false;
    }
    return this.#sealed[0];
  }

  #complete(batch: Batch, fault: Error | undefined): void {
    this.#sealed.shift();
    this.#rows -= batch.rows;
    this.#values -= batch.values;
    this.#spare ??= batch.bytes;
    if (fault === undefined) this.#written += batch.values;
    for (const waiter of batch.waiters) {
      if (fault === undefined) waiter.resolve();
      else waiter.reject(fault);
    }
  }

  /** @returns why it was not written; undefined once it is */
  async #writeBatch(batch: Batch): Promise<Error | undefined> {
    let rejections = 0;
    let dropped: Error | undefined;
    const copy = async () => {
      const { bytes, length, routers, times, reports: values } = batch;
      if (this.#sealed[0] === batch) await this.#copy({ rows: bytes.subarray(0, length), routers, times, values });
      else dropped = stopped();
    };
    await this.#attempts.run(copy, async (fault) => {
      if (isRejection(fault) && ++rejections >= REFUSALS) {
        this.#log.error({ err: fault, values: batch.values }, 'The database rejected measured values; they were dropped.');
        dropped = fault as Error;
        return true;
      }
      this.#log.warn({ err: fault, values: this.#values }, 'Failed to write measured values; the batch will be retried.');
      if (isRejection(fault)) await this.#repair().catch(() => undefined);
      return false;
    });
    return dropped;
  }

  #giveUp(): void {
    this.#seal();
    while (this.#sealed[0] !== undefined) this.#complete(this.#sealed[0], stopped());
    this.#attempts.wake();
  }
}

const stopped = () => new TelemetryRejected('The server stopped before measured values were written.');
