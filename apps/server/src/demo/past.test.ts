import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrganizationScope } from '../kernel/index.ts';
import { storePositions } from '../domains/positions/index.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../testing/routers.ts';
import { demoOrganizations, demoSpeedTests } from './fleet-data.ts';
import { seedPast } from './past.ts';
import { seedSpeedTests } from './speed-tests.ts';
import { seedWeakPlaces } from './weak-places.ts';

/** No whole second: positions have them. */
const NOW = new Date('2026-11-20T12:00:00.343Z');
const MINUTE_MS = 60_000;

let fleet: RouterDatabase;
beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());

/** A vehicle of the demo, with its router. */
async function addVehicle(name: string): Promise<TestRouter> {
  const vehicle = demoOrganizations[0]!.vehicles.find((each) => each.vehicle === name)!;
  const [router] = await addTestRouters(fleet, 1);
  await fleet.database.write(async (tx) => {
    await sql`update routers set serial = ${vehicle.serial} where id = ${router!.id}::uuid`.execute(tx);
    await sql`update devices set vehicle_number = ${vehicle.vehicle} where id = ${router!.deviceId}::uuid`.execute(tx);
  });
  return router!;
}

test('LIV-05-partial a vehicle of the demo was offline now and then, and has measured its speed on its rounds', async () => {
  const { database, organizationId, mainAccountId } = fleet;
  const router = await addVehicle(demoSpeedTests[0]!);
  const { id: routerId, deviceId } = router;
  await seedPast(database, NOW);
  const history = await fleet.historyOf(router);
  expect(history.length).toBeGreaterThan(20);
  expect(history.slice(0, 2)).toEqual(['offline: no-answer', 'online: connected']);

  const began = NOW.getTime() - 3 * 24 * 60 * MINUTE_MS;
  const rounds = Array.from({ length: 100 }, (_, minute) => ({
    routerId,
    at: began + minute * MINUTE_MS,
    latitude: 41.88 + minute / 1_000,
    longitude: -87.63,
    speed: null,
    heading: null,
    accuracy: null,
  }));
  await sql`select ensure_position_partitions('2026-11-16'::date, '2026-11-21'::date)`.execute(database.read);
  await database.write((tx) => storePositions(tx, rounds, NOW));
  const scope: OrganizationScope = { kind: 'organization', organizationId, mainAccountId };
  await seedSpeedTests(database, scope, 'demo@highline.example', NOW);
  const runs = await database.read.selectFrom('tool_runs').select(['device_id', 'state']).execute();
  expect(runs).toEqual([
    { device_id: deviceId, state: 'done' },
    { device_id: deviceId, state: 'done' },
  ]);
});

test('RPM-04-partial the vehicle of the demo that loses its connection again and again does so at places that are known', async () => {
  const { database } = fleet;
  const { deviceId } = await addVehicle('Bus 2166');
  await seedPast(database, NOW);
  await seedWeakPlaces(database, NOW);
  const { rows } = await sql<{ cells: string; count: number }>`select serving_cell as cells, count(*)::int as count from outages
    where device_id = ${deviceId}::uuid and latitude is not null and hexagon is not null group by 1 order by 2 desc`.execute(
    database.read,
  );
  expect(rows.length).toBeGreaterThanOrEqual(3);
  expect(rows.slice(0, 3).every(({ count }) => count > 10)).toBe(true);
  const { rows: lost } = await sql<{ count: number }>`select count(*)::int as count from outages
    where device_id = ${deviceId}::uuid and (latitude is null or serving_cell is null)`.execute(database.read);
  expect(lost).toEqual([{ count: 0 }]);
});
