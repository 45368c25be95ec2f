import { createPauses } from './pauses.ts';

const LONGEST_MS = 120_000;

/** Wait until all expectations hold; a timeout reports the last failed one. */
export async function eventually<T>(expectations: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_MS;
  const nextLook = createPauses();
  for (;;) {
    try {
      return await expectations();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await nextLook();
  }
}
