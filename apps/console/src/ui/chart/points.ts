/** A value at a time. */
export interface TimePoint {
  /** Epoch seconds. */
  readonly at: number;
  readonly value: number;
  /** The least and greatest value that it stands for. */
  readonly low?: number;
  readonly high?: number;
}

export type Span = readonly [from: number, until: number];

/**
 * Points in runs without a gap: the line is broken where nothing was measured.
 * @param gap seconds; more between two points is a gap
 * @param breaks times in which there was nothing to measure
 */
export function runsOf<Point extends TimePoint>(
  points: readonly Point[],
  gap: number,
  breaks: readonly Span[] = [],
): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  let next = 0;
  for (const point of points) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    // Both are in order of time, so each break is passed once.
    const since = before?.at ?? -Infinity;
    while (next < breaks.length && breaks[next]![1] <= since) next += 1;
    const isBroken = before !== undefined && next < breaks.length && breaks[next]![0] < point.at;
    if (run === undefined || before === undefined || isBroken || point.at - before.at > gap) runs.push([point]);
    else run.push(point);
  }
  return runs;
}

/** The index of the point nearest to a time; 0 if there is none. */
export function nearest(points: readonly TimePoint[], at: number): number {
  let best = 0;
  for (const [index, point] of points.entries())
    if (Math.abs(point.at - at) < Math.abs((points[best]?.at ?? 0) - at)) best = index;
  return best;
}

/** Seconds above which nothing between two points is a gap: three of their usual distances, but never less than three steps. */
export function gapOf(points: readonly TimePoint[], step: number): number {
  const distances = points.slice(1).map((point, index) => point.at - points[index]!.at);
  const usual = distances.toSorted((a, b) => a - b)[Math.floor(distances.length / 2)] ?? step;
  return 3 * Math.max(step, usual);
}
