// A thread of its own: a workbook of a hundred thousand rows is seconds of work, in which nobody else would be answered.
import { parentPort, workerData } from 'node:worker_threads';
import writeXlsxFile from 'write-excel-file/node';
import type { Sheet } from './workbook.ts';

const { name, titles, widths, rows } = workerData as Sheet;
const head = titles.map((value) => ({ value, fontWeight: 'bold' as const }));
const workbook = await writeXlsxFile([head, ...rows.map((row) => [...row])], {
  sheet: name,
  columns: widths.map((width) => ({ width })),
  stickyRowsCount: 1,
}).toBuffer();
// A copy that is no part of a pool, so that it can be handed over.
const bytes = new Uint8Array(workbook);
parentPort!.postMessage(bytes, [bytes.buffer]);
