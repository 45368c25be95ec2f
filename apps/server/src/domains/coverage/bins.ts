/** Bins of equal width for the values of a reading. Values beyond both ends count in the first and the last bin. */
export interface Bins {
  /** Prefix of the columns of coverage_days. */
  readonly column: string;
  /** Where the first bin begins. */
  readonly least: number;
  readonly width: number;
  readonly count: number;
}

/** RSRP in dBm. Below −130 a modem is without service, above −60 it is next to the antenna. */
export const rsrpBins: Bins = { column: 'r', least: -130, width: 2, count: 35 };
/** RSRQ in dB. */
export const rsrqBins: Bins = { column: 'q', least: -24, width: 1, count: 22 };

/** How many values are in each bin; null or missing = none. */
export type Counts = readonly (number | null | undefined)[];

/** Columns of coverage_days with these bins. */
export const columnsOf = ({ column, count }: Bins): readonly string[] =>
  Array.from({ length: count }, (_, bin) => `${column}${bin}`);

/** The bin of a value. */
export function binOf({ least, width, count }: Bins, value: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((value - least) / width)));
}

/** The middle of a bin: the value that its values count as. */
export function middleOf({ least, width }: Bins, bin: number): number {
  return least + width * (bin + 0.5);
}

/** The median of values as their bins have them; null = there are none. Counts of several days are added up before. */
export function medianOf(bins: Bins, counts: Counts): number | null {
  let total = 0;
  for (const count of counts) total += count ?? 0;
  if (total <= 0) return null;
  const lower = middleOf(bins, binAt(counts, Math.floor((total - 1) / 2)));
  return (lower + middleOf(bins, binAt(counts, Math.floor(total / 2)))) / 2;
}

/** The bin of the value at a place in their order, from 0. */
function binAt(counts: Counts, place: number): number {
  let before = 0;
  return counts.findIndex((count) => (before += count ?? 0) > place);
}

/** Add counts to a sum, bin by bin. */
export function addCounts(sum: number[], counts: Counts): void {
  for (const [bin, count] of counts.entries()) sum[bin] = (sum[bin] ?? 0) + (count ?? 0);
}
