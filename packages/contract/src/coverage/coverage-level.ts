import { signalQuality, type SignalQuality } from '../devices/signal-quality.ts';

export const coverageLevels = ['good', 'fair', 'poor', 'none'] as const;
export type CoverageLevel = SignalQuality | 'none';

/** What a median RSRP means, in the ratings of the device page; `none` = no sample has one. @param rsrp dBm */
export function coverageLevelOf(rsrp: number | null): CoverageLevel {
  return rsrp === null ? 'none' : signalQuality('rsrp', rsrp);
}
