import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The value below which `share` (0 to 1) of the samples lie. NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The median of measurements. */
export function middle(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Duration of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Clock ticks of the kernel per second (USER_HZ), the same on every common Linux. */
const TICKS = 100;

interface ProcessStat {
  readonly parent: number;
  /** CPU seconds of the process and of its ended children. */
  readonly own: number;
  readonly ended: number;
}

function statOf(pid: number): ProcessStat | undefined {
  try {
    // The name in brackets may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ')
      .map(Number);
    return { parent: fields[1]!, own: (fields[11]! + fields[12]!) / TICKS, ended: (fields[13]! + fields[14]!) / TICKS };
  } catch {
    return undefined;
  }
}

/** CPU seconds of a process, without its children. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.own ?? Number.NaN;
}

/** The same with its children, including ended ones: a postmaster and its backends. */
export function cpuOfFamily(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .map((name) => statOf(Number(name)));
  const alive = children.filter((child) => child?.parent === pid).reduce((sum, child) => sum + child!.own + child!.ended, 0);
  const self = statOf(pid);
  return (self?.own ?? Number.NaN) + (self?.ended ?? 0) + alive;
}

/** Share of one core used between now and the call of the returned function, 0 to …; several processes by name. */
export function watchCpu<Name extends string>(readers: Record<Name, () => number>): () => Record<Name, number> {
  const names = Object.keys(readers) as Name[];
  const before = names.map((name) => readers[name]());
  const begin = performance.now();
  return () => {
    const seconds = (performance.now() - begin) / 1000;
    return Object.fromEntries(names.map((name, at) => [name, (readers[name]() - before[at]!) / seconds])) as Record<Name, number>;
  };
}

/** Minimum cost of a commit on the disk of `folder`: milliseconds of write and fdatasync of one WAL page, 200 times. */
export function fdatasyncTimes(folder: string): number[] {
  const file = join(folder, 'fdatasync');
  const descriptor = openSync(file, 'w');
  const page = Buffer.alloc(8192, 1);
  const times = Array.from({ length: 200 }, (_, index) => {
    const begin = performance.now();
    writeSync(descriptor, page, 0, page.length, index * page.length);
    fdatasyncSync(descriptor);
    return performance.now() - begin;
  });
  closeSync(descriptor);
  rmSync(file);
  return times;
}
