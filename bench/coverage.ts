import { cellAt, parentOf, resolutions } from '@highline/testkit/coverage';
import type { BenchDatabase, Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { atMost, shareWithin } from './compare.ts';
import { options } from './options.ts';
import { seedRouters } from './routers.seed.ts';
import { whole } from './table.ts';

const VEHICLES = options.short ? 50 : 2_000;
const MANY_VEHICLES = options.short ? 500 : 100_000;
const DAYS = options.short ? 3 : 30;
/** Degrees to each side of the middle in which the vehicles drive: 110 by 90 km. */
const REACH = options.short ? 0.05 : 0.5;
const CENTER = { latitude: 41.8, longitude: -88 };
const NETWORKS = "(values ('Verizon', '5G'), ('Verizon', '4G'), ('AT&T', '4G')) n (carrier, technology)";
const PATH = '/data_manager/v1/dm/coverage';

/** Coverage of 30 days as the screen reads it, next to the sums of the same rows in plain SQL (POS-06). */
export async function benchCoverage(cluster: Cluster): Promise<void> {
  await benchPlaces(cluster);
  await benchVehicles(cluster);
}

function benchPlaces(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_coverage',
    async seed(database) {
      const { person } = await seedRouters(database, VEHICLES);
      await seedSums(database);
      return person;
    },
    title: `Coverage of ${DAYS} days of ${whole(VEHICLES)} vehicles`,
    rounds: 20,
    pairs({ raw, clientOf, seeded }) {
      const client = clientOf(seeded.bearer);
      return reads.map(({ name, path, query, sql }) => ({
        name,
        warmUp: 1,
        aim: atMost(1_000),
        ours: () => client.get(`${PATH}${path}`, query),
        raw: () => raw([sql]),
      }));
    },
    notes: ['Ceiling: the same sums without their bins.'],
  });
}

/** Vehicles of a large fleet against each other for 30 days, next to the sum of their days in plain SQL. */
function benchVehicles(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_coverage_vehicles',
    async seed(database) {
      const { person } = await seedRouters(database, MANY_VEHICLES);
      const { owner } = database;
      await owner.query(
        `insert into coverage_vehicle_days (organization_id, day, device_id, carrier, technology, cells, rsrp_samples, rsrp_difference, rsrq_samples, rsrq_difference)
         select v.organization_id, current_date - d, v.id, 'Verizon', '5G', 40, 300, 300 * (random() * 6 - 3), 300, 300 * (random() * 2 - 1)
         from generate_series($1::int, 0, -1) d cross join devices v`,
        [DAYS + 10],
      );
      await addUp(owner);
      await owner.query('vacuum analyze coverage_vehicle_days');
      return person;
    },
    title: `Coverage of ${DAYS} days by vehicle, ${whole(MANY_VEHICLES)} vehicles`,
    rounds: 20,
    pairs({ raw, clientOf, seeded }) {
      const client = clientOf(seeded.bearer);
      const { sql } = reads.find(({ path }) => path === '/vehicles')!;
      return [
        {
          name: 'the first 50',
          warmUp: 1,
          aim: shareWithin(0.99, 300),
          ours: () => client.get(`${PATH}/vehicles`, { limit: '50' }),
          raw: () => raw([sql]),
        },
      ];
    },
    notes: ['Ceiling: the same sums of each day.'],
  });
}

const period = `day > current_date - ${DAYS}`;
const box = (degrees: number) =>
  [CENTER.longitude - degrees, CENTER.latitude - degrees, CENTER.longitude + degrees, CENTER.latitude + degrees].join(',');
const sumsOf = (resolution: number) =>
  `select cell, carrier, technology, sum(samples), sum(drops), sum(lost_seconds) from coverage_days
   where ${period} and resolution = ${resolution} group by 1, 2, 3`;

const reads = [
  { name: 'hexagons of the whole area', path: '', query: { bbox: box(REACH) }, sql: sumsOf(7) },
  { name: 'hexagons of streets, the finest', path: '', query: { bbox: box(REACH / 4) }, sql: `${sumsOf(8)} limit 10000` },
  { name: 'hexagons without a box', path: '', query: { resolution: '5' }, sql: sumsOf(5) },
  {
    name: 'the first 50 dead zones',
    path: '/dead-zones',
    query: { limit: '50' },
    sql: `select cell, sum(drops), sum(lost_seconds) from coverage_days where ${period} and resolution = 8 and drops > 0 group by 1 order by 3 desc limit 50`,
  },
  {
    name: 'the first 50 vehicles against the others',
    path: '/vehicles',
    query: { limit: '50' },
    sql: `select device_id, sum(rsrp_difference) / sum(rsrp_samples) from coverage_vehicle_days where ${period} group by 1 order by 2 limit 50`,
  },
] as const;

/** Each hexagon of the area is driven through each day on three networks, and some connections are lost there. */
async function seedSums({ owner }: BenchDatabase): Promise<void> {
  for (const [resolution, cells] of hexagons())
    await owner.query(
      `insert into coverage_days (organization_id, cell, day, carrier, technology, resolution, samples, drops, lost_seconds,
         r10, r11, r12, r13, r14, r15, r16, r17, q8, q9, q10, q11, q12)
       select o.id, cell, current_date - d, n.carrier, n.technology, $2, 60, lost.drops, lost.drops * 240, 3, 6, 9, 12, 12, 9, 6, 3, 6, 12, 24, 12, 6
       from (select distinct organization_id as id from devices) o cross join unnest($1::text[]) cell cross join generate_series(0, $3::int - 1) d
         cross join ${NETWORKS} cross join lateral (select (random() < 0.05 and cell <> '')::int as drops) lost`,
      [cells, resolution, DAYS],
    );
  await owner.query(
    `insert into coverage_vehicle_days (organization_id, day, device_id, carrier, technology, cells, rsrp_samples, rsrp_difference, rsrq_samples, rsrq_difference)
     select v.organization_id, current_date - d, v.id, n.carrier, n.technology, 40, 300, 300 * (random() * 6 - 3), 300, 300 * (random() * 2 - 1)
     from devices v cross join generate_series(0, $1::int - 1) d cross join ${NETWORKS}`,
    [DAYS],
  );
  await addUp(owner);
  await owner.query(`insert into coverage_networks (organization_id, carrier, technology, last_day)
    select o.id, n.carrier, n.technology, current_date from (select distinct organization_id as id from devices) o cross join ${NETWORKS}`);
  await owner.query('vacuum analyze coverage_days, coverage_vehicle_days, coverage_networks');
}

/** As the job does after each comparison. */
async function addUp(owner: BenchDatabase['owner']): Promise<void> {
  await owner.query(`select add_up_coverage_vehicles(d.organization_id, d.day)
    from (select distinct organization_id, day from coverage_vehicle_days order by organization_id, day) d`);
  await owner.query('vacuum analyze coverage_vehicle_totals');
}

/** The hexagons of the area by resolution. */
function hexagons(): Map<number, string[]> {
  // Half a hexagon of the finest size.
  const step = 0.004;
  const finest = new Set<string>();
  for (let north = -REACH; north <= REACH; north += step)
    for (let east = -REACH; east <= REACH; east += step) finest.add(cellAt(CENTER.latitude + north, CENTER.longitude + east));
  return new Map(
    resolutions.map((resolution) => [resolution, [...new Set([...finest].map((cell) => parentOf(cell, resolution)))]]),
  );
}
