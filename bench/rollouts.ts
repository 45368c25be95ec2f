import { loadavg } from 'node:os';
import { startChild } from './child.ts';
import type { Cluster } from './cluster.ts';
import { cpuOf } from './measure.ts';
import { options } from './options.ts';
import type { RolloutBareAnswers } from './rollouts.bare.ts';
import { benchReconciler } from './rollouts.reconciler.ts';
import { runRollout, type RolloutRun } from './rollouts.run.ts';
import { openRolloutFixture } from './rollouts.seed.ts';
import type { SocketsAnswers } from './sockets.ts';
import { assessed, printTable, times } from './table.ts';

const CONFIG_ROUTERS = 2_000;
export const CONFIG_BYTES = 8 * 1024;
const FIRMWARE_ROUTERS = 200;
const FIRMWARE_BYTES = 2 * 1024 ** 2;
/** Two sizes that keep the server busy long enough for its memory to level off, one three times the other. */
const LARGE_BYTES = 64 * 1024 ** 2;
const HUGE_BYTES = 192 * 1024 ** 2;
const MEMORY_ROUTERS = 20;
/** Protocol bytes of a step in addition to its file: the command, its answers, and the headers of the download. */
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
  const quiet = await runRollout(fixture, cluster.pid, { ...selected, file: await fixture.config(CONFIG_BYTES) });
  const cut = await runRollout(fixture, cluster.pid, {
    ...selected,
    file: await fixture.config(CONFIG_BYTES),
    cutWithinMs: quiet.ms,
  });
  await fixture.close();
  const bare = await measureConfigCeiling(CONFIG_ROUTERS);
  print(`Config file of 8 KB to ${CONFIG_ROUTERS.toLocaleString('en')} routers`, CONFIG_ROUTERS, quiet, cut, bare);
}

/** Only a config file, to as many routers as the command line says. */
async function benchOneConfig(cluster: Cluster, count: number): Promise<void> {
  const fixture = await openRolloutFixture(cluster, 'bench_rollouts_many', [count]);
  const file = await fixture.config(CONFIG_BYTES);
  const run = await runRollout(fixture, cluster.pid, { kind: 'config', group: fixture.groups[0]!, file });
  await fixture.close();
  const bare = await measureConfigCeiling(count);
  printTable(
    `Config file of 8 KB to ${count.toLocaleString('en')} routers, one node`,
    [
      {
        name: "Save → last 'Successful'",
        ours: seconds(run.ms / 1000),
        ceiling: seconds(bare.ms / 1000),
        ratio: times(run.ms / bare.ms),
        aim: count === MANY ? assessed('≤ 60 s, all successful', run.ms <= MOST_MS && hasAll(run, count)) : 'recorded',
      },
      {
        name: '  processor of the server',
        ours: seconds(run.cpu.server),
        ceiling: seconds(bare.cpu),
        ratio: times(run.cpu.server / bare.cpu),
        aim: 'recorded',
      },
      { name: '  of PostgreSQL', ours: seconds(run.cpu.database) },
      { name: '  of the simulated routers', ours: seconds(run.cpu.generator) },
      { name: '  memory of the server: before, peak, after', ours: memoryOf(run) },
    ],
    [CEILING, outcomeOf(run, count), `load when it ended: ${loadavg()[0]!.toFixed(1)}`],
  );
}

async function benchFirmware(cluster: Cluster): Promise<void> {
  const fixture = await openRolloutFixture(cluster, 'bench_rollouts_firmware', [FIRMWARE_ROUTERS, MEMORY_ROUTERS]);
  const [many, few] = fixture.groups;
  // First, while the server holds no memory of an earlier rollout that a file could reuse.
  const fewSelected = { kind: 'firmware', group: few! } as const;
  const small = await runRollout(fixture, cluster.pid, { ...fewSelected, file: await fixture.firmware(FIRMWARE_BYTES) });
  const large = await runRollout(fixture, cluster.pid, { ...fewSelected, file: await fixture.firmware(LARGE_BYTES) });
  const huge = await runRollout(fixture, cluster.pid, { ...fewSelected, file: await fixture.firmware(HUGE_BYTES) });
  const selected = { kind: 'firmware', group: many! } as const;
  const quiet = await runRollout(fixture, cluster.pid, { ...selected, file: await fixture.firmware(FIRMWARE_BYTES) });
  const file = await fixture.firmware(FIRMWARE_BYTES);
  const cut = await runRollout(fixture, cluster.pid, { ...selected, file, cutWithinMs: quiet.ms });
  await fixture.close();
  const bare = await measureBare(FIRMWARE_ROUTERS, FIRMWARE_BYTES + STEP_BYTES);
  print(`Firmware of 2 MB to ${FIRMWARE_ROUTERS} routers`, FIRMWARE_ROUTERS, quiet, cut, bare);
  printMemory(small, large, huge);
}

function print(title: string, count: number, quiet: RolloutRun, cut: RolloutRun, bare: Bare): void {
  const figures = [
    { name: 'all connected', run: quiet },
    { name: `${cut.cut} with power cuts`, run: cut },
  ].flatMap(({ name, run }) => [
    {
      name: `${name}: last 'Successful' after`,
      ours: seconds(run.ms / 1000),
      ceiling: seconds(bare.ms / 1000),
      ratio: times(run.ms / bare.ms),
      aim: assessed('all successful', hasAll(run, count)),
    },
    {
      name: '  processor of the server',
      ours: seconds(run.cpu.server),
      ceiling: seconds(bare.cpu),
      ratio: times(run.cpu.server / bare.cpu),
      aim: 'recorded',
    },
    { name: '  memory of the server: before, peak, after', ours: memoryOf(run), aim: 'recorded' },
  ]);
  printTable(title, figures, [
    CEILING,
    ...[quiet, cut].map(
      (run) =>
        `${outcomeOf(run, count)}; ` +
        `PostgreSQL ${seconds(run.cpu.database)}, generator ${seconds(run.cpu.generator)} of processor`,
    ),
  ]);
}

function printMemory(small: RolloutRun, large: RolloutRun, huge: RolloutRun): void {
  const figure = (name: string, run: RolloutRun, aim: string) => ({
    name,
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
  const writer = await startChild<RolloutBareAnswers>('rollouts.bare.ts');
  const sockets = await startChild<SocketsAnswers>('sockets.ts');
  await sockets.ask('open', `ws://127.0.0.1:${await writer.ask('port')}`, count);
  const before = cpuOf(writer.pid);
  const ms = await writer.ask('deliver', bytes);
  const cpu = cpuOf(writer.pid) - before;
  await sockets.stop();
  await writer.stop();
  return { ms, cpu };
}

/** @param value seconds */
export function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function memoryOf({ memory: { before, peak, after } }: RolloutRun): string {
  return `${[before, peak, after].map((bytes) => Math.round(bytes / 1024 ** 2)).join(', ')} MB`;
}
