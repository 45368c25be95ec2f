import type { Cluster } from './cluster.ts';
import { cpuOf, cpuOfFamily, percentile, timed, watchCpu } from './measure.ts';
import { options } from './options.ts';
import { assessed, milliseconds, percent, printTable, times, type Figure } from './table.ts';

const MOST_MS = 100;

/** An operation, once through the server and once as raw SQL. */
export interface Pair {
  readonly name: string;
  ours(): Promise<unknown>;
  raw(): Promise<unknown>;
  /** Other than the rounds of the section. */
  readonly rounds?: number;
  /** Limit of the 99th percentile, milliseconds; default 100. */
  readonly mostMs?: number;
  /** Instead of the usual one: twice SQL, and that limit. */
  readonly aim?: Aim;
  /** Before each call of either side, outside of its time. */
  before?(): Promise<unknown>;
  /** Calls of both sides that are not measured; default 20. */
  readonly warmUp?: number;
}

/** A target, and whether two sets of samples meet it. */
export interface Aim {
  readonly text: string;
  isMet(samples: Samples): boolean;
}

/** Samples of both sides, milliseconds. */
export interface Samples {
  readonly ours: number[];
  readonly raw: number[];
}

/** Run ours and raw SQL alternately, `rounds` times each. */
export async function inTurn(pair: Pick<Pair, 'ours' | 'raw' | 'before' | 'warmUp'>, rounds: number): Promise<Samples> {
  const samples: Samples = { ours: [], raw: [] };
  for (let round = -(options.short ? 1 : (pair.warmUp ?? 20)); round < rounds; round++) {
    await pair.before?.();
    const [mine, theirs] = [await timed(() => pair.ours()), await timed(() => pair.raw())];
    // Warm-up: the first rounds fill caches that are warm in production.
    if (round < 0) continue;
    samples.ours.push(mine);
    samples.raw.push(theirs);
  }
  return samples;
}

/** p50 and p99 of both sides. @param aim receives both p99 */
export function figureOf(name: string, { ours, raw }: Samples, aim?: (p99: number, rawP99: number) => string): Figure {
  const [p50, p99] = [percentile(ours, 0.5), percentile(ours, 0.99)];
  const [rawP50, rawP99] = [percentile(raw, 0.5), percentile(raw, 0.99)];
  return {
    name,
    ours: milliseconds(p50, p99),
    ceiling: milliseconds(rawP50, rawP99),
    ratio: times(p50 / rawP50, p99 / rawP99),
    ...(aim !== undefined && { aim: aim(p99, rawP99) }),
  };
}

/** Compare pairs one after another. @returns their figures, and the CPU used meanwhile as a note */
export async function comparePairs(
  pairs: readonly Pair[],
  rounds: number,
  cluster: Cluster,
  server: { readonly pid: number },
): Promise<{ figures: Figure[]; used: string }> {
  const used = watchProcesses(cluster, server);
  const figures: Figure[] = [];
  for (const pair of pairs) {
    const { mostMs = MOST_MS, aim = twice(mostMs) } = pair;
    const samples = await inTurn(pair, options.short ? rounds : (pair.rounds ?? rounds));
    figures.push(figureOf(pair.name, samples, () => assessed(aim.text, aim.isMet(samples))));
  }
  return { figures, used: used() };
}

const twice = (mostMs: number): Aim => ({
  text: `≤ 2×, ≤ ${mostMs} ms`,
  isMet: ({ ours, raw }) => percentile(ours, 0.99) <= Math.min(mostMs, 2 * percentile(raw, 0.99)),
});

/** The median is that of SQL and some milliseconds, the 99th percentile has a limit. */
export const near = (moreMs: number, mostMs: number): Aim => ({
  text: `p50 ≤ SQL + ${moreMs} ms, p99 ≤ ${mostMs} ms`,
  isMet: ({ ours, raw }) => percentile(ours, 0.5) <= percentile(raw, 0.5) + moreMs && percentile(ours, 0.99) <= mostMs,
});

/** No call takes longer. */
export const atMost = (mostMs: number): Aim => ({ text: `≤ ${mostMs} ms`, isMet: ({ ours }) => Math.max(...ours) <= mostMs });

/** A note on the CPU that all three processes use between now and the call of the returned function. */
export function watchProcesses(cluster: Cluster, server: { readonly pid: number }): () => string {
  const cpu = watchCpu({
    generator: () => cpuOf(process.pid),
    server: () => cpuOf(server.pid),
    database: () => cpuOfFamily(cluster.pid()),
  });
  return () => {
    const used = cpu();
    return `CPU of one core: generator ${percent(used.generator)}, server ${percent(used.server)}, PostgreSQL ${percent(used.database)}`;
  };
}

/** Print the figures of lists. @param notes after the one on the comparison */
export function printLists(title: string, rounds: string, figures: readonly Figure[], ...notes: readonly string[]): void {
  printTable(title, figures, [
    `p50 / p99 of ${rounds} each, alternating, one at a time; ratios of both. Ceiling: handwritten SQL over pg, rows fetched.`,
    ...notes,
  ]);
}

/** Both sides get the same values; no two in a row are equal, so that no total is cached. */
export function draws<T>(draw: (round: number) => T): { ours(): T; raw(): T } {
  let [mine, theirs] = [0, 0];
  return { ours: () => draw(mine++), raw: () => draw(theirs++) };
}
