import type { Stretch } from './stretch.ts';

/** Routers tell each parameter about once a minute. Nothing depends on it but how soon a slice holds what is looked for. */
const TELLING_MS = 60_000;
const LEAST_MS = 1_000;
const GROWTH = 8;

/** The width of a stretch in which so many sources (routers times parameters) tell some `records` records. */
export function widthFor(records: number, sources: number): number {
  return Math.max(LEAST_MS, (records / Math.max(1, sources)) * TELLING_MS);
}

/**
 * A stretch in slices, the newest first. Sorting all that ten thousand routers told in a month to show the newest ten of it would take
 * minutes; a slice is sorted in no time, and touches the partitions of its own days alone.
 * What lies ahead of `now` goes with the first slice: next to nothing is there.
 * @param growing whether each slice is several times as wide as the one before: for those who look for the first that holds anything
 */
export function* slicesOf({ from, until }: Stretch, now: Date, widthMs: number, growing: boolean): Generator<Stretch> {
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
