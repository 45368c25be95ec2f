import { groups as contract } from '@highline/contract';
import { startHighline, type Cluster } from './cluster.ts';
import { comparePairs, draws, printLists, type Pair } from './compare.ts';
import { GROUPS, LARGEST, seedGroups } from './groups.seed.ts';
import { openRawGroups, type RawGroups } from './groups.sql.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

const ROUNDS = 105;

/** Group list and move dialog of an organization of 2,000 groups over real HTTP, alternating with raw SQL (issue 3). */
export async function benchGroups(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_groups');
  const { bearer, organizationId, largest } = await seedGroups(database);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, bearer);
  const raw = await openRawGroups(database.serveUrl, organizationId);
  const pairs = [...listPairs(client, raw), ...memberPairs(client, raw, largest)];
  const { figures, used } = await comparePairs(pairs, ROUNDS, cluster, server);
  const title = `Group lists, ${GROUPS.toLocaleString('en')} groups, one of ${LARGEST.toLocaleString('en')} devices`;
  printLists(title, `${ROUNDS}`, figures, used);
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
    { name: 'first page of 10, with the group of 50,000', ours: () => ask({}), raw: () => raw.page('default', 0) },
    {
      name: 'any other page of 10',
      ours: () => ask({ offset: String(offset.ours()) }),
      raw: () => raw.page('default', offset.raw()),
    },
    { name: 'first page of 10, by firmware', ours: () => ask({ sort: 'firmware' }), raw: () => raw.page('firmware', 0) },
    { name: 'first page of 10, by number of devices', ours: () => ask({ sort: '-devices' }), raw: () => raw.page('devices', 0) },
    { name: 'search by name', ours: () => ask({ search: text.ours() }), raw: () => raw.search(text.raw()) },
  ];
}

function memberPairs(client: HttpClient, raw: RawGroups, group: string): Pair[] {
  const path = contract.listMembers.path.replace('{group}', group);
  const ask = (query: Readonly<Record<string, string>>) => client.get(path, { limit: '50', ...query });
  const offset = draws((round) => ((round * 7919) % (LARGEST / 50)) * 50);
  const text = draws((round) => String((round * 7919) % 1000).padStart(3, '0'));
  return [
    { name: 'move dialog: first 50 of 50,000', ours: () => ask({}), raw: () => raw.members(group, 0) },
    {
      name: 'move dialog: any page of 50',
      ours: () => ask({ offset: String(offset.ours()) }),
      raw: () => raw.members(group, offset.raw()),
    },
    {
      name: 'move dialog: search by vehicle number',
      ours: () => ask({ field: 'vehicle', search: text.ours() }),
      raw: () => raw.findMembers(group, text.raw()),
    },
  ];
}
