// A separate thread: a workbook of a million rows takes a minute.
import { on } from 'node:events';
import { TextDecoder } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../process/thread-priority.ts';
import { RecordReader } from '../tables/delimited.ts';
import type { ListWorkbook } from './list-workbook.ts';
import { createSheetWriter } from './sheet-writer.ts';

lowerThreadPriority();
const writer = createSheetWriter(workerData as ListWorkbook);
const reader = new RecordReader(',');
const decoder = new TextDecoder();

for await (const [piece] of on(parentPort!, 'message') as AsyncIterable<[Uint8Array | 'end']>) {
  const isLast = typeof piece === 'string';
  const text = isLast ? decoder.decode() : decoder.decode(piece, { stream: true });
  for (const record of reader.read(text, isLast)) writer.add(record);
  const bytes = isLast ? writer.end() : writer.take();
  parentPort!.postMessage(bytes, [bytes.buffer]);
  if (isLast) break;
}
parentPort!.close();
