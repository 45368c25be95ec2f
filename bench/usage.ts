import { createTelemetry, createUsage } from '@highline/testkit/usage';
import { openParts, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { measureWork, rateFigures, shareWithin } from './compare.ts';
import { seedUsage } from './tables-around.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { assessed, printTable, whole } from './table.ts';

const SIMS = options.short ? 2_000 : 100_000;
/** Routers whose counters are added, and reports of each. */
const REPORTING = options.short ? 200 : 5_000;
const REPORTS = 8;
/** Readings of each whose size is measured. */
const SIZED = options.short ? 130 : 250;
const MOST_BYTES = 40;

const MONTH = "date_trunc('month', now() at time zone 'UTC')::date";

/** A month of many SIMs, next to plain SQL; and reports with and without the ledger (USE). */
export function benchUsage(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_usage',
    async seed(database) {
      const fleet = await seedRouters(database, SIMS);
      await database.owner.query(
        `insert into router_ownership (router_id, owned_from, organization_id, device_id)
         select r.id, now() - interval '60 days', r.organization_id, r.device_id from routers r on conflict do nothing`,
      );
      await benchWrites(cluster, database, fleet);
      await benchSize(database, fleet);
      await seedUsage(database);
      return fleet.person;
    },
    title: `Data use of ${whole(SIMS)} SIMs`,
    rounds: 20,
    pairs({ raw, clientOf, seeded }) {
      const client = clientOf(seeded.bearer);
      return lists.map(({ name, path, query, sql }) => ({
        name,
        warmUp: 1,
        aim: shareWithin(0.99, 200),
        ours: () => client.get(`/data_manager/v1/dm/${path}`, query),
        raw: () => raw([sql]),
      }));
    },
    notes: ['Ceiling: the sum of the same rows by SIM, vehicle or day in one plain statement.'],
  });
}

/** A call, and the plain statement that reads the same rows. */
const lists = [
  {
    name: 'top 50 of the SIMs of a month',
    path: 'usage',
    query: { limit: '50' },
    sql: `select iccid, sum(sent + received) from usage_cycles where cycle_from = ${MONTH} group by iccid order by 2 desc limit 50`,
  },
  {
    name: 'top 50 of the vehicles',
    path: 'usage',
    query: { limit: '50', by: 'vehicles' },
    sql: `select device_id, sum(sent + received) from usage_cycles where cycle_from = ${MONTH} group by device_id order by 2 desc limit 50`,
  },
  {
    name: 'groups',
    path: 'usage',
    query: { limit: '50', by: 'groups' },
    sql: `select d.group_key, sum(c.sent + c.received) from usage_cycles c join devices d on d.id = c.device_id
      where cycle_from = ${MONTH} group by 1 order by 2 desc limit 50`,
  },
  {
    name: 'the month by day',
    path: 'usage/month',
    query: {},
    sql: `select day, sum(sent), sum(received) from usage_totals group by day order by day`,
  },
] satisfies readonly { name: string; path: string; query: Readonly<Record<string, string>>; sql: string }[];

async function benchWrites(cluster: Cluster, database: BenchDatabase, { routers }: ClaimedRouters): Promise<void> {
  const { deps, close } = await openParts(database);
  const telemetry = createTelemetry({ ...deps, retentionDays: 30 });
  const usage = createUsage({ ...deps, retentionDays: 400 });
  await Promise.all([telemetry.start(), usage.start()]);
  const begin = Date.now() - 86_400_000;
  const reporting = routers.slice(0, REPORTING);
  const run = async (first: number, isCounted: boolean) => {
    for (let index = first; index < first + REPORTS; index++)
      await Promise.all(
        reporting.map(async ({ id }, n) => {
          const at = begin + index * 300_000;
          const [sent, received] = [index * 1_000 + n, index * 9_000 + n];
          const samples = [
            { at, parameter: 'bytes_sent', value: sent },
            { at, parameter: 'bytes_received', value: received },
          ] as const;
          await Promise.all([
            telemetry.write(id, samples),
            ...(isCounted ? [usage.reported(id, [{ at, values: valuesOf(n, index) }], IN_USE)] : []),
          ]);
        }),
      );
  };
  const alone = await measureWork(cluster, () => run(0, false));
  const both = await measureWork(cluster, () => run(REPORTS, true));
  const again = await measureWork(cluster, () => run(2 * REPORTS, false));
  await Promise.all([telemetry.stop(), usage.stop()]);
  await close();
  const reports = REPORTING * REPORTS;
  await expectStored(database, reports);
  const mean = (part: keyof typeof alone) => (alone[part] + again[part]) / 2;
  const without = { clock: mean('clock'), own: mean('own'), database: mean('database') };
  printTable(
    `Reports of ${whole(REPORTING)} routers, ${REPORTS} of each`,
    rateFigures('reports durable per second, with the ledger', reports, both, without),
    ['Readings and counters, next to readings alone; without sockets.'],
  );
}

async function expectStored({ owner }: BenchDatabase, expected: number): Promise<void> {
  const { rows } = await owner.query<{ n: number }>('select sum(cardinality(milliseconds))::int as n from all_usage_segments');
  if (rows[0]!.n !== expected) throw new Error(`${expected - rows[0]!.n} ACKNOWLEDGED BUT MISSING`);
}

/** What the counters of several hours take in the database, indexes included. */
async function benchSize(database: BenchDatabase, { routers }: ClaimedRouters): Promise<void> {
  const { deps, close } = await openParts(database);
  const usage = createUsage({ ...deps, retentionDays: 400 });
  await usage.start();
  await database.owner.query('truncate usage_readings, usage_segments, open_usage_segments, usage_heads');
  const reporting = routers.slice(0, REPORTING);
  const begin = Date.now() - SIZED * 60_000;
  // Zeros would not be stored.
  for (let index = 1; index <= SIZED; index++)
    await Promise.all(
      reporting.map(async ({ id }, n) =>
        usage.reported(id, [{ at: begin + index * 60_000 + n, values: valuesOf(n, index) }], IN_USE),
      ),
    );
  await usage.stop();
  await close();
  await expectStored(database, REPORTING * SIZED);
  const { rows } = await database.owner.query<{ stored: number; open: number }>(
    `select (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'usage_segments'::regclass)::float8
         / (select sum(cardinality(milliseconds)) from usage_segments)::float8 as stored,
       pg_total_relation_size('open_usage_segments')::float8 / (select count(*) from open_usage_segments) as open`,
  );
  const { stored, open } = rows[0]!;
  printTable(
    `Size of ${whole(REPORTING * SIZED)} readings of ${whole(REPORTING)} modems, one a minute`,
    [
      { name: 'bytes a reading', unit: '', ours: [stored], aim: assessed(`≤ ${MOST_BYTES}`, stored <= MOST_BYTES) },
      { name: 'bytes a modem, whatever it has reported', unit: '', ours: [open] },
    ],
    [
      'Tables and indexes, as pg_total_relation_size says.',
      'The second are the rows that readings are added to, and the space that earlier versions of them took.',
    ],
  );
}

const IN_USE = { modem: 1, sims: new Map([[1, 1]]) };

function valuesOf(n: number, index: number): (readonly [string, unknown])[] {
  return [
    ['Device.Cellular.Interface.1.Stats.BytesSent', index * 1_000 + n],
    ['Device.Cellular.Interface.1.Stats.BytesReceived', index * 9_000 + n],
    ['Device.Cellular.Interface.1.USIM.ICCID', `8901${String(n).padStart(15, '0')}`],
    ['Device.DeviceInfo.UpTime', 100_000 + index * 300],
  ];
}
