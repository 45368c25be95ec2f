/** Filters of a device list by its score. */
export const healthFilters = ['good', 'fair', 'poor'] as const;
export type HealthRating = (typeof healthFilters)[number];

/** The least score that is good, and the least that is fair. */
export const healthRatings = { good: 80, fair: 50 } as const;

export function healthRating(score: number): HealthRating {
  if (score >= healthRatings.good) return 'good';
  return score >= healthRatings.fair ? 'fair' : 'poor';
}
