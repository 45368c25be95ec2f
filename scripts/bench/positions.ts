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
  const figures = [await benchWrites(database, fleet), await benchMap(cluster, database, fleet)];
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

async function benchMap(cluster: Cluster, database: BenchDatabase, { person }: ClaimedRouters): Promise<Figure> {
  await database.owner.query('vacuum analyze router_positions, router_ownership, devices');
  const server = await startHighline(cluster, database);
  const latencies: number[] = [];
  let vehicles = 0;
  for (let call = 0; call < CALLS; call++) {
    const begin = performance.now();
    const answer = await fetch(`${server.url}/data_manager/v1/dm/positions`, {
      headers: { authorization: `Bearer ${person.bearer}` },
    });
    const { result } = (await answer.json()) as { result: { vehicles: unknown[] } };
    vehicles = result.vehicles.length;
    latencies.push(performance.now() - begin);
  }
  await server.stop();
  if (vehicles !== VEHICLES) throw new Error(`The map has ${vehicles} vehicles.`);
  return {
    name: 'the map of all vehicles, over HTTP',
    ours: milliseconds(percentile(latencies, 0.5), percentile(latencies, 0.99)),
    aim: 'first draw ≤ 1.5 s',
  };
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US');
