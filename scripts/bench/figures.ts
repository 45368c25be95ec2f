import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One line of the report: our figure beside the raw ceiling of the same run. */
export interface Figure {
  readonly name: string;
  readonly ours: string;
  readonly ceiling: string;
  readonly ratio: string;
  readonly aim: string;
}

const out = (line: string) => process.stdout.write(`${line}\n`);

/** Print figures as a table of fixed columns. */
export function print(title: string, figures: readonly Figure[]): void {
  const columns = ['name', 'ours', 'ceiling', 'ratio', 'aim'] as const;
  const width = columns.map((column) => Math.max(column.length, ...figures.map((figure) => figure[column].length)));
  out(`\n${title}`);
  out(columns.map((column, index) => column.padEnd(width[index]!)).join('  '));
  for (const figure of figures) out(columns.map((column, index) => figure[column].padEnd(width[index]!)).join('  '));
}

/** The value below which `share` of the samples lie. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
export const times = (ours: number, ceiling: number) => `${(ours / ceiling).toFixed(2)}×`;

/** Milliseconds of each of `count` runs, after a few that do not count. */
export async function measure(count: number, run: (index: number) => Promise<unknown>, warmUp = 20): Promise<number[]> {
  for (let index = 0; index < warmUp; index += 1) await run(index);
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begin = performance.now();
    await run(index);
    samples.push(performance.now() - begin);
  }
  return samples;
}

/** Median of writing 4 kB durably: the disk's own ceiling, very noisy. */
export function fdatasync(): number {
  const path = join(tmpdir(), `highline-bench-${process.pid}`);
  const file = openSync(path, 'w');
  const samples = Array.from({ length: 60 }, () => {
    const begin = performance.now();
    writeSync(file, Buffer.alloc(4096, 1));
    fdatasyncSync(file);
    return performance.now() - begin;
  });
  closeSync(file);
  rmSync(path);
  return percentile(samples, 0.5);
}

/** CPU seconds this process has used: the generator's share of a machine with two cores. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
