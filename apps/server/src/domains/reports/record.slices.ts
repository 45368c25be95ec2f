import type { TimeRange } from './time-range.ts';

/** Routers report each parameter about once a minute. The value only affects how soon a slice contains enough records. */
const TELLING_MS = 60_000;
const LEAST_MS = 1_000;
const GROWTH = 8;

/** The width of a time range in which this many sources (routers times parameters) produce `records` records. */
export function widthFor(records: number, sources: number): number {
  return Math.max(LEAST_MS, (records / Math.max(1, sources)) * TELLING_MS);
}

/**
 * Split a time range into slices, the newest first. Sorting all records of ten thousand routers in a month to show the newest ten
 * would take minutes; a slice is sorted quickly, and reads only the partitions of its own days. The part after `now` belongs to
 * the first slice, because it is almost empty.
 * @param growing whether each slice is several times as wide as the one before: for finding the first non-empty one
 */
export function* slicesOf({ from, until }: TimeRange, now: Date, widthMs: number, growing: boolean): Generator<TimeRange> {
  let end = until.getTime();
  const begin = from.getTime();
  let isFirst = true;
  if (begin < now.getTime()) end = Math.min(end, now.getTime());
  for (let width = widthMs; end > begin; width *= growing ? GROWTH : 1) {
    const start = Math.max(begin, Math.floor(end - width));
    yield { from: new Date(start), until: isFirst ? until : new Date(end) };
    isFirst = false;
    end = start;
  }
}
