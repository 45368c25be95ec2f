import { setTimeout as pause } from 'node:timers/promises';

/** Bytes of this process once what nobody needs is thrown away. */
export interface Memory {
  readonly rss: number;
  /** JavaScript objects. */
  readonly heap: number;
  /** What V8 holds for them, free room included. */
  readonly heapTotal: number;
  /** Buffers and what C++ holds for objects. */
  readonly external: number;
}

/** Needs node --expose-gc. */
export async function settledMemory(): Promise<Memory> {
  // What a first pass frees lets a second one free more, and the allocator gives pages back in the background.
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.();
    await pause(150);
  }
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
  return { rss, heap: heapUsed, heapTotal, external };
}
