/**
 * Signal measurements that are rated, each with the least value that is good and the least that is fair: dBm, and dB for RSRQ and SINR.
 * 3GPP defines what is measured and its range (TS 36.133 and TS 38.133), but no ratings: these are the limits that makers of routers
 * commonly publish (docs/domains/devices.md).
 */
export const signalLimits = {
  rssi: { good: -75, fair: -95 },
  rsrp: { good: -95, fair: -110 },
  rsrq: { good: -10, fair: -15 },
  sinr: { good: 13, fair: 0 },
} as const;

export type SignalMeasure = keyof typeof signalLimits;
export type SignalQuality = 'good' | 'fair' | 'poor';

/** How a value of a signal measurement is rated. */
export function signalQuality(measure: SignalMeasure, value: number): SignalQuality {
  const { good, fair } = signalLimits[measure];
  if (value >= good) return 'good';
  return value >= fair ? 'fair' : 'poor';
}
