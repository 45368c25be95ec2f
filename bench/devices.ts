import { devices as contract } from '@highline/contract';
import type { BenchDatabase, Cluster } from './cluster.ts';
import { atMost, compareLists, near, type Pair, type Run } from './compare.ts';
import { benchResponses } from './devices.responses.ts';
import { DEVICES, heldRouters, seedDevices, type BigOrganization, type DeviceBench } from './devices.seed.ts';
import { benchCsv, benchJobs, benchWhole } from './devices.whole.ts';
import { options } from './options.ts';
import { whole } from './table.ts';

const ROUNDS = 210;
/** More often than in production, so that every run contains several. */
const CONTACT_FLUSH_MS = 30_000;
const count = options.devices ?? DEVICES;
const title = `${whole(count)} devices in one organization`;
/** Pages of the list. */
const page = near(2, 25);

/** Device lists of an organization of `--devices` over real HTTP, alternating with raw SQL (issue 2, "Device list"; NOD-05). */
export async function benchDevices(cluster: Cluster): Promise<void> {
  const has = (part: string) => options.part === undefined || options.part === part;
  if (has('lists')) await benchLists(cluster);
  const parts = { whole: benchWhole, answers: benchResponses, csv: benchCsv, jobs: benchJobs } as const;
  for (const [part, bench] of Object.entries(parts)) {
    if (part === 'whole' ? !has(part) : options.part !== part) continue;
    const database = await cluster.open(`bench_devices_${count}`);
    const organization = await seedKept(database);
    const bearer = await database.seeding.bearer(organization.adminId);
    await bench({ cluster, database, organization, bearer, count, title } satisfies DeviceBench);
    await database.close();
  }
}

const seedKept = (database: BenchDatabase) => database.seeded(() => seedDevices(database, count));

async function benchLists(cluster: Cluster): Promise<void> {
  let flushing: NodeJS.Timeout | undefined;
  await compareLists(cluster, {
    database: `bench_devices_${count}`,
    seed: seedKept,
    title: `Device lists, ${title}`,
    rounds: ROUNDS,
    async pairs(run) {
      const { database, server, seeded } = run;
      await server.ask('heartbeats', await heldRouters(database, seeded));
      for (const table of ['devices', 'routers']) await database.owner.query(`vacuum analyze ${table}`);
      flushing = setInterval(() => void server.ask('flushContacts'), CONTACT_FLUSH_MS);
      return pairsOf(run, await database.seeding.bearer(seeded.adminId));
    },
    async after() {
      clearInterval(flushing);
    },
  });
}

type Query = Readonly<Record<string, string>>;

const rawColumns: Query = {
  vehicle: 'vehicle_number collate natural_order',
  group: 'group_key',
  expires: 'expires_on',
  uptime: 'up_since',
};
const rawColumn = (sort: string) => rawColumns[sort] ?? sort;

/** Filters of the screen: the call, and the same condition. */
const filters: Readonly<Record<string, readonly [query: Query, condition: string]>> = {
  online: [{ presence: 'online' }, "d.presence = 'online'"],
  carrier: [{ carrier: 'Verizon' }, "d.carrier = 'Verizon'"],
  expiring: [{ service: 'expiring' }, 'd.started_on <= current_date and d.expires_on between current_date and current_date + 29'],
};
const everything = [{}, 'true'] as const;

const carriers = ['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers'];

/** Digits that do not repeat soon, so that totals are not cached. */
const digits = (length: number, round: number) =>
  String((round * 7919) % 10 ** length)
    .padStart(length, '0')
    .slice(0, length);

const columns = `d.id, d.organization_id, d.router_id, d.serial, d.mac, d.group_key, d.vehicle_number, d.note, d.started_on::text,
  d.expires_on::text, d.created_at, d.updated_at, d.version, d.presence, d.presence_since, d.presence_reason, c.last_contact_at, d.model,
  d.hardware_version, d.firmware, d.config, d.up_since, d.carrier, d.technology, d.imei, d.imsi, d.iccid, d.mtn, d.eid,
  c.rssi, g.name as group_name, o.name as organization_name`;
const joins = `left join router_contacts c on c.router_id = d.router_id join organizations o on o.id = d.organization_id
  join groups g on g.organization_id = d.organization_id and g.key = d.group_key`;
const own = 'd.organization_id = $1 and d.archived_at is null';

/** Find the keys of the page first, so that only its rows are fetched. */
const pageOf = (condition: string, order: string, rest = '') =>
  `select ${columns} from (select d.id from devices d where ${own} and ${condition} order by ${order} limit 51 ${rest}) place
   join devices d on d.organization_id = $1 and d.id = place.id ${joins} order by ${order}`;
const sorted = (column: string, condition = 'true', rest = '') =>
  pageOf(condition, `d.${column}, ${column === 'serial' ? '' : 'd.serial, '}d.id`, rest);
const totalOf = (condition: string) =>
  `select count(*)::int as total, count(*) filter (where d.presence = 'online') as online from devices d where ${own} and ${condition}`;

function pairsOf({ raw, clientOf, database, seeded: { organizationId } }: Run<BigOrganization>, bearer: string): Pair[] {
  const client = clientOf(bearer);
  const ask = (query: Query) => client.get<{ next: string | null }>(contract.listDevices.path, { limit: '50', ...query });
  const read = (text: string, ...values: readonly unknown[]) => raw([text, [organizationId, ...values]]);
  const readBoth = (text: string, total: string, ...values: readonly unknown[]) =>
    raw([text, [organizationId, ...values]], [total, [organizationId, ...values]]);
  const prepared = (text: string, name: string) => raw([text, [organizationId], name.slice(0, 60)]);
  const rest = (seconds: number) => () => database.owner.query('select pg_sleep($1)', [seconds]);
  const sortedPair = (sort: string): Pair => ({
    name: `first page of 50, by ${sort}`,
    rounds: ROUNDS / 2,
    aim: page,
    ours: () => ask({ sort }),
    raw: () => prepared(sorted(rawColumn(sort)), `by ${sort}`),
  });
  const filterPair = ([name, [query, condition]]: readonly [string, readonly [Query, string]]): Pair => ({
    name: `first page of those ${name}`,
    rounds: ROUNDS / 2,
    aim: page,
    ours: () => ask({ ...query, sort: 'serial' }),
    raw: () => prepared(sorted('serial', condition), `those ${name}`),
  });
  const searchPair = (length: number): Pair => ({
    name: `search by serial, ${length} digits: page and total`,
    rounds: 30,
    warmUp: 2,
    aim: page,
    ours: (round) => ask({ field: 'serial', search: digits(length, round) }),
    raw: (round) => {
      const condition = "d.serial like '%' || $2 || '%'";
      return readBoth(sorted('serial', condition), totalOf(condition), digits(length, round));
    },
  });
  /** After the list was opened, as on the screen. */
  const jumpPair = (sort: string, name = 'none'): Pair => {
    const [query, condition] = filters[name] ?? everything;
    let opening: Promise<unknown> | undefined;
    const share = name === 'none' ? 1 : 0.8;
    const offsetOf = (round: number) => (((round + 1) * 7919) % Math.floor((count * share) / 50)) * 50;
    return {
      name: `jump to any page by offset, by ${sort}${name === 'none' ? '' : `, ${name}`}`,
      rounds: 40,
      warmUp: name === 'none' ? 0 : 1,
      before: () => (opening ??= ask({ ...query, sort }).then(rest(5))),
      aim: atMost(100),
      ours: (round) => ask({ ...query, sort, offset: String(offsetOf(round)) }),
      raw: (round) => read(sorted(rawColumn(sort), condition, 'offset $2'), offsetOf(round)),
    };
  };
  const totalPair = (name: string): Pair => {
    const [query, condition] = filters[name] ?? everything;
    return {
      name: `first page with its total, not cached: ${name}`,
      rounds: 5,
      warmUp: 1,
      aim: atMost(150),
      // Longer than any total is cached.
      before: rest(2.1),
      ours: () => ask({ ...query, limit: '1' }),
      raw: () => read(totalOf(condition)),
    };
  };
  return [
    ...['serial', 'vehicle', 'model', 'group', 'firmware', 'expires'].map(sortedPair),
    ...Object.entries(filters).map(filterPair),
    ...[1, 2, 3, 5].map(searchPair),
    combinedPair(ask, readBoth),
    adjacentPair(ask, raw, organizationId),
    firstJumpPair(ask, read),
    ...['vehicle', 'uptime', 'group'].map((sort) => jumpPair(sort)),
    jumpPair('vehicle', 'online'),
    ...['all devices', ...Object.keys(filters)].map(totalPair),
    {
      name: 'total of a new search, by vehicle, 3 digits',
      rounds: 60,
      aim: atMost(150),
      ours: (round) => ask({ limit: '1', field: 'vehicle', search: digits(3, round) }),
      raw: (round) => read(totalOf("d.vehicle_number like '%' || $2 || '%'"), digits(3, round)),
    },
  ];
}

/** Request a page of the list. */
type Ask = (query: Query) => Promise<{ readonly next: string | null }>;

function combinedPair(
  ask: Ask,
  readBoth: (page: string, total: string, ...values: readonly unknown[]) => Promise<unknown>,
): Pair {
  // Two to four digits: they match from a third of the list to a handful of devices.
  const filterOf = (round: number) => [carriers[round % carriers.length]!, digits(4, round).slice(0, 2 + (round % 3))] as const;
  const condition = "d.presence = 'online' and d.carrier = $2 and d.serial like '%' || $3 || '%'";
  const order = 'd.vehicle_number collate natural_order desc, d.serial desc, d.id desc';
  return {
    name: 'filter + sort + search + page of 50 + total',
    rounds: 60,
    warmUp: 5,
    ours(round) {
      const [carrier, search] = filterOf(round);
      return ask({ presence: 'online', sort: '-vehicle', field: 'serial', carrier, search });
    },
    raw: (round) => readBoth(pageOf(condition, order), totalOf(condition), ...filterOf(round)),
  };
}

function adjacentPair(ask: Ask, raw: Run<unknown>['raw'], organizationId: string): Pair {
  const start = ['', '', '00000000-0000-0000-0000-000000000000'];
  const next = pageOf('(d.model, d.serial, d.id) > ($2, $3, $4::uuid)', 'd.model, d.serial, d.id');
  let cursor: string | null = null;
  let after = start;
  return {
    name: 'adjacent page by cursor, by model',
    aim: page,
    async ours() {
      const found = await ask({ sort: 'model', ...(cursor === null ? {} : { cursor }) });
      cursor = found.next;
    },
    async raw() {
      const [{ rows }] = (await raw([next, [organizationId, ...after], 'next'])) as [{ rows: Record<string, string>[] }];
      const last = rows[49];
      after = last === undefined ? start : [last['model']!, last['serial']!, last['id']!];
    },
  };
}

/** Into the middle of lists that were not opened before. */
function firstJumpPair(ask: Ask, read: (text: string, ...values: readonly unknown[]) => Promise<unknown>): Pair {
  const sorts = ['serial', 'vehicle', 'model', 'firmware', 'config', 'group'];
  const sortOf = (round: number) => sorts[round % sorts.length]!;
  const offset = Math.floor(count / 100) * 50;
  return {
    name: 'first jump to the middle of each of six lists',
    rounds: sorts.length,
    warmUp: 0,
    aim: atMost(100),
    ours: (round) => ask({ sort: `-${sortOf(round)}`, offset: String(offset) }),
    raw: (round) => read(sorted(rawColumn(sortOf(round)), 'true', 'offset $2'), offset),
  };
}
