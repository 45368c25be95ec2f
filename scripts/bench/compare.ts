import { percentile, timed } from './measure.ts';
import { assessed, milliseconds, times, type Figure } from './table.ts';

const MOST_MS = 100;

/** An operation on a list, once through the server and once as raw SQL. */
export interface Pair {
  readonly name: string;
  readonly rounds: number;
  /** Limit of the 99th percentile, milliseconds; default 100. */
  readonly mostMs?: number;
  ours(): Promise<unknown>;
  raw(): Promise<unknown>;
}

/** Run ours and raw SQL alternately, `rounds` times each. */
export async function compare({ name, rounds, mostMs = MOST_MS, ours, raw }: Pair): Promise<Figure> {
  const samples = { ours: [] as number[], raw: [] as number[] };
  for (let round = -20; round < rounds; round++) {
    const [mine, theirs] = [await timed(ours), await timed(raw)];
    // Warm-up: the first rounds fill caches that are warm in production.
    if (round < 0) continue;
    samples.ours.push(mine);
    samples.raw.push(theirs);
  }
  const [p99, rawP99] = [percentile(samples.ours, 0.99), percentile(samples.raw, 0.99)];
  return {
    name,
    ours: milliseconds(percentile(samples.ours, 0.5), p99),
    ceiling: milliseconds(percentile(samples.raw, 0.5), rawP99),
    ratio: times(percentile(samples.ours, 0.5) / percentile(samples.raw, 0.5), p99 / rawP99),
    aim: assessed(`≤ 2×, ≤ ${mostMs} ms`, p99 / rawP99 <= 2 && p99 <= mostMs),
  };
}

/** Both sides get the same values; no two in a row are equal, so that no total is cached. */
export function draws<T>(draw: (round: number) => T): { ours(): T; raw(): T } {
  let [mine, theirs] = [0, 0];
  return { ours: () => draw(mine++), raw: () => draw(theirs++) };
}
