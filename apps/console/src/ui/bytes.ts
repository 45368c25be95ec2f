const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Data as carriers sell it, in powers of 1000 with three significant digits: `1.25 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.5 would be shown as 1,000.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]!}`;
}
