import type { Worker } from 'node:worker_threads';

/** Send a thread what it waits for. @returns the bytes that it answers @throws what ended it */
export function nextReply(worker: Worker, message: unknown): Promise<Uint8Array> {
  const reply = new Promise<Uint8Array>((resolve, reject) => {
    worker.removeAllListeners('message').removeAllListeners('error');
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  worker.postMessage(message, []);
  return reply;
}
