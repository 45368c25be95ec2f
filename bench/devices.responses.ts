import { isDeepStrictEqual } from 'node:util';
import { devices, groups, inventory, organizations, search } from '@highline/contract';
import { startHighline } from './cluster.ts';
import { heldRouters, TABLES, type DeviceBench } from './devices.seed.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

const byText = (one: readonly unknown[], other: readonly unknown[]) => String(one).localeCompare(String(other));

/** A response of the server, and what SQL says it has to be. */
interface Check {
  readonly name: string;
  ours(): Promise<unknown>;
  sql(): Promise<unknown>;
}

type Row = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string>>;
/** Run one statement; $1 is the organization. */
type Read = (statement: string) => Promise<Row[]>;

interface Caller {
  readonly client: HttpClient;
  readonly read: Read;
  readonly count: number;
}

const LIMIT = 50;
const mine = 'd.organization_id = $1 and d.archived_at is null';

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
    ...counts(admin),
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

interface Page {
  readonly result: readonly { readonly serial_number: string }[];
  readonly total?: number;
  readonly online?: number;
  readonly next?: string | null;
}

const serials = ({ result }: Page) => result.map((row) => row.serial_number);

/** Each column in its order: names in natural order; what is unset comes last in both directions, and equal values by serial number. */
const orders: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['serial', 'vehicle_number', 'model', 'firmware', 'config', 'expires_on', 'health', 'presence'].map((column) => [
      { vehicle_number: 'vehicle', expires_on: 'expires' }[column] ?? column,
      `d.${column}${column === 'vehicle_number' ? ' collate natural_order' : ''} nulls last, d.serial, d.id`,
    ]),
  ),
  carrier: 'd.carrier nulls last, d.presence, d.serial, d.id',
  uptime: 'd.up_since desc nulls last, d.id desc',
  group: 'g.name collate natural_order, d.serial, d.id',
  organization: 'd.serial, d.id',
  service: `case when d.expires_on < current_date then 3 when d.started_on > current_date then 2 when d.expires_on < current_date + 30 then 1 else 0 end,
    d.expires_on desc, d.serial desc, d.id desc`,
  '-serial': 'd.serial desc, d.id desc',
  '-vehicle': 'd.vehicle_number collate natural_order desc, d.serial desc, d.id desc',
  '-config': 'd.config desc nulls last, d.serial desc, d.id desc',
  '-group': 'g.name collate natural_order desc, d.serial desc, d.id desc',
};

/** The first page, the next one by its cursor, and jumps to the middle and the end. */
function sortedLists({ client, read, count }: Caller): Check[] {
  const middle = Math.floor(count / 2 / LIMIT) * LIMIT;
  const offsets = [0, LIMIT, middle, count - LIMIT];
  const page = (sort: string, query: Query) =>
    client.get<Page>(devices.listDevices.path, { sort, limit: String(LIMIT), ...query });
  return Object.entries(orders).map(([sort, order]) => ({
    name: `list sorted by ${sort}: first page, next page, middle, end`,
    async ours() {
      const first = await page(sort, {});
      const pages = [first, await page(sort, { cursor: first.next ?? '' })];
      for (const offset of offsets.slice(2)) pages.push(await page(sort, { offset: String(offset) }));
      return pages.map(serials);
    },
    async sql() {
      const rows = await read(`select serial, place from (
          select d.serial, row_number() over (order by ${order}) - 1 as place from devices d
          join groups g on g.organization_id = d.organization_id and g.key = d.group_key where ${mine}) placed
        where ${offsets.map((offset) => `place between ${offset} and ${offset + LIMIT - 1}`).join(' or ')} order by place`);
      return offsets.map((offset) =>
        rows.filter(({ place }) => Number(place) >= offset && Number(place) < offset + LIMIT).map(({ serial }) => serial),
      );
    },
  }));
}

const filters: readonly (readonly [query: Query, condition: string])[] = [
  [{}, 'true'],
  [{ presence: 'online' }, "d.presence = 'online'"],
  [{ presence: 'offline' }, "d.presence = 'offline'"],
  [{ carrier: 'Verizon' }, "d.carrier = 'Verizon'"],
  [{ presence: 'online', carrier: 'AT&T' }, "d.presence = 'online' and d.carrier = 'AT&T'"],
  [{ service: 'subscribed' }, 'd.started_on <= current_date and d.expires_on >= current_date + 30'],
  [{ service: 'expiring' }, 'd.started_on <= current_date and d.expires_on between current_date and current_date + 29'],
  [{ service: 'not-subscribed' }, '(d.expires_on is null or d.expires_on < current_date or d.started_on > current_date)'],
  [{ expiration: 'month', zone: 'UTC' }, "date_trunc('month', d.expires_on) = date_trunc('month', current_date)"],
  [{ offline: '7d' }, "d.presence = 'offline' and d.presence_since < date_trunc('minute', now()) - interval '7 days'"],
  [
    { signal: 'weak' },
    "d.presence = 'online' and exists (select from router_contacts c where c.router_id = d.router_id and c.is_weak)",
  ],
  [{ sim: 'failed' }, "exists (select from esim_profiles p where p.device_id = d.id and p.status like 'Fail%')"],
  [{ position: 'never' }, 'not exists (select from router_positions p where p.router_id = d.router_id)'],
  [{ tag: 'night' }, "'night' = any (d.tags)"],
  [{ field: 'serial', search: '7' }, "d.serial like '%7%'"],
  [{ field: 'serial', search: '42' }, "d.serial like '%42%'"],
  [{ field: 'serial', search: '713' }, "d.serial like '%713%'"],
  [{ field: 'serial', search: '90210' }, "d.serial like '%90210%'"],
  [{ field: 'vehicle', search: 'Medic 77' }, "d.vehicle_number like '%Medic 77%'"],
  [{ field: 'config', search: 'night' }, "d.config like '%night%'"],
  [{ field: 'group', search: 'Depot 7' }, "d.group_key in (select key from groups where name like '%Depot 7%')"],
  [
    { presence: 'online', carrier: 'Bell', field: 'serial', search: '55' },
    "d.presence = 'online' and d.carrier = 'Bell' and d.serial like '%55%'",
  ],
];

/** First page, total and number of those online, of each filter and search. */
function filteredLists({ client, read }: Caller, whose: string): Check[] {
  return filters.map(([query, condition]) => ({
    name: `list ${whose}, ${JSON.stringify(query)}: first page, total, online`,
    async ours() {
      const page = await client.get<Page>(devices.listDevices.path, { sort: 'serial', limit: String(LIMIT), ...query });
      return [serials(page), page.total, page.online];
    },
    async sql() {
      const where = `from devices d where ${mine} and ${condition}`;
      const rows = await read(`select d.serial ${where} order by d.serial, d.id limit ${LIMIT}`);
      const [counted] = await read(
        `select count(*)::int as total, count(*) filter (where d.presence = 'online')::int as online ${where}`,
      );
      return [rows.map(({ serial }) => serial), counted!['total'], counted!['online']];
    },
  }));
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

/** The overview, what needs attention, and the devices of each group. */
function counts({ client, read, count }: Caller): Check[] {
  return [
    {
      name: 'overview: online, offline, unknown, expiring, all, groups, each carrier',
      async ours() {
        const { result } = await client.get<{ result: Record<string, unknown> }>(devices.statistics.path, {});
        const carriers = result['carriers'] as readonly { carrier: string; total: number; online: number; offline: number }[];
        return [
          ['online', 'offline', 'unknown', 'expired', 'devices', 'group'].map((name) => result[name]),
          carriers.map((each) => [each.carrier, each.total, each.online, each.offline]).toSorted(byText),
        ];
      },
      async sql() {
        const is = (presence: string) => `count(*) filter (where d.presence = '${presence}')::int`;
        const [all] = await read(`select ${is('online')} as online, ${is('offline')} as offline, ${is('unknown')} as unknown,
            count(*) filter (where ${filters[6]![1]})::int as expiring, count(*)::int as total,
            (select count(*)::int from groups where organization_id = $1) as groups from devices d where ${mine}`);
        const carriers =
          await read(`select d.carrier, count(*)::int as total, ${is('online')} as online, ${is('offline')} as offline
            from devices d where ${mine} and d.carrier is not null group by 1 order by 1`);
        return [Object.values(all!), carriers.map((row) => Object.values(row)).toSorted(byText)];
      },
    },
    {
      name: 'what needs attention: offline for a day, weak, expiring, not subscribed',
      async ours() {
        const { result } = await client.get<{ result: Record<string, unknown> }>(devices.attention.path, { offline: '1d' });
        return [(result['offline'] as { total: number }).total, result['weak'], result['expiring'], result['unsubscribed']];
      },
      async sql() {
        const since = "d.presence = 'offline' and d.presence_since < date_trunc('minute', now()) - interval '1 day'";
        const sums = [since, filters[10]![1], filters[6]![1], filters[7]![1]].map(
          (condition, index) => `count(*) filter (where ${condition})::int as n${index}`,
        );
        return Object.values((await read(`select ${sums.join(', ')} from devices d where ${mine}`))[0]!);
      },
    },
    {
      name: 'groups with the number of their devices, and one group’s devices',
      async ours() {
        const list = await client.get<{ result: readonly Record<string, unknown>[] }>(groups.listGroups.path, { limit: '100' });
        const of = Object.fromEntries(list.result.map((row) => [row['group_name'] ?? row['name'], row]));
        const group = of['Depot 7'] as { group: string };
        const members = await client.get<Page>(groups.listMembers.path.replace('{group}', group.group), { limit: '20' });
        return [Object.keys(of).length, members.total, serials(members)];
      },
      async sql() {
        const where = `from devices d where ${mine} and d.group_key = (select key from groups where organization_id = $1 and name = 'Depot 7')`;
        const [n] = await read(
          `select (select count(*)::int from groups where organization_id = $1) as groups, count(*)::int as total ${where}`,
        );
        const rows = await read(`select d.serial ${where} order by d.serial, d.id limit 20`);
        return [n!['groups'], n!['total'], rows.map(({ serial }) => serial)];
      },
    },
    {
      name: 'the page around a device in the middle',
      async ours() {
        const [device] = await read(
          `select d.id from devices d where ${mine} order by d.serial, d.id offset ${Math.floor(count / 2) + 7} limit 1`,
        );
        return serials(
          await client.get<Page>(devices.listDevices.path, { sort: 'serial', limit: '10', around: String(device!['id']) }),
        );
      },
      sql: async () =>
        (
          await read(
            `select d.serial from devices d where ${mine} order by d.serial, d.id offset ${Math.floor((Math.floor(count / 2) + 7) / 10) * 10} limit 10`,
          )
        ).map(({ serial }) => serial),
    },
  ];
}

function inventoryLists({ client, read, count }: Caller): Check[] {
  const all = 'from routers r where r.organization_id = $1';
  const kinds: readonly (readonly [query: Query, condition: string, order: string])[] = [
    [{ sort: 'serial' }, 'true', 'r.serial, r.id'],
    [{ sort: '-mac' }, 'true', 'r.mac desc, r.id desc'],
    [{ sort: 'model', offset: String(Math.floor(count / 2)) }, 'true', 'r.model collate "C", r.serial, r.id'],
    [{ sort: 'presence' }, 'true', 'r.presence, r.serial, r.id'],
    [{ sort: 'serial', field: 'serial', search: '8080' }, "r.serial like '%8080%'", 'r.serial, r.id'],
    [{ sort: 'serial', claimed: 'unclaimed' }, 'r.organization_id is null', 'r.serial, r.id'],
  ];
  return kinds.map(([query, condition, order]) => ({
    name: `inventory, ${JSON.stringify(query)}: page and total`,
    async ours() {
      const page = await client.get<Page>(inventory.listRouters.path, { limit: String(LIMIT), ...query });
      return [serials(page), page.total];
    },
    async sql() {
      const where = `${all} and ${condition}`;
      const rows = await read(`select r.serial ${where} order by ${order} offset ${query['offset'] ?? 0} limit ${LIMIT}`);
      const [{ total } = { total: 0 }] = await read(`select count(*)::int as total ${where}`);
      return [rows.map(({ serial }) => serial), total];
    },
  }));
}

/** The figures of a main account, and its list of organizations. */
function wholeAccount({ client, read }: Caller): Check[] {
  const figures = `select count(*)::int as devices, count(*) filter (where d.presence = 'online')::int as online from devices d where ${mine}`;
  return [
    {
      name: 'figures of all organizations',
      async ours() {
        const { result } = await client.get<{ result: Record<string, unknown> }>(organizations.fleet.path, {});
        return [result['devices'], result['online'], result['stock']];
      },
      sql: async () => [...Object.values((await read(figures))[0]!), 0],
    },
    {
      name: 'list of organizations with their devices',
      async ours() {
        const { result } = await client.get<{ result: { list: readonly Record<string, unknown>[] } }>(
          organizations.listOrganizations.path,
          { limit: '10' },
        );
        return result.list.map((row) => [row['devices'], row['online']]);
      },
      sql: async () => [Object.values((await read(figures))[0]!)],
    },
  ];
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
