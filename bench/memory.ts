import { setTimeout as pause } from 'node:timers/promises';

/** Bytes of this process after garbage collection. */
export interface Memory {
  readonly rss: number;
  /** JavaScript objects. */
  readonly heap: number;
  /** V8's heap for them, free space included. */
  readonly heapTotal: number;
  /** Buffers and native memory of objects. */
  readonly external: number;
}

/** @param isReleased after giving free memory back to the system, as the server does after a burst. Needs node --expose-gc. */
export async function stableMemory(isReleased = false): Promise<Memory> {
  // A first pass lets a second one free more, and the allocator returns pages in the background.
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.();
    await pause(150);
  }
  if (isReleased) globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return { rss, heap: heapUsed, heapTotal, external };
}
