import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { createGate, type Gate } from '../../testing/gate.ts';
import { silentLog } from '../../testing/log.ts';
import { until } from '../../testing/process.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { createWorkerProcess } from '../../testing/worker-process.ts';
import { createTelemetry } from '../router-state/index.ts';
import { createReadingAlerts } from './index.ts';

// The job in a separate process, killed with -9 while its transaction is open and after it; then another process runs it.

const worker = createWorkerProcess('alert-worker.ts');
const at = new Date('2026-11-20T12:00:00Z');
const clock = { now: () => at };
const ROUTERS = 20;

let fleet: RouterDatabase;
let owner: Client;
let gate: Gate;
let routers: readonly TestRouter[];

beforeAll(async () => {
  fleet = await openRouterDatabase();
  owner = new Client(fleet.test.ownerUrl);
  await owner.connect();
  // While it is closed, a process that fires or resolves an alert waits.
  gate = await createGate(owner, 'insert or update on alerts');
});
beforeEach(async () => {
  routers = await addTestRouters(fleet, ROUTERS);
  await owner.query('delete from alerts; delete from alert_states; delete from alert_rules; delete from outbox');
  await owner.query(
    `insert into alert_rules (organization_id, id, main_account_id, name, is_enabled, severity, kind, condition, for_seconds, scope_kind,
       channels, created_at, updated_at)
     values ($1, $2, $3, 'Hot', true, 'warning', 'reading',
       '{"kind":"reading","reading":"temperature","operator":"above","threshold":70}', 0, 'all',
       '{"mails":[],"escalation":null,"quiet":null}', $4, $4)`,
    [fleet.organizationId, newId(), fleet.mainAccountId, at],
  );
  await owner.query(
    'insert into alert_rule_versions as v values ($1, 1) on conflict (organization_id) do update set version = v.version + 1',
    [fleet.organizationId],
  );
});
afterEach(async () => {
  await worker.kill();
  await gate.open();
});
afterAll(async () => {
  await owner.end();
  await fleet.close();
});

const args = () => [JSON.stringify(fleet.test.settings), at.toISOString()];

/** Run the job in another process to its end. */
const runOnce = async () => expect(await worker.run(...args())).toBe(0);

/** Kill it with -9 while its transaction waits at the gate; until the database has noticed. */
async function killInTransaction(): Promise<void> {
  await gate.close();
  worker.start(...args());
  await until(() => gate.isAwaited());
  await worker.kill();
  await gate.open();
  await until(async () => !(await gate.isAwaited()));
}

async function measure(value: number): Promise<void> {
  const lookAt = createReadingAlerts({ clock });
  const telemetry = createTelemetry({ database: fleet.database, clock, log: silentLog, retentionDays: 30, lookAt });
  await telemetry.start();
  const samples = [{ at: at.getTime(), parameter: 'temperature' as const, value }];
  await Promise.all(routers.map(({ id }) => telemetry.write(id, samples)));
  await telemetry.stop();
}

const numbers = async () => {
  const { rows } = await owner.query<{ firing: number; resolved: number; states: number; events: number }>(
    `select (select count(*)::int from alerts where state = 'firing') as firing, (select count(*)::int from alerts where state = 'resolved') as resolved,
       (select count(*)::int from alert_states) as states, (select count(*)::int from outbox where topic = 'alerts') as events`,
  );
  return rows[0]!;
};

test('ALR-04-partial kill -9 while alerts fire or are resolved loses and doubles none', async () => {
  await measure(80);
  await killInTransaction();
  expect(await numbers()).toEqual({ firing: 0, resolved: 0, states: ROUTERS, events: 0 });
  await runOnce();
  expect(await numbers()).toEqual({ firing: ROUTERS, resolved: 0, states: ROUTERS, events: 1 });
  await runOnce();
  expect(await numbers()).toEqual({ firing: ROUTERS, resolved: 0, states: ROUTERS, events: 1 });

  await measure(60);
  await killInTransaction();
  expect(await numbers()).toEqual({ firing: ROUTERS, resolved: 0, states: ROUTERS, events: 1 });
  await runOnce();
  await runOnce();
  expect(await numbers()).toEqual({ firing: 0, resolved: ROUTERS, states: 0, events: 2 });
});

test('ALR-04-partial a report that was not committed leaves no condition behind, and its repetition begins it once', async () => {
  const lookAt = createReadingAlerts({ clock });
  let isFirst = true;
  const telemetry = createTelemetry({
    database: fleet.database,
    clock,
    log: silentLog,
    retentionDays: 30,
    lookAt: async (client, reports) => {
      const committed = await lookAt(client, reports);
      if (!isFirst) return committed;
      isFirst = false;
      // The database ends the transaction after the condition was written.
      await client.query('select pg_terminate_backend(pg_backend_pid())');
      return committed;
    },
  });
  await telemetry.start();
  await telemetry.write(routers[0]!.id, [{ at: at.getTime(), parameter: 'temperature', value: 80 }]);
  expect(await numbers()).toMatchObject({ states: 1 });
  expect(await fleet.telemetryOf(routers[0]!)).toHaveLength(1);
  await telemetry.stop();
});
