import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { amountOf, type Figure, type Table, type Unit } from './table.ts';

/** The figures of the last runs that were kept, newest last, by the title of their table and their name. */
export type Kept = Readonly<Record<string, Readonly<Record<string, readonly KeptFigure[]>>>>;

interface KeptFigure {
  /** The day it was measured. */
  readonly at: string;
  /** The first number: a median where there are percentiles, since a p99 of a hundred calls is its slowest one or two. */
  readonly ours: number;
  /** Of the ceiling in the same run. */
  readonly raw?: number;
}

/** In the repository, so that the next run on any machine has them. */
export const KEPT_FILE = new URL('kept.json', import.meta.url);
/** Runs whose spread tells the noise. */
const MOST_RUNS = 5;
/** A figure may be so much worse than the worst of the kept runs; more where only one is kept, which has no spread. */
const NOISE = 1.1;
const NOISE_OF_ONE = 1.25;

/** The kept figures; none when no run was kept. */
export function readKept(file = KEPT_FILE): Kept {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : {};
}

/** Keep the figures of a run besides those that are kept; the oldest of a figure leaves. */
export function keepTables(tables: readonly Table[], at: Date, file = KEPT_FILE): void {
  const kept: Record<string, Record<string, readonly KeptFigure[]>> = Object.fromEntries(
    Object.entries(readKept(file)).map(([title, figures]) => [title, { ...figures }]),
  );
  for (const { title, figures } of tables)
    for (const { name, ours, raw } of figures) {
      const figure = { at: at.toISOString().slice(0, 10), ours: ours[0]!, ...(raw !== undefined && { raw: raw[0]! }) };
      const ofTitle = (kept[title] ??= {});
      ofTitle[name] = [...(ofTitle[name] ?? []), figure].slice(-MOST_RUNS);
    }
  writeFileSync(file, `${JSON.stringify(kept, undefined, 1)}\n`);
}

/** What a comparison with the kept runs found. */
export interface Comparison {
  /** Figures that were kept before: without any, no fall means nothing. */
  readonly compared: number;
  /** One sentence for each that is worse than in every kept run, beyond their noise. */
  readonly falls: readonly string[];
}

/** Compare figures with those of the kept runs. Where there is a ceiling the ratios to it are compared, which hold from machine to machine. */
export function listFalls(tables: readonly Table[], kept: Kept): Comparison {
  const pairs = tables.flatMap(({ title, figures }) =>
    figures.map((figure) => ({ title, figure, former: kept[title]?.[figure.name] ?? [] })),
  );
  const known = pairs.filter(({ former }) => former.length > 0);
  const fallen = known.filter(({ figure, former }) => hasFallen(figure, former));
  return {
    compared: known.length,
    falls: fallen.map(({ title, figure, former }) => `${title}: ${describeFall(figure, former)}`),
  };
}

function hasFallen({ unit, ours, raw }: Figure, former: readonly KeptFigure[]): boolean {
  const cost = costOf(unit, ours[0]!, raw?.[0]);
  const worst = Math.max(...former.map((each) => costOf(unit, each.ours, each.raw)));
  return cost > worst * (former.length > 1 ? NOISE : NOISE_OF_ONE);
}

/** Larger is worse. */
function costOf(unit: Unit, ours: number, raw?: number): number {
  const value = raw === undefined || raw === 0 ? ours : ours / raw;
  return unit === '/s' ? 1 / value : value;
}

function describeFall({ name, unit, ours, raw }: Figure, former: readonly KeptFigure[]): string {
  const said = (value: number, ceiling?: number) =>
    amountOf([value], unit) + (ceiling === undefined ? '' : ` (ceiling ${amountOf([ceiling], unit)})`);
  const last = former.at(-1)!;
  return `${name}: ${said(ours[0]!, raw?.[0])}, on ${last.at} ${said(last.ours, last.raw)}`;
}
