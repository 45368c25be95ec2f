import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { BareResponses } from './bare.ts';
import { startChild } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import type { FleetResponses } from './fleet.ts';
import type { HighlineResponses } from './highline.ts';
import type { Memory } from './memory.ts';
import { cpuOf, cpuOfFamily, watchCpu } from './measure.ts';
import { seedTablesAround } from './tables-around.ts';
import { options } from './options.ts';
import { countOffline } from './kill.reports.ts';
import { allReconciled, withinFileLimit } from './routers.ts';
import { watchSizes } from './pace.sizes.ts';
import { countPositions } from './positions.sockets.ts';
import { description, seedRouters } from './routers.seed.ts';
import type { SocketsResponses } from './sockets.ts';
import { watchStatements } from './statements.ts';
import { amountOf, assessed, printTable, whole, type Figure } from './table.ts';

const ROUTERS = withinFileLimit(options.routers ?? (options.short ? 50 : 5_000));
const RAMP_MS = options.short ? 1_000 : 10_000;
const MINUTE_MS = options.short ? 4_000 : 60_000;
/** Until the first report of each was stored. */
const WARM_UP_MS = MINUTE_MS + (options.short ? 0 : 30_000);
const MINUTES = options.minutes ?? (options.short ? 1 : 3);
const MOST_SERVER = 0.06;
const MOST_DATABASE = 0.03;

/** What the fleet has sent, and what the server has stored and done for it, since the start. */
interface Traffic {
  readonly notifications: number;
  readonly responded: number;
  /** Written by the routers to their sockets. */
  readonly frames: number;
  readonly bytes: number;
  readonly reports: number;
  readonly values: number;
  readonly positions: number;
  readonly counters: number;
  readonly transactions: number;
}

/** Routers as they ship, at their own pace: what a minute of them carries, and what it costs the processors next to bare sockets. */
export async function benchPace(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_pace');
  const { routers } = await seedRouters(database, ROUTERS);
  await seedTablesAround(database);
  const server = await startHighline(cluster, database);
  const fleet = await startChild<FleetResponses>('fleet.ts');
  const idle = await server.ask('memory', true);
  // What was measured until now collected garbage on purpose.
  await server.ask('longestStop');
  await fleet.ask('start', server.url.replace('http', 'ws'), routers.map(description), RAMP_MS);
  await allReconciled(server, ROUTERS);
  const longestStop = await server.ask('longestStop');
  const atOnce = await server.ask('memory');
  await pause(WARM_UP_MS);
  const before = await trafficOf(database, server, fleet.pid);
  const readGrowth = await watchSizes(database, ROUTERS);
  const readStatements = await watchStatements(cluster);
  const readCpu = watchCpu({
    server: () => cpuOf(server.pid),
    database: () => cpuOfFamily(cluster.pid()),
    generator: () => cpuOf(fleet.pid),
  });
  await server.ask('longestStop');
  await pause(MINUTES * MINUTE_MS);
  const cpu = readCpu();
  const [statements, growth] = [await readStatements(), await readGrowth()];
  const laterStop = await server.ask('longestStop');
  const traffic = difference(await trafficOf(database, server, fleet.pid), before);
  const later = await server.ask('memory');
  const offline = await countOffline(database);
  const shares = await server.ask('profile', MINUTE_MS, options.profile);
  await fleet.stop();
  await server.stop();
  await database.close();
  const bare = await measureBare(traffic);
  const figure = (name: string, ours: number, ceiling: number | undefined, aim: string): Figure => ({
    name,
    unit: '%',
    ours: [100 * ours],
    ...(ceiling !== undefined && { raw: [100 * ceiling] }),
    aim,
  });
  const perMinute = (count: number) => (count / ROUTERS / MINUTES).toFixed(1);
  printTable(
    `${whole(ROUTERS)} routers at their own pace, ${MINUTES} minutes`,
    [
      figure('processor of the server', cpu.server, bare, assessed('≤ 6 %', cpu.server <= (MOST_SERVER * ROUTERS) / 5_000)),
      figure(
        'processor of PostgreSQL',
        cpu.database,
        undefined,
        assessed('≤ 3 %', cpu.database <= (MOST_DATABASE * ROUTERS) / 5_000),
      ),
    ],
    [
      'Of one core. Ceiling: as many sockets of ws that receive as many frames of the same size and echo as many as the server responds to.',
      `A minute of a router: ${perMinute(traffic.notifications)} notifications, ${perMinute(traffic.frames)} frames of ${whole(traffic.bytes / traffic.frames)} bytes with its pongs; ` +
        `stored: ${perMinute(traffic.reports)} reports with ${perMinute(traffic.values)} values, ${perMinute(traffic.positions)} positions, ${perMinute(traffic.counters)} counters of data used.`,
      `It costs ${milliseconds(cpu.server)} of the server and ${milliseconds(cpu.database)} of PostgreSQL; ${(traffic.transactions / MINUTES / 60).toFixed(1)} transactions a second.`,
      `Processor of the server by what it did: ${Object.entries(shares)
        .map(([kind, share]) => `${kind} ${amountOf([share * 100], '%')}`)
        .join(', ')}.`,
      `Longest stop of the event loop: ${describeStop(longestStop)} while all connected, ${describeStop(laterStop)} later. Generator ${amountOf([cpu.generator * 100], '%')} of a core.`,
      `Memory of the server: ${amountOf([idle.rss / 1024 ** 2], 'MB')} without routers; a router takes ${describeMemory(atOnce, idle)} right after all had connected, ${describeMemory(later, idle)} at the end.`,
      `A router was said to be offline ${whole(offline)} times; none was.`,
      growth,
      ...statements,
    ],
  );
}

type Stop = Awaited<ReturnType<HighlineResponses['longestStop']>>;

function describeStop({ stop, processor, collections }: Stop): string {
  const longest = Object.entries(collections).map(([kind, duration]) => `${kind} ${amountOf([duration], 'ms')}`);
  return `${amountOf([stop], 'ms')} (at most ${amountOf([processor], 'ms')} of processor at once; collections of garbage: ${longest.join(', ')})`;
}

function describeMemory(memory: Memory, idle: Memory): string {
  const of = (key: keyof Memory) => kilobytes(memory[key] - idle[key]);
  return `${of('rss')} (objects ${of('heap')} in a heap of ${of('heapTotal')}, buffers ${of('external')})`;
}

const kilobytes = (bytes: number) => amountOf([bytes / ROUTERS / 1024], 'KB');
const milliseconds = (share: number) => amountOf([(share * 60_000) / ROUTERS], 'ms');

async function trafficOf({ owner, name }: BenchDatabase, server: Highline, fleet: number): Promise<Traffic> {
  const { rows } = await owner.query<Pick<Traffic, 'reports' | 'values' | 'counters' | 'transactions'>>(
    `select (select count(*) from telemetry_reports)::int as reports,
       (select count(rssi) + count(rsrp) + count(rsrq) + count(sinr) + count(temperature) + count(voltage) + count(bytes_sent)
         + count(bytes_received) + count(battery) from telemetry_reports)::int as values,
       (select sum(cardinality(milliseconds)) from all_usage_segments)::int as counters,
       (select xact_commit from pg_stat_database where datname = $1)::int as transactions`,
    [name],
  );
  const { notifications } = await server.ask('stats');
  const io = readFileSync(`/proc/${fleet}/io`, 'utf8');
  const [bytes, frames] = ['wchar', 'syscw'].map((key) => Number(new RegExp(`${key}: (\\d+)`, 'u').exec(io)?.[1]));
  return {
    ...rows[0]!,
    positions: await countPositions({ owner }),
    notifications: notifications.received,
    responded: notifications.responded,
    frames: frames!,
    bytes: bytes!,
  };
}

function difference(after: Traffic, before: Traffic): Traffic {
  const names = Object.keys(after) as (keyof Traffic)[];
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Traffic;
}

/** Share of a core that bare sockets take for the same frames. */
async function measureBare({ notifications, responded, bytes, frames }: Traffic): Promise<number> {
  const echo = await startChild<BareResponses>('bare.ts');
  const sockets = await startChild<SocketsResponses>('sockets.ts');
  await sockets.ask('open', `ws://127.0.0.1:${await echo.ask('port')}`, ROUTERS);
  await sockets.ask(
    'speak',
    (ROUTERS * MINUTES * MINUTE_MS) / notifications,
    Math.round(bytes / frames),
    responded / notifications,
  );
  await pause(MINUTE_MS / 4);
  const readCpu = watchCpu({ server: () => cpuOf(echo.pid) });
  await pause(MINUTE_MS);
  const cpu = readCpu();
  await sockets.stop();
  await echo.stop();
  return cpu.server;
}
