import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import {
  comparePositions,
  createGeofenceEvaluation,
  createPositions,
  markLatePositions,
  type Positions,
} from '@highline/testkit/positions';
import { openParts, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { compareWork, measureWork, rateFigures, shareWithin, type Spent } from './compare.ts';
import { benchPositionSockets, countPositions } from './positions.sockets.ts';
import { seedTablesAround } from './tables-around.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { assessed, printTable, whole } from './table.ts';

const VEHICLES = options.short ? 500 : 10_000;
/** Positions of each vehicle, ten seconds apart, and how many of them are in one report. */
const FIXES = options.short ? 12 : 30;
const IN_REPORT = 6;
const ROWS = VEHICLES * FIXES;
const ROUNDS = options.short ? 1 : 3;
/** Circles of 500 m in the area of the vehicles. */
const GEOFENCES = 100;
/** Positions of one vehicle in a day, ten seconds apart. */
const IN_DAY = 8_640;
/** Of them in one report. */
const IN_TRAIL = 240;
/** Positions of each vehicle whose size is measured: half an hour. */
const SIZED = options.short ? 96 : 180;
const MOST_BYTES = 30;

/** Positions from sockets; and, but with `--part sockets`, from reports into the table, compared with COPY, and the map of all vehicles. */
export async function benchPositions(cluster: Cluster): Promise<void> {
  await benchPositionSockets(cluster);
  if (options.part !== 'sockets') await benchPositionWrites(cluster);
}

/** Positions from reports into the table, counted after their commit, compared with COPY; and the map of all vehicles. */
function benchPositionWrites(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_positions',
    async seed(database) {
      const fleet = await seedRouters(database, VEHICLES);
      await seedTablesAround(database);
      await seedGeofences(database);
      await benchWrites(cluster, database, fleet);
      await benchSize(database, fleet);
      await database.owner.query('vacuum analyze router_positions, router_ownership, devices');
      return { bearer: fleet.person.bearer, trail: await seedDay(database, fleet) };
    },
    title: `Positions of ${VEHICLES} vehicles over HTTP`,
    rounds: 20,
    pairs({ clientOf, seeded: { bearer, trail } }) {
      const client = clientOf(bearer);
      const read = async (
        path: string,
        query: Readonly<Record<string, string>>,
        kind: 'vehicles' | 'fixes',
        expected: number,
      ) => {
        const { result } = await client.get<{ result: Record<string, unknown[]> }>(`/data_manager/v1/dm/${path}`, query);
        if (result[kind]?.length !== expected) throw new Error(`${path}: ${result[kind]?.length} instead of ${expected}.`);
      };
      const [asDrawn, asRead] = [shareWithin(0.99, 1_500), shareWithin(0.99, 100)];
      return [
        { name: 'the map of all vehicles', warmUp: 0, aim: asDrawn, ours: () => read('positions', {}, 'vehicles', VEHICLES) },
        {
          name: `the trail of a day, ${IN_DAY} positions`,
          warmUp: 0,
          aim: asRead,
          ours: () => read('device/trail', trail, 'fixes', IN_DAY),
        },
      ];
    },
  });
}

/** Of every organization that has devices. */
export async function seedGeofences({ owner }: BenchDatabase): Promise<void> {
  await owner.query(
    `insert into geofences (id, organization_id, name, shape, corners)
     select gen_random_uuid(), o.id, 'Depot ' || n,
       jsonb_build_object('kind', 'circle', 'latitude', 41 + n / 100.0, 'longitude', -88 + n / 100.0, 'radius', 500), 1
     from (select distinct organization_id as id from devices) o, generate_series(0, $1::int - 1) n`,
    [GEOFENCES],
  );
}

/** The value of a report: where the vehicle was at some times. */
function trailOf(vehicle: number, first: number, begin: number) {
  const fixes = Array.from({ length: IN_REPORT }, (_, index) => {
    const [at, latitude, longitude] = fixOf(vehicle, first + index, begin);
    return `${at},${latitude},${longitude},5,31.5,270`;
  });
  return [{ values: [['Device.X_HIGHLINE_GPS.Trail', fixes.join(';')] as const] }];
}

function fixOf(vehicle: number, index: number, begin: number): [at: number, latitude: string, longitude: string] {
  return [begin + index * 10, (41 + (vehicle % 100) / 100 + index / 1e4).toFixed(5), (-88 + vehicle / 1e4).toFixed(5)];
}

async function benchWrites(cluster: Cluster, database: BenchDatabase, { routers }: ClaimedRouters): Promise<void> {
  const { deps, close } = await openParts(database);
  const composed = createPositions({
    ...deps,
    retentionDays: 30,
    onStored: createGeofenceEvaluation(),
    onWritten: markLatePositions,
    compare: (tx, routerIds) => comparePositions(tx, routerIds, deps.clock.now()),
  });
  const alone = createPositions({ ...deps, retentionDays: 30 });
  await Promise.all([composed.start(), alone.start()]);
  const begin = Math.floor(Date.now() / 1_000) - FIXES * 10;
  const spent = await compareWork(ROUNDS, {
    alone: () => writeAndCount(cluster, database, () => writeAll(alone, routers, begin)),
    composed: () => writeAndCount(cluster, database, () => writeAll(composed, routers, begin)),
    copied: () => copyAll(cluster, database, routers, begin),
  });
  await Promise.all([composed.stop(), alone.stop()]);
  await close();
  printTable(
    `Positions of ${VEHICLES} vehicles`,
    [
      ...rateFigures('positions durable per second, as in the server', ROWS, spent.composed, spent.copied, '20,000/s'),
      ...rateFigures('the same without what follows from them', ROWS, spent.alone, spent.copied),
    ],
    [
      `Each vehicle reports ${IN_REPORT} positions at a time, read, checked and stored with the newest of each router; without sockets.`,
      `The first as the server does it, with ${GEOFENCES} geofences, marks for coverage and the rules of alerts; the second stores them and no more.`,
      'Ceiling of both: the same rows in one COPY into an identical table.',
    ],
  );
}

const TABLES = 'positions, position_segments, open_position_segments, router_positions';

async function writeAndCount(cluster: Cluster, { owner }: BenchDatabase, work: () => Promise<void>): Promise<Spent> {
  await owner.query(`truncate ${TABLES}, geofence_states, geofence_events`);
  const taken = await measureWork(cluster, work);
  await expectStored(owner, ROWS);
  return taken;
}

async function expectStored(owner: BenchDatabase['owner'], expected: number): Promise<void> {
  const stored = await countPositions({ owner });
  if (stored !== expected) throw new Error(`${expected - stored} ACKNOWLEDGED BUT MISSING`);
}

/** As many reports under way as routers send within a second. */
async function writeAll(positions: Positions, routers: ClaimedRouters['routers'], begin: number, count = FIXES): Promise<void> {
  for (let first = 0; first < count; first += IN_REPORT)
    await Promise.all(routers.map(async ({ id }, vehicle) => positions.pushed(id, trailOf(vehicle, first, begin))));
}

/** What positions of half an hour take in the database, indexes and the space that updates leave included. */
async function benchSize(database: BenchDatabase, { routers }: ClaimedRouters): Promise<void> {
  const { owner } = database;
  const { deps, close } = await openParts(database);
  const positions = createPositions({ ...deps, retentionDays: 30 });
  await positions.start();
  await owner.query(`truncate ${TABLES}`);
  await writeAll(positions, routers, Math.floor(Date.now() / 1_000) - SIZED * 10, SIZED);
  await positions.stop();
  await close();
  await expectStored(owner, VEHICLES * SIZED);
  const { rows } = await owner.query<{ name: string; bytes: number; n: number }>(
    `select name, bytes::float8, n::float8 from (
       select 'stored' as name, (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = 'position_segments'::regclass) as bytes,
         (select sum(cardinality(seconds)) from position_segments) as n
       union all select 'open', pg_total_relation_size('open_position_segments'), (select count(*) from open_position_segments)) t`,
  );
  const of = (name: string) => rows.find((row) => row.name === name)!;
  const [stored, open] = [of('stored').bytes / of('stored').n, of('open').bytes / of('open').n];
  printTable(
    `Size of ${whole(VEHICLES * SIZED)} positions of ${whole(VEHICLES)} vehicles`,
    [
      { name: 'bytes a position', unit: '', ours: [stored], aim: assessed(`≤ ${MOST_BYTES}`, stored <= MOST_BYTES) },
      { name: 'bytes a vehicle, whatever it has reported', unit: '', ours: [open] },
    ],
    [
      'Tables and indexes, as pg_total_relation_size says.',
      'The second are the rows that positions are added to, and the space that earlier versions of them took.',
    ],
  );
}

async function copyAll(
  cluster: Cluster,
  { ownerUrl }: BenchDatabase,
  routers: ClaimedRouters['routers'],
  begin: number,
): Promise<Spent> {
  const client = new Client(ownerUrl);
  await client.connect();
  await client.query('drop table if exists copied; create table copied (like positions including indexes including constraints)');
  const lines = routers.flatMap(({ id }, vehicle) =>
    Array.from({ length: FIXES }, (_, index) => {
      const [at, latitude, longitude] = fixOf(vehicle, index, begin);
      return `${id},${new Date(at * 1_000).toISOString()},${latitude},${longitude},5,31.5,270,f\n`;
    }),
  );
  const rows = Buffer.from(lines.join(''));
  const copy = 'copy copied (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump) from stdin (format csv)';
  const taken = await measureWork(cluster, () =>
    pipeline(Readable.from([rows], { objectMode: false }), client.query(copyFrom(copy))),
  );
  await client.end();
  return taken;
}

/** Give the first vehicle a whole day of positions and readings, the day before yesterday. @returns the query for it */
async function seedDay(database: BenchDatabase, { routers }: ClaimedRouters): Promise<{ device: string; day: string }> {
  const { owner } = database;
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const router = routers[0]!.id;
  await owner.query('select ensure_position_partitions($1::date, $1::date), ensure_partitions($1::date, $1::date)', [day]);
  const { deps, close } = await openParts(database);
  const positions = createPositions({ ...deps, retentionDays: 30 });
  await positions.start();
  const begin = Date.parse(`${day}T00:00:00Z`) / 1_000;
  const trail = Array.from(
    { length: IN_DAY },
    (_, n) => `${begin + n * 10},${41.5 + 0.3 * Math.sin(n / 200)},${-87.9 + 0.3 * Math.cos(n / 170)},5,31.5,${n % 360}`,
  );
  for (let first = 0; first < IN_DAY; first += IN_TRAIL)
    await positions.pushed(router, [
      { values: [['Device.X_HIGHLINE_GPS.Trail', trail.slice(first, first + IN_TRAIL).join(';')]] },
    ]);
  await positions.stop();
  await close();
  await owner.query(
    `insert into telemetry_reports (router_id, at, rssi)
     select $1, $2::date::timestamp at time zone 'UTC' + n * interval '60 seconds', -60 - n % 40 from generate_series(0, 1439) n`,
    [router, day],
  );
  await owner.query('vacuum analyze position_segments, telemetry_reports');
  const { rows } = await owner.query<{ device_id: string }>('select device_id from router_ownership where router_id = $1', [
    router,
  ]);
  return { device: rows[0]!.device_id, day };
}
