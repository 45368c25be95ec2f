import { groups as contract } from '@highline/contract';
import { startHighline, type Cluster } from './cluster.ts';
import { compare, draws, type Pair } from './compare.ts';
import { GROUPS, LARGEST, seedGroups } from './groups.seed.ts';
import { openRawGroups, type RawGroups } from './groups.sql.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { cpuOf, cpuOfFamily, watchCpu } from './measure.ts';
import { percent, printTable, type Figure } from './table.ts';

const ROUNDS = 105;

/** Group list and move dialog of an organization of 2,000 groups over real HTTP, alternating with raw SQL (issue 3). */
export async function benchGroups(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_groups');
  const { bearer, organizationId, largest } = await seedGroups(database);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, bearer);
  const raw = await openRawGroups(database.serveUrl, organizationId);
  const cpu = watchCpu({
    generator: () => cpuOf(process.pid),
    server: () => cpuOf(server.pid),
    database: () => cpuOfFamily(cluster.pid()),
  });
  const figures: Figure[] = [];
  for (const pair of [...listPairs(client, raw), ...memberPairs(client, raw, largest)]) figures.push(await compare(pair));
  const used = cpu();
  printTable(`Group lists, ${GROUPS.toLocaleString('en')} groups, one of ${LARGEST.toLocaleString('en')} devices`, figures, [
    `p50 / p99 of ${ROUNDS} each, alternating, one at a time; ratios of both. Ceiling: handwritten SQL over pg, rows fetched.`,
    `CPU of one core: generator ${percent(used.generator)}, server ${percent(used.server)}, PostgreSQL ${percent(used.database)}`,
  ]);
  client.close();
  await raw.close();
  await server.stop();
  await database.close();
}

function listPairs(client: HttpClient, raw: RawGroups): Pair[] {
  const ask = (query: Readonly<Record<string, string>>) => client.get(contract.listGroups.path, { limit: '10', ...query });
  const offset = draws((round) => 10 + ((round * 7919) % (GROUPS / 10 - 1)) * 10);
  const text = draws((round) => `Garage ${String((round * 7919) % 200).padStart(3, '0')}`);
  return [
    {
      name: 'first page of 10, with the group of 50,000',
      rounds: ROUNDS,
      ours: () => ask({}),
      raw: () => raw.page('default', 0),
    },
    {
      name: 'any other page of 10',
      rounds: ROUNDS,
      ours: () => ask({ offset: String(offset.ours()) }),
      raw: () => raw.page('default', offset.raw()),
    },
    {
      name: 'first page of 10, by firmware',
      rounds: ROUNDS,
      ours: () => ask({ sort: 'firmware' }),
      raw: () => raw.page('firmware', 0),
    },
    {
      name: 'first page of 10, by number of devices',
      rounds: ROUNDS,
      ours: () => ask({ sort: '-devices' }),
      raw: () => raw.page('devices', 0),
    },
    { name: 'search by name', rounds: ROUNDS, ours: () => ask({ search: text.ours() }), raw: () => raw.search(text.raw()) },
  ];
}

function memberPairs(client: HttpClient, raw: RawGroups, group: string): Pair[] {
  const path = contract.listMembers.path.replace('{group}', group);
  const ask = (query: Readonly<Record<string, string>>) => client.get(path, { limit: '50', ...query });
  const offset = draws((round) => ((round * 7919) % (LARGEST / 50)) * 50);
  const text = draws((round) => String((round * 7919) % 1000).padStart(3, '0'));
  return [
    { name: 'move dialog: first 50 of 50,000', rounds: ROUNDS, ours: () => ask({}), raw: () => raw.members(group, 0) },
    {
      name: 'move dialog: any page of 50',
      rounds: ROUNDS,
      ours: () => ask({ offset: String(offset.ours()) }),
      raw: () => raw.members(group, offset.raw()),
    },
    {
      name: 'move dialog: search by vehicle number',
      rounds: ROUNDS,
      ours: () => ask({ field: 'vehicle', search: text.ours() }),
      raw: () => raw.findMembers(group, text.raw()),
    },
  ];
}
