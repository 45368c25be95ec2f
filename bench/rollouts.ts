import { loadavg } from 'node:os';
import { startChild } from './child.ts';
import type { Cluster } from './cluster.ts';
import { cpuOf } from './measure.ts';
import { options } from './options.ts';
import type { BareResponses } from './bare.ts';
import { benchReconciler } from './rollouts.reconciler.ts';
import { runRollout, type RolloutRun } from './rollouts.run.ts';
import { openRolloutFixture } from './rollouts.seed.ts';
import type { SocketsResponses } from './sockets.ts';
import { amountOf, assessed, printTable, whole, type Figure } from './table.ts';

const CONFIG_ROUTERS = 2_000;
export const CONFIG_BYTES = 8 * 1024;
const FIRMWARE_ROUTERS = 200;
const FIRMWARE_BYTES = 2 * 1024 ** 2;
/** Two sizes that keep the server busy long enough for its memory to level off, one three times the other. */
const LARGE_BYTES = 64 * 1024 ** 2;
const HUGE_BYTES = 192 * 1024 ** 2;
const MEMORY_ROUTERS = 20;
/** Protocol bytes of a step in addition to its file: the command, its responses, and the headers of the download. */
const STEP_BYTES = 1_500;
/** Allowed difference of the peak for the larger one: about the noise of two runs of the same file. */
const SAME_BYTES = 32 * 1024 ** 2;

interface Bare {
  readonly ms: number;
  /** CPU seconds. */
  readonly cpu: number;
}

/** The number of routers that has an aim, and the aim. */
const MANY = 10_000;
const MOST_MS = 60_000;
const MOST_PAGE_MS = 50;
const CEILING = 'Ceiling: as many bytes written to as many sockets of ws, until each has confirmed them.';

/** Rollouts to whole groups, also with power cuts, compared with the same bytes written directly (issue 3). */
export async function benchRollouts(cluster: Cluster): Promise<void> {
  if (options.routers !== undefined) return benchOneConfig(cluster, options.routers);
  benchReconciler();
  await benchConfigs(cluster);
  await benchFirmware(cluster);
}

async function benchConfigs(cluster: Cluster): Promise<void> {
  const fixture = await openRolloutFixture(cluster, 'bench_rollouts_config', [CONFIG_ROUTERS]);
  const selected = { kind: 'config', group: fixture.groups[0]! } as const;
  const quiet = await runRollout(fixture, cluster, { ...selected, file: await fixture.config(CONFIG_BYTES) });
  const cut = await runRollout(fixture, cluster, {
    ...selected,
    file: await fixture.config(CONFIG_BYTES),
    cutWithinMs: quiet.ms,
  });
  await fixture.close();
  const bare = await measureConfigCeiling(CONFIG_ROUTERS);
  print(`Config file of 8 KB to ${whole(CONFIG_ROUTERS)} routers`, CONFIG_ROUTERS, quiet, cut, bare);
}

/** Only a config file, to as many routers as the command line says. */
async function benchOneConfig(cluster: Cluster, count: number): Promise<void> {
  const fixture = await openRolloutFixture(cluster, 'bench_rollouts_many', [count]);
  const file = await fixture.config(CONFIG_BYTES);
  const run = await runRollout(fixture, cluster, { kind: 'config', group: fixture.groups[0]!, file });
  await fixture.close();
  const bare = await measureConfigCeiling(count);
  const aim = count === MANY ? assessed('≤ 60 s, all successful', run.ms <= MOST_MS && hasAll(run, count)) : 'recorded';
  printTable(
    `Config file of 8 KB to ${whole(count)} routers, one node`,
    [
      ...runFigures("Save → last 'Successful'", run, bare, aim),
      { name: '  of PostgreSQL', unit: 's', ours: [run.cpu.database] },
      { name: '  of the simulated routers', unit: 's', ours: [run.cpu.generator] },
    ],
    [CEILING, outcomeOf(run, count), `load when it ended: ${loadavg()[0]!.toFixed(1)}`, ...run.statements],
  );
}

/** How long a rollout took, and what it cost the server. */
function runFigures(name: string, run: RolloutRun, bare: Bare, aim: string): Figure[] {
  return [
    { name, unit: 's', ours: [run.ms / 1000], raw: [bare.ms / 1000], aim },
    { name: '  processor of the server', unit: 's', ours: [run.cpu.server], raw: [bare.cpu], aim: 'recorded' },
    { name: '  memory of the server: before, peak, after', unit: 'MB', ours: memoryOf(run) },
    {
      name: '  a page of 50 devices meanwhile (p50 / p99)',
      unit: 'ms',
      ours: run.pages,
      aim: assessed('p99 ≤ 50 ms', run.pages[1] <= MOST_PAGE_MS),
    },
  ];
}

async function benchFirmware(cluster: Cluster): Promise<void> {
  const fixture = await openRolloutFixture(cluster, 'bench_rollouts_firmware', [FIRMWARE_ROUTERS, MEMORY_ROUTERS]);
  const [many, few] = fixture.groups;
  // First, while the server holds no memory of an earlier rollout that a file could reuse.
  const fewSelected = { kind: 'firmware', group: few! } as const;
  const small = await runRollout(fixture, cluster, { ...fewSelected, file: await fixture.firmware(FIRMWARE_BYTES) });
  const large = await runRollout(fixture, cluster, { ...fewSelected, file: await fixture.firmware(LARGE_BYTES) });
  const huge = await runRollout(fixture, cluster, { ...fewSelected, file: await fixture.firmware(HUGE_BYTES) });
  const selected = { kind: 'firmware', group: many! } as const;
  const quiet = await runRollout(fixture, cluster, { ...selected, file: await fixture.firmware(FIRMWARE_BYTES) });
  const file = await fixture.firmware(FIRMWARE_BYTES);
  const cut = await runRollout(fixture, cluster, { ...selected, file, cutWithinMs: quiet.ms });
  await fixture.close();
  const bare = await measureBare(FIRMWARE_ROUTERS, FIRMWARE_BYTES + STEP_BYTES);
  print(`Firmware of 2 MB to ${FIRMWARE_ROUTERS} routers`, FIRMWARE_ROUTERS, quiet, cut, bare);
  printMemory(small, large, huge);
}

function print(title: string, count: number, quiet: RolloutRun, cut: RolloutRun, bare: Bare): void {
  const aimOf = (run: RolloutRun) => assessed('all successful', hasAll(run, count));
  const figures = [
    ...runFigures("all connected: last 'Successful' after", quiet, bare, aimOf(quiet)),
    ...runFigures(`${cut.cut} with power cuts: last 'Successful' after`, cut, bare, aimOf(cut)),
  ];
  printTable(title, figures, [
    CEILING,
    ...[quiet, cut].map(
      (run) =>
        `${outcomeOf(run, count)}; PostgreSQL ${seconds(run.cpu.database)}, generator ${seconds(run.cpu.generator)} of processor`,
    ),
  ]);
}

function printMemory(small: RolloutRun, large: RolloutRun, huge: RolloutRun): void {
  const figure = (name: string, run: RolloutRun, aim: string): Figure => ({
    name,
    unit: 'MB',
    ours: memoryOf(run),
    aim: `${run.successful} of ${MEMORY_ROUTERS} successful after ${seconds(run.ms / 1000)}${aim}`,
  });
  const isSame = huge.memory.peak - large.memory.peak <= SAME_BYTES;
  printTable(`Memory of the server while ${MEMORY_ROUTERS} routers download: before, peak, after`, [
    figure('image of 2 MB', small, ''),
    figure('image of 64 MB', large, ''),
    figure('image of 192 MB', huge, `; ${assessed('≤ 32 MB over 64 MB', isSame)}`),
  ]);
}

/** Every router has the file. */
export function hasAll({ successful, others }: RolloutRun, count: number): boolean {
  return successful === count && others.length === 0;
}

/** `398 of 400 successful, 2 failed (download-failed)` */
export function outcomeOf({ successful, others }: RolloutRun, count: number): string {
  return `${successful} of ${count} successful${others.map((other) => `, ${other}`).join('')}`;
}

/** The bytes of a config file of `CONFIG_BYTES`, written to as many bare sockets. */
export function measureConfigCeiling(count: number): Promise<Bare> {
  return measureBare(count, CONFIG_BYTES + STEP_BYTES);
}

async function measureBare(count: number, bytes: number): Promise<Bare> {
  const writer = await startChild<BareResponses>('bare.ts');
  const sockets = await startChild<SocketsResponses>('sockets.ts');
  await sockets.ask('open', `ws://127.0.0.1:${await writer.ask('port')}`, count);
  const before = cpuOf(writer.pid);
  const ms = await writer.ask('deliver', bytes);
  const cpu = cpuOf(writer.pid) - before;
  await sockets.stop();
  await writer.stop();
  return { ms, cpu };
}

const seconds = (value: number) => amountOf([value], 's');

const memoryOf = ({ memory: { before, peak, after } }: RolloutRun) => [before, peak, after].map((bytes) => bytes / 1024 ** 2);
