import { analysis, reports } from '@highline/contract';
import { Pool } from 'pg';
import { startHighline, type Cluster } from './cluster.ts';
import { comparePairs, draws, printLists, type Pair } from './compare.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { DAYS, GROUP_DEVICES, ROUTERS, seedRecords, VALUES, type SeededRecords } from './reports.seed.ts';

const ROUNDS = 60;
/** A total of a hundred thousand is counted row by row. */
const TOTAL_MS = 300;
/** Limit of queries over hundreds of thousands of values. */
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Pages of records and statistics over thirty days, alternating with handwritten SQL. */
export async function benchReports(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_reports');
  const pool = new Pool({ connectionString: database.serveUrl, max: 2 });
  const seeded = await seedRecords(database, pool);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, seeded.bearer);
  const { figures, used } = await comparePairs(pairs(client, pool, seeded), ROUNDS, cluster, server);
  const title = `Records, ${VALUES.toLocaleString('en')} values of ${2 * ROUTERS} routers in ${DAYS} days, half of them ours`;
  const note = 'A page comes with its total up to 100,000, on both sides; no query is repeated.';
  printLists(title, `${ROUNDS / 6} to ${ROUNDS}`, figures, note, used);
  client.close();
  await server.stop();
  await pool.end();
  await database.close();
}

function pairs(client: HttpClient, pool: Pool, { organizationId, group, devices }: SeededRecords): Pair[] {
  // Each starts a little later than the previous one, so that nothing is cached.
  const begins = () => draws((round) => new Date(Date.now() - (DAYS - 1) * DAY_MS + round * 1_000));
  const to = new Date(Date.now() + 60_000);
  const range = (from: Date) => ({ on: from.toISOString(), to: to.toISOString() });
  const records = (query: Record<string, string>) => client.get(reports.listRecords.path, { limit: '10', ...query });
  const raw = async (where: string, values: unknown[], offset = 0) => {
    await Promise.all([
      pool.query(`${selected(where)} order by t.at desc, t.router_id desc, v.parameter desc limit 11 offset ${offset}`, values),
      pool.query(`select count(*) from (select 1 ${from(where)} limit 100001) c`, values),
    ]);
  };
  const [all, far, one, rare, day] = [begins(), begins(), begins(), begins(), begins()];
  const device = draws((round) => devices[(round * 7919) % devices.length]!);
  const value = draws((round) => -60 - round / 3);
  const average = `/data_manager/api/v1/statistics/average` satisfies string;
  if (analysis.listStatistics.path.replace('{category}', 'average') !== average) throw new Error('The call has moved.');
  return [
    {
      name: 'first page of 10 of all devices',
      mostMs: TOTAL_MS,
      ours: () => records(range(all.ours())),
      raw: () => raw('t.at >= $2 and t.at < $3', [organizationId, all.raw(), to]),
    },
    {
      name: 'page 5,000 of all devices',
      rounds: ROUNDS / 2,
      mostMs: SECOND_MS,
      ours: () => records({ ...range(far.ours()), offset: '50000' }),
      raw: () => raw('t.at >= $2 and t.at < $3', [organizationId, far.raw(), to], 50_000),
    },
    {
      name: 'first page of 10 of one device',
      ours: () => records({ ...range(one.ours()), device: device.ours() }),
      raw: () => raw('t.at >= $2 and t.at < $3 and d.id = $4', [organizationId, one.raw(), to, device.raw()]),
    },
    {
      name: 'a value that no router reported',
      rounds: ROUNDS / 6,
      ours: () => records({ ...range(rare.ours()), property: 'rssi', value: String(value.ours()), group }),
      raw: () =>
        raw('t.at >= $2 and t.at < $3 and v.parameter = 1 and t.rssi = $4 and d.group_key = $5', [
          organizationId,
          rare.raw(),
          to,
          value.raw(),
          group,
        ]),
    },
    {
      name: `average of each day, ${GROUP_DEVICES} devices`,
      mostMs: SECOND_MS,
      ours: () => client.get(average, { ...range(day.ours()), group, property: 'temperature', window: '1d' }),
      raw: () =>
        pool.query(
          `select date_trunc('day', t.at) as day, avg(t.temperature) ${from('t.at >= $2 and t.at < $3 and v.parameter = 4 and d.group_key = $4')} group by 1`,
          [organizationId, day.raw(), to, group],
        ),
    },
  ];
}

function from(where: string): string {
  return `from telemetry_reports t cross join lateral (values (1, t.rssi), (4, t.temperature)) v (parameter, value) join router_ownership o on o.router_id = t.router_id and o.owned_from <= t.at
      and coalesce(o.owned_until, 'infinity') > t.at
    join devices d on d.id = o.device_id where d.organization_id = $1 and v.value is not null and ${where}`;
}

function selected(where: string): string {
  return `select t.at, t.router_id, v.parameter, v.value, d.id, d.serial ${from(where)}`;
}
