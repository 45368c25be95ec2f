/** A part of a whole in whole percent, rounded down: 100 means all of it. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((100 * part) / whole);
}
