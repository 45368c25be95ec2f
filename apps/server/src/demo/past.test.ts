import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrganizationScope } from '../kernel/index.ts';
import { storePositions } from '../domains/positions/index.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase } from '../testing/routers.ts';
import { demoOrganizations, demoSpeedTests } from './fleet-data.ts';
import { seedPast } from './past.ts';
import { seedSpeedTests } from './speed-tests.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;

let fleet: RouterDatabase;
beforeAll(async () => {
  fleet = await openRouterDatabase();
});
afterAll(() => fleet.close());

test('LIV-05-partial a vehicle of the demo was offline now and then, and has measured its speed on its rounds', async () => {
  const { database, organizationId, mainAccountId } = fleet;
  const vehicle = demoOrganizations[0]!.vehicles.find((each) => each.vehicle === demoSpeedTests[0])!;
  const [router] = await addTestRouters(fleet, 1);
  const { id: routerId, deviceId } = router!;
  await database.write(async (tx) => {
    await sql`update routers set serial = ${vehicle.serial} where id = ${routerId}::uuid`.execute(tx);
    await sql`update devices set vehicle_number = ${vehicle.vehicle} where id = ${deviceId}::uuid`.execute(tx);
  });
  await seedPast(database, NOW);
  const history = await fleet.historyOf(router!);
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
