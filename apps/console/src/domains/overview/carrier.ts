/** The length of a carrier's name in the chart (OVW-04). */
const SHOWN_LETTERS = 8;

/** The chart's colours, in both schemes (OVW-04: a palette of five). */
const palette = ['var(--c1)', 'var(--c2)', 'var(--c3)', 'var(--c4)', 'var(--c5)'] as const;

/** A carrier's name cut to 8 characters (OVW-04); surrogate pairs stay whole. */
export function shortCarrier(name: string): string {
  return Array.from(name).slice(0, SHOWN_LETTERS).join('');
}

/** The colour of the n-th bar. */
export function barColor(index: number): string {
  return palette[index % palette.length] ?? palette[0];
}

/** How long a bar is, in percent of the longest; the shortest can still be seen and hit. */
export function barWidth(total: number, most: number): number {
  return most === 0 ? 0 : Math.max(2, (total / most) * 100);
}
