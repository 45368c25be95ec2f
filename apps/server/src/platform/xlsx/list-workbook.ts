import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { nextReply } from '../process/thread-reply.ts';

/** What the cells of a column are; without a kind they are text, whatever they look like. `value`: numbers, true and false, or texts. */
export type ColumnKind = 'number' | 'time' | 'value';

export interface ListWorkbook {
  /** Of its sheet: any text, of which a sheet has what Excel permits. */
  readonly name: string;
  /** Of its columns; a cell that is none of its kind is text. */
  readonly kinds: readonly (ColumnKind | undefined)[];
  /** Lines above the titles of the columns: what the sheet is about. */
  readonly headLines?: number;
}

/** Rows that a sheet can have, below that of its titles. */
export const MOST_WORKBOOK_ROWS = 1_048_575;

const MEMORY_MB = 256;

/**
 * The CSV of a list (platform/csv) as an Excel workbook, made in a thread while it is read: columns of
 * days and times become dates, those of numbers numbers, and all else text, without the apostrophes that protect a CSV.
 */
export function workbookOf(csv: AsyncIterable<Buffer | string>, workbook: ListWorkbook): Readable {
  return Readable.from(written(csv, workbook), { objectMode: false, highWaterMark: 65_536 });
}

async function* written(csv: AsyncIterable<Buffer | string>, workbook: ListWorkbook): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL('list-workbook.worker.ts', import.meta.url), {
    workerData: workbook,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    for await (const piece of csv) {
      const bytes = await nextReply(worker, Buffer.from(piece));
      if (bytes.length > 0) yield bytes;
    }
    yield await nextReply(worker, 'end');
  } finally {
    await worker.terminate();
  }
}
