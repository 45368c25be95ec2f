import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { nextReply } from './thread-reply.ts';

test('a thread that ends without an answer is an error, and does not keep anyone waiting', async () => {
  const worker = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });
  const reply = nextReply(worker, 'anything');
  await Promise.all([expect(reply).rejects.toThrow('The thread ended before it answered.'), worker.terminate()]);
});
