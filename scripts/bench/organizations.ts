import { organizations as contract } from '@highline/contract';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { compare, draws, type Pair } from './compare.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { cpuOf, cpuOfFamily, timed, watchCpu } from './measure.ts';
import { DEVICES, MOVED, ORGANIZATIONS, seedOrganizations, type ManyOrganizations } from './organizations.seed.ts';
import { openRawOrganizations, type RawOrganizations } from './organizations.sql.ts';
import { percent, printTable, times, type Figure } from './table.ts';

const ROUNDS = 105;
/** Each transfers the devices back and forth, so that neither has an advantage. */
const ROUND_TRIPS = 2;

/** The list of 2,000 organizations, and transfers of 20,000 devices, over real HTTP alternating with raw SQL (issue 4). */
export async function benchOrganizations(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_organizations');
  const seeded = await seedOrganizations(database);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, seeded.bearer);
  const raw = await openRawOrganizations(database.serveUrl, seeded.main.mainAccountId);
  const cpu = () =>
    watchCpu({
      generator: () => cpuOf(process.pid),
      server: () => cpuOf(server.pid),
      database: () => cpuOfFamily(cluster.pid()),
    });
  const listing = cpu();
  const lists: Figure[] = [];
  for (const pair of pairs(client, raw)) lists.push(await compare(pair));
  const listed = listing();
  printTable(`Organization list, ${count(ORGANIZATIONS)} organizations with ${count(DEVICES)} devices`, lists, [
    `p50 / p99 of ${ROUNDS} each, alternating, one at a time; ratios of both. Ceiling: handwritten SQL over pg, prepared, rows fetched.`,
    usedOf(listed),
  ]);
  const moving = cpu();
  const figure = await compareTransfers(server.url, seeded, database, raw);
  const moved = moving();
  printTable(
    `Transfer, ${count(MOVED)} of ${count(DEVICES)} devices`,
    [figure],
    [
      `Mean (least … most) of ${ROUND_TRIPS * 2} each, alternating. Ceiling: the same rows rewritten by handwritten SQL in one transaction.`,
      usedOf(moved),
    ],
  );
  client.close();
  await raw.close();
  await server.stop();
  await database.close();
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const count = (value: number) => value.toLocaleString('en');
const usedOf = (used: Readonly<Record<'generator' | 'server' | 'database', number>>) =>
  `CPU of one core: generator ${percent(used.generator)}, server ${percent(used.server)}, PostgreSQL ${percent(used.database)}`;

function pairs(client: HttpClient, raw: RawOrganizations): Pair[] {
  const ask = (query: Readonly<Record<string, string>>) => client.get(contract.listOrganizations.path, { limit: '10', ...query });
  const offset = draws((round) => 10 + ((round * 7919) % (ORGANIZATIONS / 10 - 1)) * 10);
  const text = draws((round) => `Transit ${String((round * 7919) % 200).padStart(3, '0')}`);
  const hex = draws((round) => ((round * 7919) % 4096).toString(16).padStart(3, '0'));
  return [
    { name: 'first page of 10, by name', rounds: ROUNDS, ours: () => ask({}), raw: () => raw.page('name', 0) },
    {
      name: 'any other page of 10',
      rounds: ROUNDS,
      ours: () => ask({ offset: String(offset.ours()) }),
      raw: () => raw.page('name', offset.raw()),
    },
    {
      name: 'first page of 10, by number of devices',
      rounds: ROUNDS,
      ours: () => ask({ sort: '-devices' }),
      raw: () => raw.page('devices', 0),
    },
    {
      name: 'search by name',
      rounds: ROUNDS,
      ours: () => ask({ search: text.ours() }),
      raw: () => raw.search('name', text.raw()),
    },
    {
      name: "search by the contact's address",
      rounds: ROUNDS,
      ours: () => ask({ field: 'email', search: hex.ours() }),
      raw: () => raw.search('email', hex.raw()),
    },
  ];
}

async function compareTransfers(
  url: string,
  { bearer, origin: home, target: away }: ManyOrganizations,
  { owner }: BenchDatabase,
  raw: RawOrganizations,
): Promise<Figure> {
  const { rows } = await owner.query<{ id: string; router_id: string; serial: string }>(
    'select id, router_id, serial from devices where organization_id = $1',
    [home],
  );
  const serials = rows.map(({ serial }) => serial);
  const [devices, routers] = [rows.map(({ id }) => id), rows.map((row) => row.router_id)];
  const samples = { ours: [] as number[], raw: [] as number[] };
  const ours = async (origin: string, target: string) =>
    samples.ours.push(await timed(() => transfer(url, bearer, { origin, target, serials })));
  const byHand = async (origin: string, target: string) =>
    samples.raw.push(await timed(() => raw.transfer(devices, routers, origin, target)));
  for (let round = 0; round < ROUND_TRIPS; round++) {
    await ours(home, away);
    await byHand(away, home);
    await byHand(home, away);
    await ours(away, home);
  }
  const shown = (values: readonly number[]) =>
    `${(mean(values) / 1000).toFixed(1)} s (${(Math.min(...values) / 1000).toFixed(1)} … ${(Math.max(...values) / 1000).toFixed(1)})`;
  return {
    name: `${count(serials.length)} devices to another organization`,
    ours: shown(samples.ours),
    ceiling: shown(samples.raw),
    ratio: times(mean(samples.ours) / mean(samples.raw)),
    aim: 'recorded',
  };
}

async function transfer(url: string, bearer: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const answer = await fetch(`${url}${contract.transferDevices.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (text !== `{"result":{"transferred":${MOVED}}}`) throw new Error(`transfer: ${answer.status} ${text}`);
}
