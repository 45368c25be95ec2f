import type { OnlineMoment } from './attention.api.ts';

/** Seconds between two moments of each range. */
export const stepOf = { '24': 300, '168': 3_600 } as const;

/** Share of devices online, 0 to 1. */
export function shareOf({ online, devices }: OnlineMoment): number {
  return devices === 0 ? 0 : online / devices;
}

/** Where a moment is in the chart: 0 at its left edge, 1 at its right one. */
export function placeOf(at: number, hours: number, now: number): number {
  return Math.min(1, Math.max(0, 1 - (now - at) / (hours * 3_600)));
}

/** The moments in runs without a gap: the line is broken where no server recorded any. */
export function runsOf(moments: readonly OnlineMoment[], step: number): readonly (readonly OnlineMoment[])[] {
  const runs: OnlineMoment[][] = [];
  for (const moment of moments) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run === undefined || before === undefined || moment.at - before.at > step * 1.5) runs.push([moment]);
    else run.push(moment);
  }
  return runs;
}

/** The index of the moment nearest to a place. */
export function nearest(moments: readonly OnlineMoment[], place: number, hours: number, now: number): number {
  const at = now - (1 - place) * hours * 3_600;
  let best = 0;
  for (const [index, moment] of moments.entries())
    if (Math.abs(moment.at - at) < Math.abs((moments[best]?.at ?? 0) - at)) best = index;
  return best;
}
