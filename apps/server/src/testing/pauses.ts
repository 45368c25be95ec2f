import { setTimeout as pause } from 'node:timers/promises';

const MOST_MS = 100;
/** A look that follows later by this part of the time waited so far is hardly later at all. */
const PART = 1 / 8;

/**
 * Pauses between looks at a condition: short at first, longer the longer it takes. A look usually sends a statement, and as many of them as
 * fit into a long wait would take the processor from what is waited for.
 */
export function createPauses(leastMs = 10): () => Promise<void> {
  const begun = performance.now();
  return () => pause(Math.min(Math.max(leastMs, (performance.now() - begun) * PART), Math.max(leastMs, MOST_MS)));
}
