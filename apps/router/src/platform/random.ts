/** Deterministic random numbers from a seed, so that a simulated fleet behaves the same in every run. */

/** A number in [0, 1) from a seed and up to two more integers; the same inputs always give the same number. */
export function hashToUnit(seed: number, a: number, b = 0): number {
  let h =
    (seed | 0) ^ Math.imul(a | 0, 0x9e3779b1) ^ Math.imul(b | 0, 0x85ebca77) ^ Math.imul(Math.floor(a / 0x100000000), 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return ((h ^ (h >>> 16)) >>> 0) / 0x100000000;
}

/** A seed from text, e.g. from a serial number (FNV-1a). */
export function seedOf(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return h >>> 0;
}

/** A source of random numbers in [0, 1) with its own small state. */
export function createRandom(seed: number): () => number {
  let count = 0;
  return () => hashToUnit(seed, ++count, 0x5bd1e995);
}

/**
 * A value in [0, 1] that changes smoothly over time: noise at three rates, the slowest weighing most. Computed from (seed, time)
 * alone, so that a reading costs nothing between readings and works for any time.
 * @param paceMs time of the slowest part from one turning point to the next
 */
export function drift(seed: number, atMs: number, paceMs: number): number {
  return (4 * turn(seed, atMs / paceMs) + 2 * turn(seed + 1, (atMs * 3) / paceMs) + turn(seed + 2, (atMs * 9) / paceMs)) / 7;
}

function turn(seed: number, at: number): number {
  const step = Math.floor(at);
  const part = at - step;
  const eased = part * part * (3 - 2 * part);
  return hashToUnit(seed, step) * (1 - eased) + hashToUnit(seed, step + 1) * eased;
}
