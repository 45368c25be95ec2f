// A separate thread: to read a large file takes seconds, which would block all other calls.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../process/thread-priority.ts';
import { FileFault } from './file-fault.ts';
import { readRecords, type ReadRequest } from './records.ts';

lowerThreadPriority();
try {
  for await (const part of readRecords(workerData as ReadRequest)) {
    parentPort!.postMessage(part, []);
    // Until the part was processed: nothing piles up.
    await once(parentPort!, 'message');
  }
  parentPort!.postMessage('end', []);
} catch (error) {
  if (!(error instanceof FileFault)) throw error;
  parentPort!.postMessage({ fault: { key: error.key, more: error.more } }, []);
}
parentPort!.close();
