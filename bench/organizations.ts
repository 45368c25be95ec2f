import { organizations as contract } from '@highline/contract';
import { send } from '@highline/testkit/calls';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { comparePairs, draws, printLists, watchProcesses, type Pair } from './compare.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { timed } from './measure.ts';
import { DEVICES, MOVED, ORGANIZATIONS, seedOrganizations, type ManyOrganizations } from './organizations.seed.ts';
import { openRawOrganizations, type RawOrganizations } from './organizations.sql.ts';
import { printTable, times, type Figure } from './table.ts';

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
  const { figures, used } = await comparePairs(pairs(client, raw), ROUNDS, cluster, server);
  const title = `Organization list, ${count(ORGANIZATIONS)} organizations with ${count(DEVICES)} devices`;
  printLists(title, `${ROUNDS}`, figures, used);
  const usedMoving = watchProcesses(cluster, server);
  const figure = await compareTransfers(server.url, seeded, database, raw);
  printTable(
    `Transfer, ${count(MOVED)} of ${count(DEVICES)} devices`,
    [figure],
    [
      `Mean (least … most) of ${ROUND_TRIPS * 2} each, alternating. Ceiling: the same rows rewritten by handwritten SQL in one transaction.`,
      usedMoving(),
    ],
  );
  client.close();
  await raw.close();
  await server.stop();
  await database.close();
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const count = (value: number) => value.toLocaleString('en');

function pairs(client: HttpClient, raw: RawOrganizations): Pair[] {
  const ask = (query: Readonly<Record<string, string>>) => client.get(contract.listOrganizations.path, { limit: '10', ...query });
  const offset = draws((round) => 10 + ((round * 7919) % (ORGANIZATIONS / 10 - 1)) * 10);
  const text = draws((round) => `Transit ${String((round * 7919) % 200).padStart(3, '0')}`);
  const hex = draws((round) => ((round * 7919) % 4096).toString(16).padStart(3, '0'));
  return [
    { name: 'first page of 10, by name', ours: () => ask({}), raw: () => raw.page('name', 0) },
    {
      name: 'any other page of 10',
      ours: () => ask({ offset: String(offset.ours()) }),
      raw: () => raw.page('name', offset.raw()),
    },
    { name: 'first page of 10, by number of devices', ours: () => ask({ sort: '-devices' }), raw: () => raw.page('devices', 0) },
    { name: 'search by name', ours: () => ask({ search: text.ours() }), raw: () => raw.search('name', text.raw()) },
    {
      name: "search by the contact's address",
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
  const answer = await send(`${url}${contract.transferDevices.path}`, { bearer, body });
  const { text } = answer;
  if (text !== `{"result":{"transferred":${MOVED}}}`) throw new Error(`transfer: ${answer.status} ${text}`);
}
