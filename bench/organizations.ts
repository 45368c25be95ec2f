import { organizations as contract } from '@highline/contract';
import { send } from '@highline/testkit/calls';
import { Client } from 'pg';
import type { Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { watchProcesses, type Pair, type Run } from './compare.ts';
import { timed } from './measure.ts';
import { seedOrganizations, ORGANIZATIONS, DEVICES, MOVED, type ManyOrganizations } from './organizations-seed.ts';
import { printTable, whole } from './table.ts';

/** Each transfers the devices back and forth, so that neither has an advantage. */
const ROUND_TRIPS = 2;

/** The list of 2,000 organizations, and transfers of 20,000 devices, over real HTTP alternating with raw SQL (issue 4). */
export function benchOrganizations(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_organizations',
    seed: seedOrganizations,
    title: `Organization list, ${whole(ORGANIZATIONS)} organizations with ${whole(DEVICES)} devices`,
    rounds: 105,
    pairs,
    after: compareTransfers,
  });
}

const shown = `o.id, o.name, o.tags, o.phone, o.address, o.description, o.created_at, o.updated_at`;
const counts = `(select count(*)::int as devices, count(*) filter (where d.expires_on between current_date and current_date + 30)::int as expiring,
    count(*) filter (where d.expires_on < current_date)::int as ended
  from devices d where d.organization_id = o.id and d.archived_at is null) counts`;
const contacts = `(select json_agg(json_build_object('email', a.email, 'roles', a.roles) order by a.email) as contacts
  from accounts a where a.organization_id = o.id and a.is_contact) contacts`;
const living = 'o.main_account_id = $1 and o.deleted_at is null';

/** Columns of the list, for ten organizations only. */
const tenOf = (where: string, offset: string) => `select * from
  (select ${shown} from organizations o where ${where} order by o.name collate "C", o.id limit 10 offset ${offset}) o
  cross join lateral ${counts} cross join lateral ${contacts} order by o.name collate "C", o.id`;

const pages = {
  name: tenOf(living, '$2'),
  // Sorting by the number of devices requires counting all of them.
  devices: `select * from (select ${shown}, counts.* from organizations o cross join lateral ${counts} where ${living}
      order by devices desc, o.id limit 10 offset $2) o cross join lateral ${contacts} order by o.devices desc, o.id`,
} as const;

const matching = {
  name: `${living} and o.name like '%' || $2 || '%'`,
  email: `${living} and exists (select 1 from accounts a where a.organization_id = o.id and a.is_contact and a.email like '%' || $2 || '%')`,
} as const;

function pairs({ clientOf, raw, seeded: { bearer, mainAccountId } }: Run<ManyOrganizations>): Pair[] {
  const client = clientOf(bearer);
  const ask = (query: Readonly<Record<string, string>>) => client.get(contract.listOrganizations.path, { limit: '10', ...query });
  const page = (order: keyof typeof pages, offset = 0) =>
    raw(
      [pages[order], [mainAccountId, offset], `page by ${order}`],
      [`select count(*)::int as total from organizations o where ${living}`, [mainAccountId], 'total'],
    );
  const search = (field: keyof typeof matching, text: string) =>
    raw(
      [tenOf(matching[field], '0'), [mainAccountId, text], `search ${field}`],
      [`select count(*)::int as total from organizations o where ${matching[field]}`, [mainAccountId, text], `total ${field}`],
    );
  const offsetOf = (round: number) => 10 + ((round * 7919) % (ORGANIZATIONS / 10 - 1)) * 10;
  const textOf = (round: number) => `Transit ${String((round * 7919) % 200).padStart(3, '0')}`;
  const hexOf = (round: number) => ((round * 7919) % 4096).toString(16).padStart(3, '0');
  return [
    { name: 'first page of 10, by name', ours: () => ask({}), raw: () => page('name') },
    {
      name: 'any other page of 10',
      ours: (round) => ask({ offset: String(offsetOf(round)) }),
      raw: (round) => page('name', offsetOf(round)),
    },
    { name: 'first page of 10, by number of devices', ours: () => ask({ sort: '-devices' }), raw: () => page('devices') },
    { name: 'search by name', ours: (round) => ask({ search: textOf(round) }), raw: (round) => search('name', textOf(round)) },
    {
      name: "search by the contact's address",
      ours: (round) => ask({ field: 'email', search: hexOf(round) }),
      raw: (round) => search('email', hexOf(round)),
    },
  ];
}

async function compareTransfers({ cluster, server, database, seeded }: Run<ManyOrganizations>): Promise<void> {
  const { bearer, origin: home, target: away } = seeded;
  const used = watchProcesses(cluster, server);
  const client = new Client(database.serveUrl);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await database.owner.query<{ id: string; router_id: string; serial: string }>(
    'select id, router_id, serial from devices where organization_id = $1',
    [home],
  );
  const serials = rows.map(({ serial }) => serial);
  const [devices, routers] = [rows.map(({ id }) => id), rows.map((row) => row.router_id)];
  const samples = { ours: [] as number[], raw: [] as number[] };
  const ours = async (origin: string, target: string) =>
    samples.ours.push(await timed(() => transfer(server.url, bearer, { origin, target, serials })));
  const byHand = async (origin: string, target: string) =>
    samples.raw.push(await timed(() => transferByHand(client, devices, routers, origin, target)));
  for (let round = 0; round < ROUND_TRIPS; round++) {
    await ours(home, away);
    await byHand(away, home);
    await byHand(home, away);
    await ours(away, home);
  }
  await client.end();
  const shown = (values: readonly number[]) =>
    [values.reduce((sum, value) => sum + value, 0) / values.length, Math.min(...values), Math.max(...values)].map(
      (ms) => ms / 1_000,
    );
  printTable(
    `Transfer, ${whole(MOVED)} of ${whole(DEVICES)} devices`,
    [
      {
        name: `${whole(serials.length)} devices: mean, least, most`,
        unit: 's',
        ours: shown(samples.ours),
        raw: shown(samples.raw),
      },
    ],
    [`${ROUND_TRIPS * 2} each, alternating. Ceiling: the same rows rewritten by handwritten SQL in one transaction.`, used()],
  );
}

/** Rewrite the rows of a transfer in one transaction: no session, no validation, no audit, no events. */
async function transferByHand(
  client: Client,
  devices: readonly string[],
  routers: readonly string[],
  origin: string,
  target: string,
): Promise<void> {
  await client.query('begin');
  for (const [text, values] of [
    [
      `update devices set organization_id = $2, group_key = 'default+group+id', version = version + 1, updated_at = now()
            where organization_id = $3 and id = any ($1::uuid[])`,
      [devices, target, origin],
    ],
    [`update routers set organization_id = $2 where id = any ($1::uuid[])`, [routers, target]],
    [`update router_ownership set owned_until = now() where router_id = any ($1::uuid[]) and owned_until is null`, [routers]],
    [
      `insert into router_ownership (router_id, owned_from, organization_id, device_id)
            select id, now() + interval '1 microsecond', organization_id, device_id from routers where id = any ($1::uuid[])`,
      [routers],
    ],
  ] as const)
    await client.query(text, [...values]);
  await client.query('commit');
}

async function transfer(url: string, bearer: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const { status, text } = await send(`${url}${contract.transferDevices.path}`, { bearer, body });
  if (!text.startsWith(`{"result":{"transferred":${MOVED}}`)) throw new Error(`transfer: ${status} ${text}`);
}
