import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';

export interface ListWorkbook {
  /** Of its sheet: plain ASCII, at most 31 characters. */
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
  const made = (piece: Buffer | 'end') => {
    const response = nextMessage(worker);
    worker.postMessage(piece, []);
    return response;
  };
  try {
    for await (const piece of csv) {
      const bytes = await made(Buffer.from(piece));
      if (bytes.length > 0) yield bytes;
    }
    yield await made('end');
  } finally {
    await worker.terminate();
  }
}

function nextMessage(worker: Worker): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners('message').removeAllListeners('error');
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
