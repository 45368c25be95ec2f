import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createDatabase, openDatabase, systemClock } from '@highline/testkit/database';
import { createPositions, type Positions } from '@highline/testkit/positions';
import { silentLog, startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { percentile, timed } from './measure.ts';
import { options } from './options.ts';
import { seedRouters, type ClaimedRouters } from './routers.seed.ts';
import { milliseconds, printTable, times, type Figure } from './table.ts';

const VEHICLES = options.short ? 500 : 10_000;
/** Positions of each vehicle, ten seconds apart, and how many of them are in one report. */
const FIXES = options.short ? 12 : 30;
const IN_REPORT = 6;
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
  const figures = [await benchWrites(database, fleet), ...(await benchReads(cluster, database, fleet))];
  await database.close();
  printTable(`Positions of ${VEHICLES} vehicles`, figures, [
    `Each vehicle reports ${IN_REPORT} positions at a time, read, checked and stored with the newest of each router; without sockets.`,
    'Ceiling of the first: the same rows in one COPY into an identical table.',
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

async function benchWrites(database: BenchDatabase, { routers }: ClaimedRouters): Promise<Figure> {
  const opened = await openDatabase(
    { kind: 'external', url: database.ownerUrl, serveUrl: database.serveUrl, poolSize: 4 },
    silentLog,
  );
  const positions = createPositions({
    database: createDatabase(opened.pool, () => {}),
    clock: systemClock,
    log: silentLog,
    retentionDays: 30,
  });
  await positions.start();
  const begin = Math.floor(Date.now() / 1_000) - FIXES * 10;
  const seconds = (await timed(() => writeAll(positions, routers, begin))) / 1_000;
  await positions.stop();
  await opened.close();
  const rows = VEHICLES * FIXES;
  const { rows: stored } = await database.owner.query<{ n: number }>('select count(*)::int as n from positions');
  if (stored[0]!.n !== rows) throw new Error(`${rows - stored[0]!.n} ACKNOWLEDGED BUT MISSING`);
  const raw = rows / (await copySeconds(database, routers, begin));
  const rate = rows / seconds;
  return {
    name: 'positions durable per second',
    ours: `${whole(rate)}/s`,
    ceiling: `${whole(raw)}/s`,
    ratio: times(rate / raw),
    aim: '20,000/s',
  };
}

/** As many reports under way as routers send within a second. */
async function writeAll(positions: Positions, routers: ClaimedRouters['routers'], begin: number): Promise<void> {
  for (let first = 0; first < FIXES; first += IN_REPORT)
    await Promise.all(routers.map(async ({ id }, vehicle) => positions.pushed(id, trailOf(vehicle, first, begin))));
}

async function copySeconds({ ownerUrl }: BenchDatabase, routers: ClaimedRouters['routers'], begin: number): Promise<number> {
  const client = new Client(ownerUrl);
  await client.connect();
  await client.query('create table copied (like positions including indexes including constraints)');
  const lines = routers.flatMap(({ id }, vehicle) =>
    Array.from({ length: FIXES }, (_, index) => {
      const [at, latitude, longitude] = fixOf(vehicle, index, begin);
      return `${id},${new Date(at * 1_000).toISOString()},${latitude},${longitude},5,31.5,270,f\n`;
    }),
  );
  const rows = Buffer.from(lines.join(''));
  const copy = 'copy copied (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump) from stdin (format csv)';
  const taken = await timed(() => pipeline(Readable.from([rows], { objectMode: false }), client.query(copyFrom(copy))));
  await client.end();
  return taken / 1_000;
}

async function benchReads(cluster: Cluster, database: BenchDatabase, fleet: ClaimedRouters): Promise<Figure[]> {
  await database.owner.query('vacuum analyze router_positions, router_ownership, devices');
  const trail = await seedDay(database, fleet);
  const server = await startHighline(cluster, database);
  const read = async (name: string, path: string, expected: number, aim: string): Promise<Figure> => {
    const latencies: number[] = [];
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
    return { name, ours: milliseconds(percentile(latencies, 0.5), percentile(latencies, 0.99)), aim };
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
