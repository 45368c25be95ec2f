// A separate thread: a workbook of a hundred thousand rows takes seconds, which would block all other calls.
import { parentPort, workerData } from 'node:worker_threads';
import writeXlsxFile from 'write-excel-file/node';
import { lowerThreadPriority } from '../process/thread-priority.ts';
import type { Sheet } from './workbook.ts';

lowerThreadPriority();
const { name, titles, widths, rows } = workerData as Sheet;
const head = titles.map((value) => ({ value, fontWeight: 'bold' as const }));
const workbook = await writeXlsxFile([head, ...rows.map((row) => [...row])], {
  sheet: name,
  columns: widths.map((width) => ({ width })),
  stickyRowsCount: 1,
}).toBuffer();
// A copy outside any pool, so that it can be transferred.
const bytes = new Uint8Array(workbook);
parentPort!.postMessage(bytes, [bytes.buffer]);
