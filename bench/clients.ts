import { createTelemetry, createUsage, readClientCounters, storeCounters } from '@highline/testkit/usage';
import { openParts, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareWork, measureWork, type Spent } from './compare.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouter } from './routers.seed.ts';
import { assessed, printTable, whole } from './table.ts';

const ROUTERS = options.short ? 200 : 10_000;
const HOSTS = 20;
const ROUNDS = options.short ? 1 : 3;
/** Routers whose counters are stored with one transaction. */
const BATCH = 500;
/** Minutes between two readings of a router, as the server reads them. */
const INTERVAL = 15;
const MOST_SHARE = 0.1;
const MOST_BYTES = 40;
const DAYS = 3;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const IN_USE = { modem: 1, sims: new Map([[1, 1]]) };

/** What clients use by day (LIV-02): next to the reports of the same routers, and the bytes that a client and day take. */
export async function benchClients(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_clients');
  const { routers } = await seedRouters(database, ROUTERS);
  await database.owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
      select r.id, now() - interval '60 days', r.organization_id, r.device_id from routers r on conflict do nothing`,
  );
  await database.owner.query(
    "insert into client_settings (organization_id, keep, days, updated_at) select distinct organization_id, 'use', 90, now() from devices",
  );
  await benchMinutes(cluster, database, routers);
  await benchDays(database, routers);
  await database.close();
}

async function benchMinutes(cluster: Cluster, database: BenchDatabase, routers: readonly ClaimedRouter[]): Promise<void> {
  const { deps, close } = await openParts(database);
  const telemetry = createTelemetry({ ...deps, retentionDays: 30 });
  const usage = createUsage({ ...deps, retentionDays: 400 });
  await Promise.all([telemetry.start(), usage.start()]);
  let minute = Math.floor(Date.now() / MINUTE_MS) - 100;
  const report = async () => {
    minute += 1;
    await Promise.all(
      routers.map(async ({ id }, n) => {
        const at = minute * MINUTE_MS;
        await Promise.all([
          telemetry.write(id, samplesAt(at, n)),
          usage.reported(id, [{ at, values: valuesOf(n, minute) }], IN_USE),
        ]);
      }),
    );
  };
  const count = () => countAll(deps, routers, minute * MINUTE_MS, minute);
  const spent = await compareWork(ROUNDS, {
    reports: () => measureWork(cluster, report),
    clients: () => measureWork(cluster, count),
  });
  await Promise.all([telemetry.stop(), usage.stop()]);
  await close();
  const of = ({ own, database: postgres }: Spent) => own + postgres;
  const micros = (each: Spent) => [(of(each) / ROUTERS) * 1e6];
  const share = of(spent.clients) / of(spent.reports) / INTERVAL;
  printTable(
    `Clients of ${whole(ROUTERS)} routers with ${HOSTS} hosts each`,
    [
      { name: 'a report of a router, processors with PostgreSQL', unit: 'µs', ours: micros(spent.reports) },
      { name: 'a reading of its clients', unit: 'µs', ours: micros(spent.clients) },
      {
        name: `on top of a report a minute, as read every ${INTERVAL} minutes`,
        unit: '%',
        ours: [100 * share],
        aim: assessed('≤ 10 %', share <= MOST_SHARE),
      },
      { name: 'the same if they were read each minute', unit: '%', ours: [100 * share * INTERVAL] },
    ],
    ['Readings and counters of the modem, and counters of clients from the values of an answer on; without sockets.'],
  );
}

async function countAll(
  deps: Parameters<typeof storeCounters>[0],
  routers: readonly ClaimedRouter[],
  at: number,
  turn: number,
): Promise<void> {
  for (let first = 0; first < routers.length; first += BATCH) {
    const readings = routers.slice(first, first + BATCH).map(({ id }, n) => ({
      routerId: id,
      at,
      counters: readClientCounters(hostsOf(first + n, turn)),
    }));
    // oxlint-disable-next-line no-await-in-loop -- a batch after another, as the server does
    await storeCounters(deps, readings);
  }
}

/** Days of all clients, as pg_total_relation_size says. */
async function benchDays(database: BenchDatabase, routers: readonly ClaimedRouter[]): Promise<void> {
  const { deps, close } = await openParts(database);
  await database.owner.query('truncate client_counters, client_days');
  const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS + 1) * DAY_MS + DAY_MS / 2;
  // Two readings of each day, and one of the day after the last.
  for (let half = 0; half <= 2 * DAYS; half++)
    // oxlint-disable-next-line no-await-in-loop -- a day after another
    await countAll(deps, routers, noon + (half * DAY_MS) / 2, 1_000 * half);
  await close();
  const { rows } = await database.owner.query<{ bytes: number; clients: number; open: number }>(
    `select pg_total_relation_size('client_days')::float8 as bytes, (select sum(clients) from client_days)::float8 as clients,
       pg_total_relation_size('client_counters')::float8 / (select count(*) from client_counters) / ${HOSTS} as open`,
  );
  const { bytes, clients, open } = rows[0]!;
  printTable(
    `Size of ${whole(clients)} days of clients`,
    [
      {
        name: 'bytes a client and day',
        unit: '',
        ours: [bytes / clients],
        aim: assessed(`≤ ${MOST_BYTES}`, bytes / clients <= MOST_BYTES),
      },
      { name: 'bytes a client of today, whatever it used', unit: '', ours: [open] },
    ],
    ['Tables and indexes, with names of 8 to 12 characters; the second with the space that earlier versions of the rows took.'],
  );
}

const parameters = ['rssi', 'rsrp', 'rsrq', 'sinr', 'temperature', 'voltage', 'bytes_sent', 'bytes_received', 'battery'] as const;

function samplesAt(at: number, n: number): Parameters<ReturnType<typeof createTelemetry>['write']>[1] {
  return parameters.map((parameter) => ({ at, parameter, value: (n % 40) + 1 }));
}

function valuesOf(n: number, minute: number): (readonly [string, unknown])[] {
  return [
    ['Device.Cellular.Interface.1.Stats.BytesSent', minute * 1_000 + n],
    ['Device.Cellular.Interface.1.Stats.BytesReceived', minute * 9_000 + n],
    ['Device.Cellular.Interface.1.USIM.ICCID', `8901${String(n).padStart(15, '0')}`],
    ['Device.DeviceInfo.UpTime', 100_000 + minute * 60],
  ];
}

const names = ['Pixel-8a', 'iPhone-Kim', 'DESKTOP-9QK2', 'galaxy-s24'];

/** The hosts of a router in an answer. */
function hostsOf(router: number, turn: number): [string, string][] {
  return Array.from({ length: HOSTS }, (_, host): [string, string][] => {
    const path = `Device.Hosts.Host.${host + 1}.`;
    const mac = (router * HOSTS + host).toString(16).padStart(12, '0');
    return [
      [`${path}PhysAddress`, mac],
      [`${path}HostName`, names[host % names.length]!],
      [`${path}WANStats.BytesSent`, String(1_000_000 + turn * (host + 1) * 900)],
      [`${path}WANStats.BytesReceived`, String(9_000_000 + turn * (host + 1) * 9_000)],
    ];
  }).flat();
}
