import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../testing/call.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase } from '../../testing/routers.ts';

// The job in a separate process, killed with -9 while it adds up; then another process runs it.

const worker = fileURLToPath(new URL('../../testing/coverage-worker.ts', import.meta.url));
/** A number that no other lock uses. */
const COVERAGE_LOCK = 4713;
const at = '2026-11-20T12:00:00Z';
/** More slots than one transaction reads. */
const ROUTERS = 30;
const HOURS = 2;

let fleet: RouterDatabase;
let owner: Client;
let child: ChildProcess | undefined;

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
  // While the lock is held, a process that adds up waits with the second row of its statement.
  await owner.query(`
    create function await_coverage() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${COVERAGE_LOCK});
      return new;
    end $$;
    create trigger await_coverage after insert or update on coverage_days for each row execute function await_coverage()`);
});
afterEach(async () => {
  await kill();
  await owner.query('select pg_advisory_unlock_all()');
});
afterAll(async () => {
  await owner.end();
  await fleet.close();
});

function start(): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', worker, JSON.stringify(fleet.test.settings), at];
  child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return child;
}

async function kill(): Promise<void> {
  const killed = child;
  child = undefined;
  if (killed === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
  const gone = once(killed, 'exit');
  killed.kill('SIGKILL');
  await gone;
}

async function runOnce(): Promise<void> {
  const [code] = (await once(start(), 'exit')) as [number];
  expect(code).toBe(0);
}

const waiting = async () =>
  (await owner.query("select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted", [COVERAGE_LOCK])).rows
    .length;
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
  await owner.query('select pg_advisory_lock($1)', [COVERAGE_LOCK]);
  start();
  await until(async () => (await waiting()) > 0);
  await kill();
  await owner.query('select pg_advisory_unlock_all()');
  await until(async () => (await waiting()) === 0);
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
