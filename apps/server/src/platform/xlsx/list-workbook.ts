import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { nextReply } from '../process/thread-reply.ts';

export interface ListWorkbook {
  /** Of its sheet: any text, of which a sheet has what Excel permits. */
  readonly name: string;
  /** Columns whose cells are numbers. */
  readonly numbers: readonly number[];
  /** Lines above the titles of the columns: what the sheet is about. */
  readonly headLines?: number;
}

const MEMORY_MB = 256;

/**
 * The CSV of a list (platform/csv) as an Excel workbook, made in a thread while it is read: its days and times become dates, columns of
 * numbers numbers, and all else text, without the apostrophes that protect a CSV.
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
