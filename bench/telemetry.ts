import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { startChild } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster, type Highline } from './cluster.ts';
import { cpuOf, cpuOfFamily, percentile, timed, watchCpu } from './measure.ts';
import { seedTablesAround, seedReadings } from './tables-around.ts';
import type { PusherResponses } from './pusher.ts';
import { options } from './options.ts';
import { allReconciled } from './routers.ts';
import { seedRouters, type ClaimedRouter } from './routers.seed.ts';
import { amountOf, printTable, whole, type Figure } from './table.ts';

const AGENTS = options.short ? 20 : 500;
const SECONDS = options.short ? 4 : 12;
const VALUES = 8;
/** With a report a minute. */
const VALUES_A_DAY = VALUES * 1_440;
/** Maximum values in flight, well below the limit at which the server defers. */
const UNDER_WAY = 96_000;

interface Load {
  readonly name: string;
  /** Reports in one Push!. */
  readonly reports: number;
}

/** A fleet with live reports, and one that reconnects and sends kept reports. */
const loads: readonly Load[] = [
  { name: 'values durable per second, 1 report each', reports: 1 },
  { name: 'values durable per second, 30 kept reports each', reports: 30 },
];

/** Parameter values from the sockets into the table, counted after their commit, compared with COPY (issue 2, "Telemetry"). */
export async function benchTelemetry(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_telemetry');
  const { routers } = await seedRouters(database, AGENTS);
  const server = await startHighline(cluster, database);
  await seedTablesAround(database);
  await seedReadings(database, options.days);
  const figures: Figure[] = [];
  const notes: string[] = [];
  const costs: string[] = [];
  for (const load of loads) {
    const { figure, note, cost } = await measure(cluster, database, server, routers, load);
    figures.push(figure);
    notes.push(note);
    costs.push(cost);
  }
  notes.push(await heartbeatCost(cluster, server, routers), ...costs.slice(0, 1));
  await server.stop();
  await database.close();
  printTable(`Telemetry, ${AGENTS} routers as fast as they are acknowledged`, figures, [
    'Ceiling: the same rows in one binary COPY into an identical table, already encoded.',
    `Before the first: ${options.days} days with a report a minute of each router, in partitions of their own.`,
    ...notes,
  ]);
}

async function measure(
  cluster: Cluster,
  database: BenchDatabase,
  server: Highline,
  routers: readonly ClaimedRouter[],
  { name, reports }: Load,
): Promise<{ figure: Figure; note: string; cost: string }> {
  await database.owner.query(`truncate ${today()}`);
  const pusher = await startChild<PusherResponses>('pusher.ts');
  await pusher.ask('open', server.url.replace('http', 'ws'), routers, { reports });
  await allReconciled(server, routers.length);
  const cpu = watchCpu({
    server: () => cpuOf(server.pid),
    database: () => cpuOfFamily(cluster.pid()),
    generator: () => cpuOf(pusher.pid),
  });
  const window = Math.max(1, Math.floor(UNDER_WAY / (AGENTS * reports * VALUES)));
  const { responded, seconds, latencies } = await pusher.ask('run', SECONDS, window);
  const used = cpu();
  await pusher.stop();
  const { values, bytes } = await storedValues(database);
  const rate = values / seconds;
  const raw = await copyRate(cluster, database, values, reports);
  const lost = responded * reports * VALUES - values;
  return {
    figure: { name, unit: '/s', ours: [rate], raw: [raw], aim: '200,000/s' },
    note:
      `${reports} × ${VALUES} values: ${whole(values)} values, ${(bytes / values).toFixed(1)} bytes each with their indexes, ${lost > 0 ? `${lost} ACKNOWLEDGED BUT MISSING` : 'every acknowledged value is stored'}; ` +
      `answer after ${amountOf([percentile(latencies, 0.5), percentile(latencies, 0.99)], 'ms')}; ` +
      `${whole(rate / used.server)}/s if the server had a whole core; ` +
      `CPU server ${percent(used.server)}, PostgreSQL ${percent(used.database)}, generator ${percent(used.generator)}`,
    cost:
      `a value costs ${micros(used.server / rate)} of a core of the server, ${micros(used.database / rate)} of PostgreSQL and ${(bytes / values).toFixed(1)} bytes; ` +
      `a stored day of a router, ${whole(VALUES_A_DAY)} values: ${((VALUES_A_DAY * bytes) / values / 1024).toFixed(0)} KB`,
  };
}

/** What the server does for a heartbeat: it is decoded, noted in memory and answered. */
async function heartbeatCost(cluster: Cluster, server: Highline, routers: readonly ClaimedRouter[]): Promise<string> {
  const pusher = await startChild<PusherResponses>('pusher.ts');
  await pusher.ask('open', server.url.replace('http', 'ws'), routers, {});
  await allReconciled(server, routers.length);
  const cpu = watchCpu({ server: () => cpuOf(server.pid), database: () => cpuOfFamily(cluster.pid()) });
  const { responded, seconds } = await pusher.ask('run', SECONDS, 4);
  const used = cpu();
  await pusher.stop();
  const rate = responded / seconds;
  return `a heartbeat costs ${micros(used.server / rate)} of a core of the server and ${micros(used.database / rate)} of PostgreSQL; ${whole(rate)}/s were answered`;
}

const micros = (seconds: number) => `${(seconds * 1e6).toFixed(1)} µs`;
const percent = (share: number) => amountOf([share * 100], '%');

/** The partition of this day: all that is measured is written to it. */
function today(): string {
  return `telemetry_reports_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** How many values are stored, and what they take on disk. */
async function storedValues({ owner }: BenchDatabase): Promise<{ values: number; bytes: number }> {
  const { rows } = await owner.query<{ values: number; bytes: number }>(`
    select (select count(rssi) + count(rsrp) + count(rsrq) + count(temperature) + count(voltage) + count(bytes_sent)
        + count(bytes_received) + count(battery) from ${today()})::int as values,
      pg_total_relation_size('${today()}')::float8 as bytes`);
  return rows[0]!;
}

/** Values per second of a bare COPY of the current contents of `database` into an empty identical table. */
async function copyRate(cluster: Cluster, database: BenchDatabase, values: number, mark: number): Promise<number> {
  const bytes = await buffer(database.owner.query(copyTo(`copy (select * from ${today()}) to stdout (format binary)`)));
  const other = await cluster.open(`bench_copy_${mark}`);
  await other.owner.query("select ensure_partitions(date 'yesterday', date 'tomorrow')");
  const client = new Client(other.serveUrl);
  await client.connect();
  const elapsed = await timed(() =>
    pipeline(Readable.from(slices(bytes)), client.query(copyFrom('copy telemetry_reports from stdin (format binary)'))),
  );
  await client.end();
  await other.close();
  return values / (elapsed / 1000);
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
