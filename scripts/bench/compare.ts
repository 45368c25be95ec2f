import { percentile, timed } from './measure.ts';
import { judged, milliseconds, times, type Figure } from './table.ts';

const MOST_MS = 100;

/** One of the things people do with a list, as the server does it and as raw SQL does it. */
export interface Pair {
  readonly name: string;
  readonly rounds: number;
  /** What the slowest one of a hundred may take, milliseconds; 100 where nothing is said. */
  readonly mostMs?: number;
  ours(): Promise<unknown>;
  raw(): Promise<unknown>;
}

/** Ours and raw SQL in turn, `rounds` times each. */
export async function compare({ name, rounds, mostMs = MOST_MS, ours, raw }: Pair): Promise<Figure> {
  const samples = { ours: [] as number[], raw: [] as number[] };
  for (let round = -20; round < rounds; round++) {
    const [mine, theirs] = [await timed(ours), await timed(raw)];
    // The first ones warm what both keep warm in production.
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
    aim: judged(`≤ 2×, ≤ ${mostMs} ms`, p99 / rawP99 <= 2 && p99 <= mostMs),
  };
}

/** Both sides get the same draws; no two in a row are equal, so that no total is remembered. */
export function draws<T>(draw: (round: number) => T): { ours(): T; raw(): T } {
  let [mine, theirs] = [0, 0];
  return { ours: () => draw(mine++), raw: () => draw(theirs++) };
}
