import { devices as contract } from '@highline/contract';
import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { atMost, comparePairs, draws, near, printLists, type Pair } from './compare.ts';
import { benchAnswers } from './devices.answers.ts';
import { DEVICES, heldRouters, seedDevices, type DeviceBench } from './devices.seed.ts';
import { openRawDevices, type RawDevices, type RawAnchor } from './devices.sql.ts';
import { benchCsv, benchJobs, benchWhole } from './devices.whole.ts';
import { createHttpClient } from './http-client.ts';
import { options } from './options.ts';

const ROUNDS = options.short ? 3 : 210;
/** More often than in production, so that every run contains several. */
const CONTACT_FLUSH_MS = 30_000;
const count = options.devices ?? DEVICES;
/** Pages of the list. */
const page = near(2, 25);

/** Request a page of the list. */
type Ask = (query: Readonly<Record<string, string>>) => Promise<{ readonly next: string | null }>;

/** Device lists of an organization of `--devices` over real HTTP, alternating with raw SQL (issue 2, "Device list"; NOD-05). */
export async function benchDevices(cluster: Cluster): Promise<void> {
  const database = await cluster.open(`bench_devices_${count}`);
  const organization = await database.seeded(() => seedDevices(database, count));
  const bearer = await database.seeding.bearer(organization.adminId);
  const title = `${count.toLocaleString('en')} devices in one organization`;
  const bench: DeviceBench = { cluster, database, organization, bearer, count, title };
  const has = (part: string) => options.part === undefined || options.part === part;
  if (has('lists')) await benchLists(bench);
  if (has('whole')) await benchWhole(bench);
  if (options.part === 'answers') await benchAnswers(bench);
  if (options.part === 'csv') await benchCsv(bench);
  if (options.part === 'jobs') await benchJobs(bench);
  await database.close();
}

async function benchLists({ cluster, database, organization, bearer, title }: DeviceBench): Promise<void> {
  const server = await startHighline(cluster, database);
  await server.ask('heartbeats', await heldRouters(database, organization));
  for (const table of ['devices', 'routers']) await database.owner.query(`vacuum analyze ${table}`);
  const beats = setInterval(() => void server.ask('flushContacts'), CONTACT_FLUSH_MS);
  const client = createHttpClient(server.url, bearer);
  const raw = await openRawDevices(database.serveUrl, organization.organizationId);
  const ask: Ask = (query) => client.get(contract.listDevices.path, { limit: '50', ...query });
  const { figures, used } = await comparePairs(pairs(ask, raw, database), ROUNDS, cluster, server);
  printLists(`Device lists, ${title}`, `5 to ${ROUNDS}`, figures, used);
  clearInterval(beats);
  client.close();
  await raw.close();
  await server.stop();
}

function pairs(ask: Ask, raw: RawDevices, database: BenchDatabase): Pair[] {
  return [
    ...['serial', 'vehicle', 'model', 'group', 'firmware', 'expires'].map((sort) => sortedPair(ask, raw, sort)),
    ...Object.keys(filters).map((name) => filterPair(ask, raw, name as keyof typeof filters)),
    ...[1, 2, 3, 5].map((length) => searchPair(ask, raw, length)),
    combinedPair(ask, raw),
    adjacentPair(ask, raw),
    firstJumpPair(ask, raw),
    ...['vehicle', 'uptime', 'group'].map((sort) => jumpPair(ask, raw, database, sort)),
    jumpPair(ask, raw, database, 'vehicle', 'online'),
    ...(['none', ...Object.keys(filters)] as const).map((name) => totalPair(ask, raw, database, name as 'none')),
    searchTotalPair(ask, raw),
  ];
}

const rawColumns: Readonly<Record<string, string>> = {
  vehicle: 'vehicle_number collate natural_order',
  group: 'group_key',
  expires: 'expires_on',
  uptime: 'up_since',
};
const rawColumn = (sort: string) => rawColumns[sort] ?? sort;

/** Filters of the screen: the call, and the same condition. */
const filters = {
  online: [{ presence: 'online' }, "d.presence = 'online'"],
  carrier: [{ carrier: 'Verizon' }, "d.carrier = 'Verizon'"],
  expiring: [{ service: 'expiring' }, 'd.started_on <= current_date and d.expires_on between current_date and current_date + 29'],
} as const;
const none = [{}, 'true'] as const;
const filterOf = (name: keyof typeof filters | 'none') => (name === 'none' ? none : filters[name]);

/** Digits that do not repeat soon, so that totals are not cached. */
const digits = (length: number) => (round: number) =>
  String((round * 7919) % 10 ** length)
    .padStart(length, '0')
    .slice(0, length);

function sortedPair(ask: Ask, raw: RawDevices, sort: string): Pair {
  return {
    name: `first page of 50, by ${sort}`,
    rounds: ROUNDS / 2,
    aim: page,
    ours: () => ask({ sort }),
    raw: () => raw.sortedPage(rawColumn(sort)),
  };
}

function filterPair(ask: Ask, raw: RawDevices, name: keyof typeof filters): Pair {
  const [query, condition] = filters[name];
  return {
    name: `first page of those ${name}`,
    rounds: ROUNDS / 2,
    aim: page,
    ours: () => ask({ ...query, sort: 'serial' }),
    raw: () => raw.sortedPage('serial', condition),
  };
}

function searchPair(ask: Ask, raw: RawDevices, length: number): Pair {
  const search = draws(digits(length));
  return {
    name: `search by serial, ${length} digits: page and total`,
    rounds: 30,
    warmUp: 2,
    aim: page,
    ours: () => ask({ field: 'serial', search: search.ours() }),
    raw: () => raw.searchedPage('serial', search.raw()),
  };
}

const carriers = ['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers'];

function combinedPair(ask: Ask, raw: RawDevices): Pair {
  // Two to four digits: they match from a third of the list to a handful of devices.
  const filter = draws((round) => ({
    carrier: carriers[round % carriers.length]!,
    search: digits(4)(round).slice(0, 2 + (round % 3)),
  }));
  return {
    name: 'filter + sort + search + page of 50 + total',
    rounds: 60,
    warmUp: 5,
    ours: () => ask({ presence: 'online', sort: '-vehicle', field: 'serial', ...filter.ours() }),
    raw: () => raw.filteredPage(filter.raw()),
  };
}

function adjacentPair(ask: Ask, raw: RawDevices): Pair {
  const start: RawAnchor = ['', '', '00000000-0000-0000-0000-000000000000'];
  let cursor: string | null = null;
  let place: RawAnchor | undefined = start;
  return {
    name: 'adjacent page by cursor, by model',
    aim: page,
    async ours() {
      const found: { readonly next: string | null } = await ask({ sort: 'model', ...(cursor === null ? {} : { cursor }) });
      cursor = found.next;
    },
    async raw() {
      place = (await raw.nextPage(place ?? start)) ?? start;
    },
  };
}

/** Into the middle of lists that were not opened before. */
function firstJumpPair(ask: Ask, raw: RawDevices): Pair {
  const sorts = ['-serial', '-vehicle', '-model', '-firmware', '-config', '-group'];
  const sort = draws((round) => sorts[round % sorts.length]!);
  const offset = Math.floor(count / 100) * 50;
  return {
    name: 'first jump to the middle of each of six lists',
    rounds: sorts.length,
    warmUp: 0,
    aim: atMost(100),
    ours: () => ask({ sort: sort.ours(), offset: String(offset) }),
    raw: () => raw.jump(rawColumn(sort.raw().slice(1)), offset),
  };
}

/** After the list was opened, as on the screen. */
function jumpPair(ask: Ask, raw: RawDevices, { owner }: BenchDatabase, sort: string, filter: 'online' | 'none' = 'none'): Pair {
  const [query, condition] = filterOf(filter);
  let isOpen = false;
  const open = async () => {
    if (isOpen) return;
    isOpen = true;
    await ask({ ...query, sort });
    await owner.query('select pg_sleep(5)');
  };
  const share = filter === 'none' ? 1 : 0.8;
  const offset = draws((round) => (((round + 1) * 7919) % Math.floor((count * share) / 50)) * 50);
  return {
    name: `jump to any page by offset, by ${sort}${filter === 'none' ? '' : `, ${filter}`}`,
    rounds: 40,
    warmUp: filter === 'none' ? 0 : 1,
    before: open,
    aim: atMost(100),
    ours: () => ask({ ...query, sort, offset: String(offset.ours()) }),
    raw: () => raw.jump(rawColumn(sort), offset.raw(), condition),
  };
}

function totalPair(ask: Ask, raw: RawDevices, { owner }: BenchDatabase, name: keyof typeof filters | 'none'): Pair {
  const [query, condition] = filterOf(name);
  return {
    name: `first page with its total, not cached: ${name === 'none' ? 'all devices' : name}`,
    rounds: 5,
    warmUp: 1,
    aim: atMost(150),
    // Longer than any total is cached.
    before: () => owner.query('select pg_sleep(2.1)'),
    ours: () => ask({ ...query, limit: '1' }),
    raw: () => raw.total(condition),
  };
}

function searchTotalPair(ask: Ask, raw: RawDevices): Pair {
  const search = draws(digits(3));
  return {
    name: 'total of a new search, by vehicle, 3 digits',
    rounds: 60,
    aim: atMost(150),
    ours: () => ask({ limit: '1', field: 'vehicle', search: search.ours() }),
    raw: () => raw.searchTotal('vehicle_number', search.raw()),
  };
}
