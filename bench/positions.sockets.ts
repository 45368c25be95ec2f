import { startChild } from './child.ts';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { cpuOf, cpuOfFamily, percentile, watchCpu } from './measure.ts';
import { options } from './options.ts';
import type { PusherResponses } from './pusher.ts';
import { allReconciled, withinFileLimit } from './routers.ts';
import { seedRouters } from './routers.seed.ts';
import { watchStatements } from './statements.ts';
import { seedTablesAround } from './tables-around.ts';
import { amountOf, assessed, printTable, whole } from './table.ts';

const ROUTERS = withinFileLimit(options.routers ?? (options.short ? 50 : 2_000));
const POSITIONS = 6;
/** Each position of a router is of a second of its own, and there are so many (`pusher.ts`). */
const SECONDS = options.short ? 4 : 8;
const LEAST_RATE = 80_000;

/** How many positions are stored. */
export async function countPositions({ owner }: Pick<BenchDatabase, 'owner'>): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `select ((select coalesce(sum(cardinality(seconds)), 0) from position_segments)
      + (select coalesce(sum(array_length(fixes, 1)), 0) from open_position_segments))::int as n`,
  );
  return rows[0]!.n;
}

/** Positions from the sockets into the table: reports of six, one in flight for each router. */
export async function benchPositionSockets(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_position_sockets');
  const { routers } = await seedRouters(database, ROUTERS);
  await seedTablesAround(database);
  const before = await countPositions(database);
  const server = await startHighline(cluster, database);
  const pusher = await startChild<PusherResponses>('pusher.ts');
  await pusher.ask('open', server.url.replace('http', 'ws'), routers, { positions: POSITIONS });
  await allReconciled(server, ROUTERS);
  const readStatements = await watchStatements(cluster);
  const readCpu = watchCpu({
    server: () => cpuOf(server.pid),
    database: () => cpuOfFamily(cluster.pid()),
    generator: () => cpuOf(pusher.pid),
  });
  const { responded, seconds, latencies } = await pusher.ask('run', SECONDS, 1);
  const cpu = readCpu();
  const statements = await readStatements();
  const stored = (await countPositions(database)) - before;
  await pusher.stop();
  await server.stop();
  await database.close();
  const rate = stored / seconds;
  const missing = responded * POSITIONS - stored;
  const micros = (share: number) => amountOf([(share / rate) * 1e6], 'µs');
  printTable(
    `Positions from ${whole(ROUTERS)} sockets, ${POSITIONS} a report, one in flight`,
    [{ name: 'durable', unit: '/s', ours: [rate], aim: assessed(`≥ ${whole(LEAST_RATE)}/s`, rate >= LEAST_RATE) }],
    [
      `${whole(stored)} positions, ${missing > 0 ? `${whole(missing)} ACKNOWLEDGED BUT MISSING` : 'every acknowledged one is stored'}; answer after ${amountOf([percentile(latencies, 0.5), percentile(latencies, 0.99)], 'ms')}.`,
      `One costs ${micros(cpu.server)} of the server and ${micros(cpu.database)} of PostgreSQL; server ${amountOf([cpu.server * 100], '%')}, PostgreSQL ${amountOf([cpu.database * 100], '%')}, generator ${amountOf([cpu.generator * 100], '%')} of a core.`,
      ...statements,
    ],
  );
}
