import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// A thread of its own, so that the time in which the fuzzer makes a large case does not count.

const { port, everyMs } = workerData as { readonly port: number; readonly everyMs: number };

/** How long each /livez took, in milliseconds, until the thread is ended. */
for (;;) {
  const begun = performance.now();
  await fetch(`http://127.0.0.1:${port}/livez`).then(
    (response) => response.text(),
    () => undefined,
  );
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is of windows; a thread has no origin
  parentPort!.postMessage(performance.now() - begun);
  await pause(everyMs);
}
