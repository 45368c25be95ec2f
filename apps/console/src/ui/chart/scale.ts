import { wallTime } from '../time/zones.ts';

/** The range of values that a chart shows, and the values that its axis names. */
export interface ValueScale {
  readonly min: number;
  readonly max: number;
  /** Ascending. */
  readonly ticks: readonly number[];
}

const FACTORS = [1, 2, 5, 10] as const;

/** A scale with round ticks around values. @param most ticks, at least 2 */
export function valueScale(values: readonly number[], most = 4): ValueScale {
  let [low, high] = values.reduce(([least, greatest], value) => [Math.min(least, value), Math.max(greatest, value)], [
    Infinity,
    -Infinity,
  ] as readonly [number, number]);
  if (low > high) [low, high] = [0, 1];
  // One value alone is in the middle.
  if (low === high) [low, high] = [low - 1, high + 1];
  const rough = (high - low) / Math.max(1, most - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (FACTORS.find((factor) => factor * power >= rough) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks };
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const TIME_STEPS = [
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  5 * DAY,
  10 * DAY,
  30 * DAY,
] as const;

/** Seconds by which a zone's clock is ahead of UTC at a time. */
function offsetOf(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = wallTime(new Date(at * 1000), zone);
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) / 1000 - at;
}

export interface TimeTick {
  /** Epoch seconds. */
  readonly at: number;
  /** The time of day, or the day where ticks are days. */
  readonly text: string;
}

/** Round times of a zone between two times (epoch seconds). @param most ticks */
export function timeTicks(from: number, until: number, zone: string, most = 6): readonly TimeTick[] {
  const step = TIME_STEPS.find((width) => (until - from) / width <= most) ?? 30 * DAY;
  const ticks: TimeTick[] = [];
  for (let at = from; ; at += step) {
    // A step may cross a change of the clock.
    const local = at + offsetOf(at, zone);
    at += (step - (local % step)) % step;
    if (at > until) return ticks;
    const { month, day, hour, minute } = wallTime(new Date(at * 1000), zone);
    ticks.push({ at, text: step < DAY ? `${hour}:${minute}` : `${month}/${day}` });
  }
}
