import type { BenchDatabase, Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { shareWithin } from './compare.ts';
import { options } from './options.ts';
import { seedRouters } from './routers.seed.ts';
import { whole } from './table.ts';

const VEHICLES = options.short ? 500 : 10_000;
const MOST_MS = 50;
const PATH = '/data_manager/v1/dm/positions/feed';
/** The same columns of the same vehicles. */
const RAW = `select d.id, d.vehicle_number, g.name, p.latitude, p.longitude, extract(epoch from p.at), p.speed, p.heading
  from devices d join router_positions p on p.router_id = d.router_id
    join groups g on g.organization_id = d.organization_id and g.key = d.group_key order by d.organization_id, d.id`;

/** The feeds of ten thousand vehicles for programs of others, next to a plain read of the same rows (RPM-06). */
export function benchFeeds(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_feeds',
    async seed(database) {
      const { person } = await seedRouters(database, VEHICLES);
      await seedPositions(database);
      return person;
    },
    title: `Feeds of ${whole(VEHICLES)} vehicles`,
    rounds: 40,
    pairs({ raw, clientOf, seeded }) {
      const client = clientOf(seeded.bearer);
      const pair = (name: string, query: Readonly<Record<string, string>>) => ({
        name,
        aim: shareWithin(0.5, MOST_MS),
        ours: () => client.bytes(PATH, query),
        raw: () => raw([RAW]),
      });
      return [
        pair('GTFS-Realtime', {}),
        pair('GTFS-Realtime, groups as routes', { routes: 'groups' }),
        pair('GeoJSON', { format: 'geojson' }),
      ];
    },
    notes: ['Ceiling: the same rows read by a bare client.'],
  });
}

async function seedPositions({ owner }: BenchDatabase): Promise<void> {
  await owner.query('delete from router_ownership');
  await owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
     select id, now() - interval '30 days', organization_id, device_id from routers`,
  );
  await owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
     select id, now() - interval '1 minute', 40 + 3 * random(), -89 + 3 * random(), 5, 40, floor(random() * 360), false, now() from routers`,
  );
  await owner.query("update devices set vehicle_number = 'Bus ' || right(serial, 5)");
  await owner.query('vacuum analyze');
}
