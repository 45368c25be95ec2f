import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../testing/call.ts';
import { createGate, type Gate } from '../../testing/gate.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase } from '../../testing/routers.ts';
import { createWorkerProcess } from '../../testing/worker-process.ts';

// The job in a separate process, killed with -9 while it adds up; then another process runs it.

const worker = createWorkerProcess('coverage-worker.ts');
const at = '2026-11-20T12:00:00Z';
/** More slots than one transaction reads. */
const ROUTERS = 30;
const HOURS = 2;

let fleet: RouterDatabase;
let owner: Client;
let gate: Gate;

beforeAll(async () => {
  fleet = await openRouterDatabase();
  owner = new Client(fleet.test.ownerUrl);
  await owner.connect();
  const routers = await addTestRouters(fleet, ROUTERS);
  const ids = routers.map(({ id }) => id);
  await owner.query(
    `select ensure_position_partitions('2026-11-19', '2026-11-20'), ensure_partitions('2026-11-19', '2026-11-20')`,
  );
  await owner.query(
    `insert into router_ownership (router_id, organization_id, device_id, owned_from) select id, organization_id, device_id, '2026-11-01' from routers`,
  );
  await owner.query(`update coverage_progress set closed_until = '2026-11-20', marked_until = '2026-11-20'`);
  const minutes = `unnest($1::uuid[]) with ordinality u (router, n)
    cross join generate_series('2026-11-20T08:00:00Z'::timestamptz, '2026-11-20T08:00:00Z'::timestamptz + $2 * interval '1 hour', '1 minute') m`;
  await owner.query(
    `insert into positions (router_id, at, latitude, longitude, is_jump)
     select router, m, 41.5 + n * 0.003, -87.9 + extract(epoch from m - '2026-11-20T08:00:00Z') / 36000, false from ${minutes}`,
    [ids, HOURS],
  );
  await owner.query(`insert into telemetry_reports (router_id, at, rsrp, rsrq) select router, m, -80 - n, -10 from ${minutes}`, [
    ids,
    HOURS,
  ]);
  // While it is closed, a process that adds up waits with the second row of its statement.
  gate = await createGate(owner, 'insert or update on coverage_days');
});
afterEach(async () => {
  await worker.kill();
  await gate.open();
});
afterAll(async () => {
  await owner.end();
  await fleet.close();
});

const args = () => [JSON.stringify(fleet.test.settings), at];
const runOnce = async () => expect(await worker.run(...args())).toBe(0);

const numbers = async () => {
  const { rows } = await owner.query<{ samples: number; rsrp: number; due: number; slots: number; compared: number }>(
    `select (select coalesce(sum(samples), 0)::int from coverage_days where resolution = 8) as samples,
       (select coalesce(sum(value::int), 0)::int from coverage_days d, jsonb_each_text(to_jsonb(d)) e (name, value)
          where resolution = 8 and name ~ '^r[0-9]+$') as rsrp,
       (select count(*)::int from coverage_due) as due, (select coalesce(sum(samples), 0)::int from coverage_slots) as slots,
       (select count(*)::int from coverage_vehicle_days) as compared`,
  );
  return rows[0]!;
};

test('POS-06-partial kill -9 while coverage is added up loses no report and counts none twice', async () => {
  await gate.close();
  worker.start(...args());
  await until(() => gate.isAwaited());
  await worker.kill();
  await gate.open();
  await until(async () => !(await gate.isAwaited()));
  const killed = await numbers();
  // Slots are marked and none is added: the transaction that took the marks is gone with the process.
  expect(killed).toMatchObject({ samples: 0, slots: 0 });
  expect(killed.due).toBeGreaterThan(200);

  await runOnce();
  const reports = ROUTERS * (HOURS * 60 + 1);
  const whole = { samples: reports, rsrp: reports, due: 0, slots: reports };
  expect(await numbers()).toMatchObject(whole);
  expect((await numbers()).compared).toBeGreaterThan(0);
  await runOnce();
  expect(await numbers()).toMatchObject(whole);
});
