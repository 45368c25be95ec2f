import { type SignalMeasure, signalLimits } from '@highline/contract';
import { valueScale, type ValueScale } from '../../ui/chart/scale.ts';
import type { Band } from '../../ui/chart/TimeChart.tsx';

/** Readings that are drawn, in their order; counters of bytes say nothing as a line. */
export const drawnReadings = ['rssi', 'rsrp', 'rsrq', 'sinr', 'temperature', 'voltage', 'battery'] as const;
export type DrawnReading = (typeof drawnReadings)[number];

/** Whether a reading is rated good, fair or poor. */
export function isRated(name: string): name is SignalMeasure {
  return name in signalLimits;
}

/** The ratings of a signal as ranges of values, within what the chart shows. */
export function bandsOf(name: string, { min, max }: ValueScale): readonly Band[] {
  if (!isRated(name)) return [];
  const { good, fair } = signalLimits[name];
  const all: readonly Band[] = [
    { tone: 'good', min: good, max },
    { tone: 'fair', min: fair, max: good },
    { tone: 'poor', min, max: fair },
  ];
  return all
    .map((band) => ({ ...band, min: Math.max(min, band.min), max: Math.min(max, band.max) }))
    .filter((band) => band.min < band.max);
}

/** The scale of a reading's values. */
export function scaleOf(
  points: readonly { readonly value: number; readonly low?: number; readonly high?: number }[],
): ValueScale {
  return valueScale(points.flatMap(({ value, low = value, high = value }) => [low, value, high]));
}
