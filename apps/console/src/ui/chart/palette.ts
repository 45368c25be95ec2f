/** Colours of charts, in both schemes (OVW-04: a palette of five). */
export const CHART_COLORS = ['--c1', '--c2', '--c3', '--c4', '--c5'] as const;

/** The colour at a place of the palette. @param place from 1 */
export function chartColor(place: number): string {
  return `var(${CHART_COLORS[place - 1] ?? '--idle-dot'})`;
}
