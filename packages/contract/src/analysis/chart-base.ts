/**
 * Where bars and areas of negative values stand, as those of a signal in dBm: a round number below the least. Hanging from zero, the
 * longest would be the weakest. Undefined: on zero (ANA-02).
 */
export function findChartBase(values: readonly number[]): number | undefined {
  if (values.length === 0 || values.some((value) => value >= 0)) return undefined;
  return Math.ceil(Math.min(...values) / 10 - 1) * 10;
}
