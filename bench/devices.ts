import { devices as contract } from '@highline/contract';
import type { BenchDatabase, Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { atMost, type Pair, type Run } from './compare.ts';
import {
  combinedPair,
  adjacentPair,
  firstJumpPair,
  count,
  page,
  type Query,
  rawColumn,
  digitsOf,
  sortedBy,
  totalOf,
} from './devices-pairs.ts';
import { benchResponses } from './devices.responses.ts';
import { heldRouters, seedDevices, type BigOrganization, type DeviceBench } from './devices.seed.ts';
import { benchCsv, benchJobs, benchWhole } from './devices.whole.ts';
import { options } from './options.ts';
import { whole } from './table.ts';

const ROUNDS = 210;
/** More often than in production, so that every run contains several. */
const CONTACT_FLUSH_MS = 30_000;

const title = `${whole(count)} devices in one organization`;

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

/** Filters of the screen: the call, and the same condition. */
const filters: Readonly<Record<string, readonly [query: Query, condition: string]>> = {
  online: [{ presence: 'online' }, "d.presence = 'online'"],
  carrier: [{ carrier: 'Verizon' }, "d.carrier = 'Verizon'"],
  expiring: [{ service: 'expiring' }, 'd.started_on <= current_date and d.expires_on between current_date and current_date + 29'],
};
const everything = [{}, 'true'] as const;

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
    raw: () => prepared(sortedBy(rawColumn(sort)), `by ${sort}`),
  });
  const filterPair = ([name, [query, condition]]: readonly [string, readonly [Query, string]]): Pair => ({
    name: `first page of those ${name}`,
    rounds: ROUNDS / 2,
    aim: page,
    ours: () => ask({ ...query, sort: 'serial' }),
    raw: () => prepared(sortedBy('serial', condition), `those ${name}`),
  });
  const searchPair = (length: number): Pair => ({
    name: `search by serial, ${length} digits: page and total`,
    rounds: 30,
    warmUp: 2,
    aim: page,
    ours: (round) => ask({ field: 'serial', search: digitsOf(length, round) }),
    raw: (round) => {
      const condition = "d.serial like '%' || $2 || '%'";
      return readBoth(sortedBy('serial', condition), totalOf(condition), digitsOf(length, round));
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
      raw: (round) => read(sortedBy(rawColumn(sort), condition, 'offset $2'), offsetOf(round)),
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
      ours: (round) => ask({ limit: '1', field: 'vehicle', search: digitsOf(3, round) }),
      raw: (round) => read(totalOf("d.vehicle_number like '%' || $2 || '%'"), digitsOf(3, round)),
    },
  ];
}
