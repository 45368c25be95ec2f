import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { BareResponses } from './bare.ts';
import { startChild } from './child.ts';
import { startHighline, type Cluster, type Highline } from './cluster.ts';
import type { FleetResponses } from './fleet.ts';
import { cpuOf, cpuOfFamily, percentile, watchCpu } from './measure.ts';
import type { Memory } from './memory.ts';
import { description, seedRouters, type ClaimedRouter } from './routers.seed.ts';
import type { SocketsResponses } from './sockets.ts';
import { options } from './options.ts';
import { amountOf, assessed, printTable, whole, type Figure, type Unit } from './table.ts';

const MOST_ROUTERS = Number(process.env['BENCH_ROUTERS'] ?? (options.short ? 50 : 5_000));
/** File descriptors of our process besides its sockets. */
const OTHER_FILES = 200;
const RAMP_MS = options.short ? Math.max(1_000, MOST_ROUTERS / 2) : 10_000;
/** One full interval of heartbeats and reports. */
const WINDOW_MS = options.short ? 5_000 : 60_000;
const BARE_WINDOW_MS = options.short ? 5_000 : 20_000;
const COMMANDS = options.short ? 100 : 2_000;
/** Approximate bytes of a heartbeat, a report of eight values and a Get, encoded. */
const REPORT_BYTES = 700;
const COMMAND_BYTES = 120;
/** Per router, and above that of a bare socket. */
const MOST_BYTES = 20 * 1024;
const MOST_ABOVE = 12 * 1024;

interface Measured {
  /** Bytes per connection, after the window. */
  readonly growth: Memory;
  /** Share of a core. */
  readonly cpu: Readonly<Record<string, number>>;
  /** Milliseconds each. */
  readonly commands: readonly number[];
}

/** 5,000 routers on one server process, compared with as many sockets on a bare echo (issue 2, "5,000 routers"). */
export async function benchRouters(cluster: Cluster): Promise<void> {
  const count = withinFileLimit(MOST_ROUTERS);
  const database = await cluster.open('bench_routers');
  const { routers } = await seedRouters(database, count);
  const server = await startHighline(cluster, database);
  const fleet = await startChild<FleetResponses>('fleet.ts');
  const before = await server.ask('memory', true);
  const begin = performance.now();
  await fleet.ask('start', server.url.replace('http', 'ws'), routers.map(description), RAMP_MS);
  await allReconciled(server, count);
  const broughtUp = (performance.now() - begin) / 1000;
  const atOnce = perSocket(before, await server.ask('memory'), count);
  const cpu = await overWindow(WINDOW_MS, {
    server: () => cpuOf(server.pid),
    database: () => cpuOfFamily(cluster.pid()),
    generator: () => cpuOf(fleet.pid),
  });
  const growth = perSocket(before, await server.ask('memory'), count);
  const commands = await server.ask('commands', scattered(routers), 'Device.DeviceInfo.UpTime');
  const { connected, notifications } = await server.ask('stats');
  await fleet.stop();
  await server.stop();
  await database.close();
  print({ growth, cpu, commands }, await measureBare(count), count, [
    `${connected} of ${count} connected at the end; ${broughtUp.toFixed(1)} s until all were connected and reconciled (over ${RAMP_MS / 1000} s)`,
    `memory per router: ${breakdown(atOnce)} right after all connected; ${breakdown(growth)} a minute later, when the server had released free memory`,
    `a router costs ${kilobytes(growth.rss)} of memory and, with a heartbeat and a report each 60 s, ${((cpu['server']! / count) * 6e7).toFixed(0)} µs of a core a minute`,
    `notifications: ${notifications.received} received, ${notifications.responded} answered, ${notifications.deferred} deferred`,
  ]);
}

function print(ours: Measured, bare: Measured, count: number, notes: readonly string[]): void {
  const figure = (name: string, unit: Unit, of: (measured: Measured) => readonly number[], aim?: string): Figure => ({
    name,
    unit,
    ours: of(ours),
    raw: of(bare),
    ...(aim !== undefined && { aim }),
  });
  const isSmall = ours.growth.rss <= MOST_BYTES && ours.growth.rss - bare.growth.rss <= MOST_ABOVE;
  printTable(
    `Routers, ${whole(count)} on one server process`,
    [
      figure(
        'memory per router (RSS, after collection)',
        'KB',
        ({ growth }) => [growth.rss / 1024],
        assessed('≤ 20 KB, ≤ 12 KB above', isSmall),
      ),
      figure('  of it JavaScript objects', 'KB', ({ growth }) => [growth.heap / 1024]),
      figure('CPU of the server, heartbeat and report each 60 s', '%', ({ cpu }) => [100 * cpu['server']!], 'recorded'),
      figure(
        'round trip of a command (Get)',
        'ms',
        ({ commands }) => [percentile(commands, 0.5), percentile(commands, 0.99)],
        'recorded',
      ),
    ],
    [
      'Ceiling: as many sockets of ws with the same pings and traffic, echoed; p50 / p99 of one at a time.',
      `CPU of one core: generator ${percent(ours.cpu['generator']!)} (ceiling ${percent(bare.cpu['generator']!)}), PostgreSQL ${percent(ours.cpu['database']!)}`,
      ...notes,
    ],
  );
}

async function measureBare(count: number): Promise<Measured> {
  const echo = await startChild<BareResponses>('bare.ts');
  const sockets = await startChild<SocketsResponses>('sockets.ts');
  const before = await echo.ask('memory', true);
  await sockets.ask('open', `ws://127.0.0.1:${await echo.ask('port')}`, count);
  await sockets.ask('speak', WINDOW_MS / 2, REPORT_BYTES);
  const cpu = await overWindow(BARE_WINDOW_MS, { server: () => cpuOf(echo.pid), generator: () => cpuOf(sockets.pid) });
  const growth = perSocket(before, await echo.ask('memory', true), count);
  const commands = await echo.ask('commands', COMMANDS, COMMAND_BYTES);
  await sockets.stop();
  await echo.stop();
  return { growth, cpu, commands };
}

/** As many routers, or as many as a process may have sockets. */
export function withinFileLimit(routers: number): number {
  return Math.min(routers, fileLimit() - OTHER_FILES);
}

function fileLimit(): number {
  return Number(execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()) || Number.POSITIVE_INFINITY;
}

/** Resolves when all are connected and reconciled. */
export async function allReconciled(server: Highline, count: number): Promise<void> {
  for (;;) {
    const { connected, reconciling, reconciles } = await server.ask('stats');
    if (connected === count && reconciling === 0 && reconciles.done >= count) return;
    await pause(100);
  }
}

function perSocket(before: Memory, after: Memory, count: number): Memory {
  const share = (name: keyof Memory) => (after[name] - before[name]) / count;
  return { rss: share('rss'), heap: share('heap'), heapTotal: share('heapTotal'), external: share('external') };
}

const kilobytes = (bytes: number) => amountOf([bytes / 1024], 'KB');
const percent = (share: number) => amountOf([share * 100], '%');

function breakdown({ rss, heap, heapTotal, external }: Memory): string {
  return `RSS ${kilobytes(rss)} (objects ${kilobytes(heap)}, heap total ${kilobytes(heapTotal)}, external ${kilobytes(external)})`;
}

async function overWindow(windowMs: number, readers: Record<string, () => number>): Promise<Record<string, number>> {
  const cpu = watchCpu(readers);
  await pause(windowMs);
  return cpu();
}

function scattered(routers: readonly ClaimedRouter[]): string[] {
  return Array.from({ length: COMMANDS }, (_, index) => routers[(index * 7919) % routers.length]!.id);
}
