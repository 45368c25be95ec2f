import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createDatabase, openDatabase, systemClock } from '@highline/testkit/database';
import {
  comparePositions,
  createGeofenceEvaluation,
  createPositions,
  markLatePositions,
  type Positions,
} from '@highline/testkit/positions';
import { silentLog, startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { cpuOf, cpuOfFamily, percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { milliseconds, printTable, times, type Figure } from './table.ts';

const VEHICLES = options.short ? 500 : 10_000;
/** Positions of each vehicle, ten seconds apart, and how many of them are in one report. */
const FIXES = options.short ? 12 : 30;
const IN_REPORT = 6;
const ROWS = VEHICLES * FIXES;
const ROUNDS = options.short ? 1 : 3;
/** Circles of 500 m in the area of the vehicles. */
const GEOFENCES = 100;
const CALLS = 20;
/** Positions of one vehicle in a day, ten seconds apart. */
const IN_DAY = 8_640;

/** Positions from reports into the table, counted after their commit, compared with COPY; and the map of all vehicles. */
export async function benchPositions(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_positions');
  const fleet = await seedRouters(database, VEHICLES);
  await database.owner.query("update router_ownership set owned_from = now() - interval '1 day'");
  await database.owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
     select r.id, now() - interval '1 day', r.organization_id, r.device_id from routers r
     where not exists (select from router_ownership o where o.router_id = r.id)`,
  );
  await database.owner.query(
    `insert into geofences (id, organization_id, name, shape, corners)
     select gen_random_uuid(), o.id, 'Depot ' || n,
       jsonb_build_object('kind', 'circle', 'latitude', 41 + n / 100.0, 'longitude', -88 + n / 100.0, 'radius', 500), 1
     from (select distinct organization_id as id from devices) o, generate_series(0, $1::int - 1) n`,
    [GEOFENCES],
  );
  const figures = [...(await benchWrites(cluster, database, fleet)), ...(await benchReads(cluster, database, fleet))];
  await database.close();
  printTable(`Positions of ${VEHICLES} vehicles`, figures, [
    `Each vehicle reports ${IN_REPORT} positions at a time, read, checked and stored with the newest of each router; without sockets.`,
    `The first as the server does it, with ${GEOFENCES} geofences, marks for coverage and the rules of alerts; the second stores them and no more.`,
    'Ceiling of both: the same rows in one COPY into an identical table. Processor time is that of a position, of this process and of PostgreSQL.',
  ]);
}

/** The value of a report: where the vehicle was at some times. */
function trailOf(vehicle: number, first: number, begin: number): string {
  const fixes = Array.from({ length: IN_REPORT }, (_, index) => {
    const [at, latitude, longitude] = fixOf(vehicle, first + index, begin);
    return `${at},${latitude},${longitude},5,31.5,270`;
  });
  return JSON.stringify({ Report: [{ CollectionTime: begin, 'Device.X_HIGHLINE_GPS.Trail': fixes.join(';') }] });
}

function fixOf(vehicle: number, index: number, begin: number): [at: number, latitude: string, longitude: string] {
  return [begin + index * 10, (41 + (vehicle % 100) / 100 + index / 1e4).toFixed(5), (-88 + vehicle / 1e4).toFixed(5)];
}

interface Written {
  readonly seconds: number;
  /** Seconds of the processors: of this process, and of PostgreSQL. */
  readonly own: number;
  readonly database: number;
}

async function benchWrites(cluster: Cluster, database: BenchDatabase, { routers }: ClaimedRouters): Promise<Figure[]> {
  const opened = await openDatabase(
    { kind: 'external', url: database.ownerUrl, serveUrl: database.serveUrl, poolSize: 4 },
    silentLog,
  );
  const deps = { database: createDatabase(opened.pool, () => {}), clock: systemClock, log: silentLog, retentionDays: 30 };
  const composed = createPositions({
    ...deps,
    onStored: createGeofenceEvaluation(),
    onWritten: markLatePositions,
    compare: (tx, routerIds) => comparePositions(tx, routerIds, systemClock.now()),
  });
  const alone = createPositions(deps);
  await composed.start();
  await alone.start();
  const begin = Math.floor(Date.now() / 1_000) - FIXES * 10;
  const written = { composed: [] as Written[], alone: [] as Written[], copied: [] as Written[] };
  // In turn, since the machine is not the same from one minute to the next; the first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const taken = {
      alone: await writeAndCount(cluster, database, () => writeAll(alone, routers, begin)),
      composed: await writeAndCount(cluster, database, () => writeAll(composed, routers, begin)),
      copied: await copyAll(cluster, database, routers, begin),
    };
    if (round > 0) for (const kind of ['composed', 'alone', 'copied'] as const) written[kind].push(taken[kind]);
  }
  await composed.stop();
  await alone.stop();
  await opened.close();
  const shown = (of: Written) => `${whole(ROWS / of.seconds)}/s, ${micros(of.own / ROWS)} + ${micros(of.database / ROWS)}`;
  const raw = median(written.copied);
  const figure = (name: string, of: Written, aim?: string): Figure => ({
    name,
    ours: shown(of),
    ceiling: shown(raw),
    ratio: times(raw.seconds / of.seconds),
    ...(aim !== undefined && { aim }),
  });
  return [
    figure('positions durable per second, as in the server', median(written.composed), '20,000/s'),
    figure('the same without what follows from them', median(written.alone)),
  ];
}

const median = (written: readonly Written[]) =>
  written.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(written.length / 2)]!;

const micros = (seconds: number) => `${(seconds * 1e6).toFixed(1)} µs`;

async function measured(cluster: Cluster, work: () => Promise<unknown>): Promise<Written> {
  const processor = () => ({ own: cpuOf(process.pid), database: cpuOfFamily(cluster.pid()) });
  const before = processor();
  const seconds = (await timed(work)) / 1_000;
  const after = processor();
  return { seconds, own: after.own - before.own, database: after.database - before.database };
}

async function writeAndCount(cluster: Cluster, { owner }: BenchDatabase, work: () => Promise<void>): Promise<Written> {
  await owner.query('truncate positions, router_positions, geofence_states, geofence_events');
  const taken = await measured(cluster, work);
  const { rows: stored } = await owner.query<{ n: number }>('select count(*)::int as n from positions');
  if (stored[0]!.n !== ROWS) throw new Error(`${ROWS - stored[0]!.n} ACKNOWLEDGED BUT MISSING`);
  return taken;
}

/** As many reports under way as routers send within a second. */
async function writeAll(positions: Positions, routers: ClaimedRouters['routers'], begin: number): Promise<void> {
  for (let first = 0; first < FIXES; first += IN_REPORT)
    await Promise.all(routers.map(async ({ id }, vehicle) => positions.pushed(id, trailOf(vehicle, first, begin))));
}

async function copyAll(
  cluster: Cluster,
  { ownerUrl }: BenchDatabase,
  routers: ClaimedRouters['routers'],
  begin: number,
): Promise<Written> {
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
  const taken = await measured(cluster, () =>
    pipeline(Readable.from([rows], { objectMode: false }), client.query(copyFrom(copy))),
  );
  await client.end();
  return taken;
}

async function benchReads(cluster: Cluster, database: BenchDatabase, fleet: ClaimedRouters): Promise<Figure[]> {
  await database.owner.query('vacuum analyze router_positions, router_ownership, devices');
  const trail = await seedDay(database, fleet);
  const server = await startHighline(cluster, database);
  const read = async (name: string, path: string, expected: number, aim: string): Promise<Figure> => {
    const latencies: number[] = [];
    const processor = () => cpuOf(server.pid) + cpuOfFamily(cluster.pid());
    const before = processor();
    for (let call = 0; call < CALLS; call++) {
      const begin = performance.now();
      const answer = await fetch(`${server.url}/data_manager/v1/dm/${path}`, {
        headers: { authorization: `Bearer ${fleet.person.bearer}` },
      });
      const { result } = (await answer.json()) as { result: Record<'vehicles' | 'fixes', unknown[] | undefined> };
      latencies.push(performance.now() - begin);
      const found = (result.vehicles ?? result.fixes)?.length;
      if (found !== expected) throw new Error(`${name}: ${found} instead of ${expected}.`);
    }
    const used = ((processor() - before) / CALLS) * 1_000;
    const taken = milliseconds(percentile(latencies, 0.5), percentile(latencies, 0.99));
    return { name, ours: `${taken}; ${used.toFixed(0)} ms of the processors`, aim };
  };
  const figures = [
    await read('the map of all vehicles, over HTTP', 'positions', VEHICLES, 'first draw ≤ 1.5 s'),
    await read(`the trail of a day, ${IN_DAY} positions, over HTTP`, `device/trail?${trail}`, IN_DAY, '≤ 100 ms'),
  ];
  await server.stop();
  return figures;
}

/** Give the first vehicle a whole day of positions and readings, the day before yesterday. @returns the query that asks for it */
async function seedDay({ owner }: BenchDatabase, { routers }: ClaimedRouters): Promise<string> {
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const router = routers[0]!.id;
  await owner.query("update router_ownership set owned_from = now() - interval '9 days' where router_id = $1", [router]);
  await owner.query('select ensure_position_partitions($1::date, $1::date), ensure_partitions($1::date, $1::date)', [day]);
  await owner.query(
    `insert into positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump)
     select $1, $2::date::timestamp at time zone 'UTC' + n * interval '10 seconds', 41.5 + 0.3 * sin(n / 200.0), -87.9 + 0.3 * cos(n / 170.0),
       5, 31.5, n % 360, false from generate_series(0, $3::int - 1) n`,
    [router, day, IN_DAY],
  );
  await owner.query(
    `insert into telemetry_reports (router_id, at, rssi)
     select $1, $2::date::timestamp at time zone 'UTC' + n * interval '60 seconds', -60 - n % 40 from generate_series(0, 1439) n`,
    [router, day],
  );
  await owner.query('vacuum analyze positions, telemetry_reports');
  const { rows } = await owner.query<{ device_id: string }>('select device_id from router_ownership where router_id = $1', [
    router,
  ]);
  return `device=${rows[0]!.device_id}&day=${day}`;
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
