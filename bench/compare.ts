import type { BenchDatabase, Cluster, Highline } from './cluster.ts';
import type { HttpClient } from './http-client.ts';
import { cpuOf, cpuOfFamily, middle, percentile, timed, watchCpu } from './measure.ts';
import { options } from './options.ts';
import { amountOf, assessed, type Figure } from './table.ts';

const MOST_MS = 100;

/** An operation, once through the server and once raw. Both sides get the number of the round, and draw the same values by it. */
export interface Pair {
  readonly name: string;
  ours(round: number): Promise<unknown>;
  /** Left out: there is no raw equivalent. */
  raw?(round: number): Promise<unknown>;
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

/** Run ours and raw alternately, `rounds` times each. */
export async function inTurn(pair: Omit<Pair, 'name'>, rounds: number): Promise<Samples> {
  const samples: Samples = { ours: [], raw: [] };
  const warmUp = options.short ? 1 : (pair.warmUp ?? 20);
  for (let round = 0; round < warmUp + rounds; round++) {
    await pair.before?.();
    const ours = await timed(() => pair.ours(round));
    const raw = pair.raw === undefined ? undefined : await timed(() => pair.raw!(round));
    // Warm-up: the first rounds fill caches that are warm in production.
    if (round < warmUp) continue;
    samples.ours.push(ours);
    if (raw !== undefined) samples.raw.push(raw);
  }
  return samples;
}

const ends = (samples: readonly number[]) => [percentile(samples, 0.5), percentile(samples, 0.99)];

/** p50 and p99 of both sides. */
export function figureOf(name: string, samples: Samples, aim?: Aim): Figure {
  return {
    name,
    unit: 'ms',
    ours: ends(samples.ours),
    ...(samples.raw.length > 0 && { raw: ends(samples.raw) }),
    ...(aim !== undefined && { aim: assessed(aim.text, aim.isMet(samples)) }),
  };
}

/** Compare pairs one after another. */
export async function comparePairs(pairs: readonly Pair[], rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const pair of pairs) {
    const samples = await inTurn(pair, options.short ? Math.min(3, rounds) : (pair.rounds ?? rounds));
    figures.push(figureOf(pair.name, samples, pair.aim ?? twice(pair.mostMs ?? MOST_MS)));
  }
  return figures;
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

/** A share of the calls takes no longer. */
export const shareWithin = (share: number, mostMs: number): Aim => ({
  text: `p${share * 100} ≤ ${mostMs} ms`,
  isMet: ({ ours }) => percentile(ours, share) <= mostMs,
});

/** Handwritten SQL: its text, its values, and whether it is prepared. */
export type Statement = readonly [text: string, values?: readonly unknown[], name?: string];

/** What the pairs of a section work with. */
export interface Run<Seeded> {
  readonly cluster: Cluster;
  readonly database: BenchDatabase;
  readonly seeded: Seeded;
  readonly server: Highline;
  /** Statements at once, each on a connection of its own: a page and its total. */
  raw(...statements: readonly Statement[]): Promise<unknown>;
  /** A user's calls. */
  clientOf(bearer: string): HttpClient;
}

/** A note on the CPU that all three processes use between now and the call of the returned function. */
export function watchProcesses(cluster: Cluster, server: { readonly pid: number }): () => string {
  const cpu = watchCpu({
    generator: () => cpuOf(process.pid),
    server: () => cpuOf(server.pid),
    PostgreSQL: () => cpuOfFamily(cluster.pid()),
  });
  return () =>
    `CPU of one core: ${Object.entries(cpu())
      .map(([name, share]) => `${name} ${amountOf([share * 100], '%')}`)
      .join(', ')}`;
}

/** What a piece of work took: seconds by the clock, and of the processors of this process and of PostgreSQL. */
export interface Spent {
  readonly clock: number;
  readonly own: number;
  readonly database: number;
}

/** Measure one piece of work of this process. */
export async function measureWork(cluster: Cluster, work: () => Promise<unknown>): Promise<Spent> {
  const processor = () => ({ own: cpuOf(process.pid), database: cpuOfFamily(cluster.pid()) });
  const before = processor();
  const clock = (await timed(work)) / 1_000;
  const after = processor();
  return { clock, own: after.own - before.own, database: after.database - before.database };
}

/** Each kind of work in turn, since the machine is not the same from one minute to the next; the first round warms up. @returns medians */
export async function compareWork<Kind extends string>(
  rounds: number,
  kinds: Readonly<Record<Kind, (round: number) => Promise<Spent>>>,
): Promise<Record<Kind, Spent>> {
  const names = Object.keys(kinds) as Kind[];
  const taken = new Map(names.map((name) => [name, [] as Spent[]]));
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const spent = await kinds[name](round);
      if (round > 0) taken.get(name)!.push(spent);
    }
  const medianOf = (name: Kind): Spent => {
    const of = (part: keyof Spent) => middle(taken.get(name)!.map((spent) => spent[part]));
    return { clock: of('clock'), own: of('own'), database: of('database') };
  };
  return Object.fromEntries(names.map((name) => [name, medianOf(name)])) as Record<Kind, Spent>;
}

/** How many a second, and microseconds of the processors for one, next to the ceiling. */
export function rateFigures(name: string, count: number, ours: Spent, raw: Spent, aim?: string): Figure[] {
  const micros = (spent: Spent) => [((spent.own + spent.database) / count) * 1e6];
  return [
    { name, unit: '/s', ours: [count / ours.clock], raw: [count / raw.clock], ...(aim !== undefined && { aim }) },
    { name: '  processors for one, with PostgreSQL', unit: 'µs', ours: micros(ours), raw: micros(raw) },
  ];
}
