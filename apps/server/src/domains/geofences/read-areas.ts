import { Worker } from 'node:worker_threads';
import { checkedAreas, type ReadAreas } from './checked-areas.ts';

/** Longer texts are read in a thread: one of this length takes a few milliseconds. */
const SHORT = 32_768;
const MEMORY_MB = 512;

/** Read the areas of a GeoJSON text without blocking other calls. */
export function readAreas(text: string): Promise<ReadAreas> {
  if (text.length <= SHORT) return Promise.resolve(checkedAreas(text));
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('read-areas.worker.ts', import.meta.url), {
      workerData: text,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread that reads areas ended with ${code}.`)));
  });
}
