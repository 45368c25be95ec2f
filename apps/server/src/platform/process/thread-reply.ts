import type { Worker } from 'node:worker_threads';

/** Send a thread what it waits for. @returns the bytes that it answers @throws what ended it */
export function nextReply(worker: Worker, message: unknown): Promise<Uint8Array> {
  const reply = new Promise<Uint8Array>((resolve, reject) => {
    worker.removeAllListeners('message').removeAllListeners('error');
    // A thread that is being terminated answers nothing, and has no error.
    const ended = () => reject(new Error('The thread ended before it answered.'));
    worker.once('exit', ended);
    worker.once('message', (bytes: Uint8Array) => {
      worker.off('exit', ended);
      resolve(bytes);
    });
    worker.once('error', reject);
  });
  worker.postMessage(message, []);
  return reply;
}
