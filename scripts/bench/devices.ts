import { devices as contract } from '@highline/contract';
import { startHighline, type Cluster } from './cluster.ts';
import { comparePairs, draws, printLists, type Pair } from './compare.ts';
import { DEVICES, seedDevices } from './devices.seed.ts';
import { openRawDevices, type RawDevices, type RawAnchor } from './devices.sql.ts';
import { createHttpClient } from './http-client.ts';

const ROUNDS = 210;
/** More often than in production, so that every run contains several. */
const CONTACT_FLUSH_MS = 30_000;

/** Request a page of the list. */
type Ask = (query: Readonly<Record<string, string>>) => Promise<{ readonly next: string | null }>;

/** Device lists of an organization of 100,000 over real HTTP, alternating with raw SQL (issue 2, "Device list"). */
export async function benchDevices(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_devices');
  const { bearer, organizationId } = await seedDevices(database);
  const server = await startHighline(cluster, database);
  const { rows: online } = await database.owner.query<{ id: string }>(
    "select router_id as id from devices where organization_id = $1 and right(serial, 1) <> '9' order by 1",
    [organizationId],
  );
  await server.ask(
    'heartbeats',
    online.map(({ id }) => id),
  );
  await database.owner.query('vacuum analyze devices');
  await database.owner.query('vacuum analyze routers');
  const beats = setInterval(() => void server.ask('flushContacts'), CONTACT_FLUSH_MS);
  const client = createHttpClient(server.url, bearer);
  const raw = await openRawDevices(database.serveUrl, organizationId);
  const ask: Ask = (query) => client.get(contract.listDevices.path, { limit: '50', ...query });
  const { figures, used } = await comparePairs(pairs(ask, raw), ROUNDS, cluster, server);
  const title = `Device lists, ${DEVICES.toLocaleString('en')} devices in one organization`;
  printLists(title, `${ROUNDS / 2} to ${ROUNDS}`, figures, used);
  clearInterval(beats);
  client.close();
  await raw.close();
  await server.stop();
  await database.close();
}

function pairs(ask: Ask, raw: RawDevices): Pair[] {
  return [
    ...['serial', 'vehicle', 'model', 'group', 'firmware', 'expires'].map((sort) => sortedPair(ask, raw, sort)),
    filteredPair(ask, raw),
    adjacentPair(ask, raw),
    jumpPair(ask, raw),
    totalPair(ask, raw),
  ];
}

const rawColumns: Readonly<Record<string, string>> = { vehicle: 'vehicle_number', group: 'group_key', expires: 'expires_on' };

function sortedPair(ask: Ask, raw: RawDevices, sort: string): Pair {
  return {
    name: `first page of 50, by ${sort}`,
    rounds: ROUNDS / 2,
    ours: () => ask({ sort }),
    raw: () => raw.sortedPage(rawColumns[sort] ?? sort),
  };
}

const carriers = ['Verizon', 'AT&T', 'T-Mobile', 'Bell', 'Rogers'];

function filteredPair(ask: Ask, raw: RawDevices): Pair {
  // Two to four digits: they match from a third of the list to a handful of devices.
  const filter = draws((round) => ({
    carrier: carriers[round % carriers.length]!,
    search: String((round * 7919) % 10_000)
      .padStart(4, '0')
      .slice(0, 2 + (round % 3)),
  }));
  return {
    name: 'filter + sort + search + page of 50 + total',
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
    async ours() {
      const page: { readonly next: string | null } = await ask({ sort: 'model', ...(cursor === null ? {} : { cursor }) });
      cursor = page.next;
    },
    async raw() {
      place = (await raw.nextPage(place ?? start)) ?? start;
    },
  };
}

function jumpPair(ask: Ask, raw: RawDevices): Pair {
  const offset = draws((round) => ((round * 7919) % (DEVICES / 50)) * 50);
  return {
    name: 'jump to any page by offset, by vehicle',
    rounds: ROUNDS / 2,
    ours: () => ask({ sort: 'vehicle', offset: String(offset.ours()) }),
    raw: () => raw.jump(offset.raw()),
  };
}

function totalPair(ask: Ask, raw: RawDevices): Pair {
  const search = draws((round) => String((round * 7919) % 1000).padStart(3, '0'));
  return {
    name: 'total of a new search',
    ours: () => ask({ limit: '1', field: 'vehicle', search: search.ours() }),
    raw: () => raw.total(search.raw()),
  };
}
