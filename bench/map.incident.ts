import { startHighline, type BenchDatabase, type Cluster } from './cluster.ts';
import { createHttpClient } from './http-client.ts';
import { percentile } from './measure.ts';
import { options } from './options.ts';
import { seedRouters } from './routers.seed.ts';
import { assessed, milliseconds, printTable, type Figure } from './table.ts';

const VEHICLES = options.short ? 2_000 : 100_000;
const ALERTS = VEHICLES / 10;
const CALLS = options.short ? 3 : 20;
const MOST_MS = 300;
const PATH = '/data_manager/v1/dm/positions';

/** The call of the map during an outage: every vehicle has a position, one in ten an open alert, and the tables around it are filled. */
export async function benchMapIncident(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_map_incident');
  const { person } = await seedRouters(database, VEHICLES);
  await seedIncident(database);
  const server = await startHighline(cluster, database);
  const client = createHttpClient(server.url, person.bearer);
  const figures: Figure[] = [];
  for (const [name, query] of [
    ['all vehicles', {}],
    ['a part of the map', { bbox: '-88.2,41,-88,41.2' }],
    ['only offline ones', { online: 'false' }],
    ['changed since a minute', { since: String(Date.now() - 60_000) }],
  ] as const) {
    const times: number[] = [];
    let shown = 0;
    for (let call = 0; call < CALLS; call++) {
      const begun = performance.now();
      const { result } = await client.get<{ result: { vehicles: unknown[] } }>(PATH, query);
      times.push(performance.now() - begun);
      shown = result.vehicles.length;
    }
    figures.push({
      name: `${name}: ${shown.toLocaleString('en')} vehicles`,
      ours: milliseconds(percentile(times, 0.5), percentile(times, 0.99)),
      aim: assessed(`p99 ≤ ${MOST_MS} ms`, percentile(times, 0.99) <= MOST_MS),
    });
  }
  client.close();
  await server.stop();
  await database.close();
  printTable(`Map of ${VEHICLES.toLocaleString('en')} vehicles with ${ALERTS.toLocaleString('en')} open alerts`, figures, [
    `p50 / p99 of ${CALLS} calls, read whole; at most 10,000 vehicles are in one answer.`,
  ]);
}

/** Positions for all; the alerts of an outage and resolved ones of the days before; one change in ten thousandth of a minute ago. */
async function seedIncident({ owner }: BenchDatabase): Promise<void> {
  await owner.query('delete from router_ownership');
  await owner.query(
    `insert into router_ownership (router_id, owned_from, organization_id, device_id)
     select id, now() - interval '30 days', organization_id, device_id from routers`,
  );
  await owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
     select id, now() - interval '5 minutes', 40 + 3 * random(), -89 + 3 * random(), 5, 40, floor(random() * 360), false,
       now() - random() * interval '1 hour' from routers`,
  );
  await owner.query("update devices set presence = case when random() < 0.9 then 'online' else 'offline' end");
  for (const [state, count] of [
    ['firing', ALERTS],
    ['resolved', 3 * ALERTS],
  ] as const)
    await owner.query(
      `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
         group_key, state, since, fired_at, resolved_at)
       select organization_id, gen_random_uuid(), main_account_id, gen_random_uuid(), 'Vehicle lost', 'critical', 'offline', id, serial,
         vehicle_number, group_key, $1, now(), now(), case when $1 = 'resolved' then now() end from devices order by id limit $2`,
      [state, count],
    );
  await owner.query('vacuum analyze');
}
