/** RSRP from which on coverage is good, fair and weak; below it is poor. dBm. */
export const COVERAGE_LEVELS = { good: -90, fair: -105, weak: -115 } as const;
export const coverageLevels = ['good', 'fair', 'weak', 'poor', 'none'] as const;
export type CoverageLevel = (typeof coverageLevels)[number];

/** What a median RSRP means; `none` = no report has one. @param rsrp dBm */
export function coverageLevelOf(rsrp: number | null): CoverageLevel {
  if (rsrp === null) return 'none';
  if (rsrp >= COVERAGE_LEVELS.good) return 'good';
  if (rsrp >= COVERAGE_LEVELS.fair) return 'fair';
  return rsrp >= COVERAGE_LEVELS.weak ? 'weak' : 'poor';
}
