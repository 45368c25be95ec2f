import { isDeepStrictEqual } from 'node:util';
import { devices, inventory, search } from '@highline/contract';
import { startHighline } from './cluster.ts';
import { checkedCounts, inventoryLists, wholeAccount } from './devices-responses-counts.ts';
import {
  sortedLists,
  filteredLists,
  type Check,
  type Query,
  type Caller,
  mine,
  type Read,
  type Row,
} from './devices-responses-lists.ts';
import { heldRouters, TABLES, type DeviceBench } from './devices.seed.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

/** What some devices have, for the filters that concern few: tags, a weak signal, an eSIM that failed, a position. */
const rare = [
  `update devices d set tags = '{night}' where ${mine} and serial like '%37'`,
  `insert into router_contacts (router_id, last_contact_at, rssi, is_weak)
   select d.router_id, now(), -104, true from devices d join routers r on r.id = d.router_id join nodes n on n.id = r.held_by
   where ${mine} and n.name = 'elsewhere' and d.serial like '%41' on conflict (router_id) do update set is_weak = true`,
  `insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, status, priority, created_at, updated_at)
   select organization_id, gen_random_uuid(), main_account_id, id, router_id, serial, 'Fail to download', 1, now(), now()
   from devices d where ${mine} and serial like '%73'
     and not exists (select from esim_profiles p where p.device_id = d.id)`,
  `insert into router_ownership (router_id, owned_from, organization_id, device_id)
   select router_id, now() - interval '1 day', organization_id, id from devices d where ${mine} and serial like '%5' on conflict do nothing`,
  `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
   select router_id, now(), 41.9, -87.6, false, now() from devices d where ${mine} and serial like '%5' on conflict do nothing`,
] as const;

/**
 * Every list, search, count, overview and export of so many devices, compared with SQL (NOD-05). The exit code is 1 when one
 * differs.
 */
export async function benchResponses({ cluster, database, organization, bearer, count, title }: DeviceBench): Promise<void> {
  const { owner, seeding } = database;
  await owner.query("set timezone = 'UTC'");
  const main = await seeding.account(
    { kind: 'main', mainAccountId: organization.mainAccountId },
    `main-${Date.now()}@bench.example`,
    'main',
  );
  // Before the server starts: its jobs write devices in another order.
  for (const statement of rare) await owner.query(statement, [organization.organizationId]);
  const server = await startHighline(cluster, database);
  await server.ask('heartbeats', await heldRouters(database, organization));
  for (const table of [...TABLES, 'router_contacts', 'router_ownership', 'router_positions', 'esim_profiles'])
    await owner.query(`vacuum analyze ${table}`);
  const read: Read = async (statement) => (await owner.query<Row>(statement, [organization.organizationId])).rows;
  const admin = { client: createHttpClient(server.url, bearer), read, count };
  const own = { client: createHttpClient(server.url, await seeding.bearer(main)), read, count };
  const checks = [
    ...sortedLists(admin),
    ...filteredLists(admin, 'of the organization'),
    ...filteredLists(own, 'of the main account'),
    ...searches(admin),
    ...checkedCounts(admin),
    ...inventoryLists(own),
    ...wholeAccount(own),
    ...exports(admin, own),
  ];
  console.log(`\nAnswers, ${title}`);
  let equal = 0;
  for (const check of checks) if (await isEqual(check)) equal += 1;
  console.log(`  ${equal} of ${checks.length} answers equal SQL`);
  if (equal < checks.length) process.exitCode = 1;
  for (const { client } of [admin, own]) client.close();
  await server.stop();
}

async function isEqual({ name, ours, sql }: Check): Promise<boolean> {
  const [response, expected] = [await ours(), await sql()];
  const same = isDeepStrictEqual(response, expected);
  console.log(`  ${same ? 'equal  ' : 'DIFFERS'} ${name}: ${brief(response)}`);
  if (!same) console.log(`  SQL     ${name}: ${brief(expected)}`);
  return same;
}

/** Numbers in full, of lists of rows only how many there are. */
function brief(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    Array.isArray(part) && part.length > 3 && part.every((each) => typeof each === 'string') ? `${part.length} rows` : part,
  );
}

/** The palette, by whole numbers: of what it finds, the devices that have exactly this number. */
function searches({ client, read, count }: Caller): Check[] {
  const place = Math.floor(count / 3);
  const kinds = ['serial', 'mac', 'imei', 'iccid', 'mtn'] as const;
  const requested = (kind: string) =>
    `select d.${kind} from devices d where ${mine} order by d.serial, d.id offset ${place} limit 1`;
  return kinds.map((kind) => ({
    name: `search of everything by ${kind}`,
    async ours() {
      const [row] = await read(requested(kind));
      const text = String(row![kind]);
      const { result } = await client.get<{ result: readonly Found[] }>(search.find.path, { text });
      return result
        .filter((found) => found.field === kind && found.value === text)
        .map(({ id }) => id)
        .toSorted();
    },
    sql: async () =>
      (await read(`select d.id from devices d where ${mine} and d.${kind} = (${requested(kind)}) order by d.id`)).map(
        ({ id }) => id,
      ),
  }));
}

interface Found {
  readonly id: string;
  readonly field: string;
  readonly value: string;
}

/** Files of all rows: how many lines, and the serial numbers of the first and of the last. */
function exports(admin: Caller, own: Caller): Check[] {
  const ends = (count: number, table: string) => async () => {
    const rows = await admin.read(`(select serial from ${table} where organization_id = $1 order by serial, id limit 1) union all
      (select serial from ${table} where organization_id = $1 order by serial desc, id desc limit 1)`);
    return [count + 1, ...rows.map(({ serial }) => serial)];
  };
  const file = (client: HttpClient, path: string, query: Query) => async () => {
    const { lines, first, last } = await client.lines(path, { sort: 'serial', ...query });
    const serial = (line: string) => /HL\d{16}/u.exec(line)?.[0];
    return [lines, serial(first), serial(last)];
  };
  return [
    {
      name: 'file of all devices',
      ours: file(admin.client, devices.exportDevices.path, {}),
      sql: ends(admin.count, 'devices'),
    },
    {
      name: 'file of all devices of the main account',
      ours: file(own.client, devices.exportDevices.path, { layout: 'organizations' }),
      sql: ends(admin.count, 'devices'),
    },
    {
      name: 'file of the inventory',
      ours: file(own.client, inventory.exportRouters.path, {}),
      sql: ends(admin.count, 'routers'),
    },
  ];
}
