import { positions } from '@highline/contract';
import { distanceKm, type Coordinates } from './geo.ts';

/** A position of a day's trail. */
export interface TrailPoint extends Coordinates {
  /** Epoch seconds. */
  readonly at: number;
  readonly speed: number | null;
  readonly heading: number | null;
  readonly accuracy: number | null;
  /** RSSI, dBm. */
  readonly signal: number | null;
  readonly isJump: boolean;
}

/** A signal at a time (epoch seconds). */
export interface SignalReading {
  readonly at: number;
  /** RSSI, dBm. */
  readonly rssi: number;
}

export interface Stop extends Coordinates {
  /** Epoch seconds. */
  readonly from: number;
  readonly until: number;
}

type Placed = Coordinates & Pick<TrailPoint, 'at'>;

const metres = (a: Coordinates, b: Coordinates) => distanceKm(a, b) * 1_000;

/** Whether the vehicle was not followed between two positions. */
function isGap(before: Placed, after: Placed): boolean {
  const seconds = after.at - before.at;
  if (seconds > positions.STILL_GAP_SECONDS) return true;
  return seconds > positions.GAP_SECONDS && metres(before, after) > positions.STOP_METRES;
}

/** The times without a position between two positions. @param points in order of time */
export function gapsOf(points: readonly Placed[]): [from: number, until: number][] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    return before !== undefined && isGap(before, point) ? [[before.at, point.at] as [number, number]] : [];
  });
}

/** The trail in parts without a gap or a jump. */
export function runsOf<Point extends Placed & { readonly isJump: boolean }>(points: readonly Point[]): Point[][] {
  const runs: Point[][] = [];
  for (const point of points) {
    const before = runs.at(-1)?.at(-1);
    if (before === undefined || point.isJump || isGap(before, point)) runs.push([point]);
    else runs.at(-1)!.push(point);
  }
  return runs;
}

/** Kilometres of the parts. */
export function lengthKm(runs: readonly (readonly Coordinates[])[]): number {
  let km = 0;
  for (const run of runs) for (let index = 1; index < run.length; index += 1) km += distanceKm(run[index - 1]!, run[index]!);
  return km;
}

/**
 * Where the vehicle stood: `STOP_SECONDS` or longer within `STOP_METRES` of the first position there, without a gap.
 * @param points in order of time
 */
export function stopsOf(points: readonly Placed[]): Stop[] {
  const stops: Stop[] = [];
  let first = 0;
  while (first < points.length) {
    const last = lastNear(points, first);
    const [begin, end] = [points[first]!, points[last]!];
    if (end.at - begin.at >= positions.STOP_SECONDS) {
      const { latitude, longitude } = begin;
      stops.push({ from: begin.at, until: end.at, latitude, longitude });
      first = last + 1;
    } else first += 1;
  }
  return stops;
}

/** The last position in a row that is near this one. */
function lastNear(points: readonly Placed[], first: number): number {
  let last = first;
  for (let next = points[last + 1]; next !== undefined; next = points[last + 1]) {
    if (metres(points[first]!, next) > positions.STOP_METRES || isGap(points[last]!, next)) break;
    last += 1;
  }
  return last;
}

/** Give each position the signal that was measured nearest to it, at most `SIGNAL_SECONDS` away. @param readings in order of time, like `points` */
export function withSignal(points: readonly Omit<TrailPoint, 'signal'>[], readings: readonly SignalReading[]): TrailPoint[] {
  let next = 0;
  return points.map((point) => {
    while (next + 1 < readings.length && Math.abs(readings[next + 1]!.at - point.at) <= Math.abs(readings[next]!.at - point.at))
      next += 1;
    const nearest = readings[next];
    const isNear = nearest !== undefined && Math.abs(nearest.at - point.at) <= positions.SIGNAL_SECONDS;
    return { ...point, signal: isNear ? nearest.rssi : null };
  });
}

/**
 * At most `most` positions: every second, third …, and the first and the last one of each part, so that gaps and jumps are where they were. Of a trail
 * in more parts than that allows, the first and the last of all.
 */
export function thinned<Point extends Placed & { readonly isJump: boolean }>(
  points: readonly Point[],
  most: number,
): { readonly kept: readonly Point[]; readonly every: number } {
  if (points.length <= most) return { kept: points, every: 1 };
  const runs = runsOf(points);
  const parts = 2 * runs.length < most ? runs : [points];
  const every = Math.ceil(points.length / (most - 2 * parts.length));
  return { kept: parts.flatMap((run) => run.filter((_, index) => index % every === 0 || index === run.length - 1)), every };
}
