/** The length of a carrier's name in the chart (OVW-04). */
const SHOWN_LETTERS = 8;

/** A carrier's name cut to 8 characters (OVW-04); surrogate pairs stay whole. */
export function shortCarrier(name: string): string {
  return Array.from(name).slice(0, SHOWN_LETTERS).join('');
}

/** How long a bar is, in percent of the longest; the shortest can still be seen and hit. */
export function barWidth(total: number, most: number): number {
  return most === 0 ? 0 : Math.max(2, (total / most) * 100);
}
