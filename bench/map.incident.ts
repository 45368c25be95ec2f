import type { BenchDatabase, Cluster } from './cluster.ts';
import { compareLists } from './compare-lists.ts';
import { shareWithin, type Run } from './compare.ts';
import { cpuOf, cpuOfFamily } from './measure.ts';
import { options } from './options.ts';
import { seedRouters } from './routers.seed.ts';
import { assessed, printTable, whole, type Figure } from './table.ts';

const VEHICLES = options.devices ?? (options.short ? 2_000 : 100_000);
const ALERTS = VEHICLES / 10;
const CALLS = options.short ? 3 : 40;
const MOST_SERVER_MS = 30;
const MOST_DATABASE_MS = 60;
const FIRST = 'all vehicles, the first call after a start';
const PATH = '/data_manager/v1/dm/positions';

/** The call of the map during an outage: every vehicle has a position, one in ten an open alert, and the tables around it are filled. */
export function benchMapIncident(cluster: Cluster): Promise<void> {
  return compareLists(cluster, {
    database: 'bench_map_incident',
    async seed(database) {
      const { person } = await seedRouters(database, VEHICLES);
      await seedIncident(database);
      return person;
    },
    title: `Map of ${whole(VEHICLES)} vehicles with ${whole(ALERTS)} open alerts`,
    rounds: 20,
    pairs({ clientOf, seeded }) {
      const client = clientOf(seeded.bearer);
      const kinds: readonly (readonly [name: string, queryOf: () => Readonly<Record<string, string>>])[] = [
        [FIRST, () => ({})],
        ['all vehicles', () => ({})],
        ['a part of the map', () => ({ bbox: '-88.2,41,-88,41.2' })],
        ['only offline ones', () => ({ online: 'false' })],
        ['changed since a minute', () => ({ since: String(Date.now() - 60_000) })],
      ];
      return kinds.map(([name, queryOf]) => ({
        name,
        // The first call reads its tables from the disk, and its plans are made: once, after a start.
        ...(name === FIRST && { warmUp: 0, rounds: 1 }),
        aim: shareWithin(0.99, 300),
        ours: () => client.get(PATH, queryOf()),
      }));
    },
    notes: ['Calls are read whole; at most 10,000 vehicles are in one answer.'],
    after: printProcessors,
  });
}

/** What one call for all vehicles costs: the clock of a machine that others use too says little. */
async function printProcessors({ cluster, server, clientOf, seeded }: Run<{ readonly bearer: string }>): Promise<void> {
  const client = clientOf(seeded.bearer);
  const processors = () => ({ server: cpuOf(server.pid), database: cpuOfFamily(cluster.pid()) });
  const before = processors();
  for (let call = 0; call < CALLS; call++) await client.get(PATH, {});
  const after = processors();
  const figure = (name: string, seconds: number, mostMs: number): Figure => {
    const milliseconds = (seconds * 1_000) / CALLS;
    return { name, unit: 'ms', ours: [milliseconds], aim: assessed(`≤ ${mostMs} ms`, milliseconds <= mostMs) };
  };
  printTable('Processors of a call for all vehicles', [
    figure('server', after.server - before.server, MOST_SERVER_MS),
    figure('PostgreSQL', after.database - before.database, MOST_DATABASE_MS),
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
