import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { silentLog } from '../../testing/log.ts';
import { until } from '../../testing/process.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { createTelemetry } from '../router-state/index.ts';
import { createReadingAlerts } from './index.ts';

// The job in a separate process, killed with -9 while its transaction is open and after it; then another process runs it.

const worker = fileURLToPath(new URL('../../testing/alert-worker.ts', import.meta.url));
/** A number that no other lock uses. */
const ALERT_LOCK = 4712;
const at = new Date('2026-11-20T12:00:00Z');
const clock = { now: () => at };
const ROUTERS = 20;

let fleet: RouterDatabase;
let owner: Client;
let child: ChildProcess | undefined;
let routers: readonly TestRouter[];

beforeAll(async () => {
  fleet = await openRouterDatabase();
  owner = new Client(fleet.test.ownerUrl);
  await owner.connect();
  // While the lock is held, a process that fires or resolves an alert waits.
  await owner.query(`
    create function await_alert() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${ALERT_LOCK});
      return new;
    end $$;
    create trigger await_alert before insert or update on alerts for each row execute function await_alert()`);
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
  await kill();
  await owner.query('select pg_advisory_unlock_all()');
});
afterAll(async () => {
  await owner.end();
  await fleet.close();
});

function start(): ChildProcess {
  const args = ['--disable-warning=ExperimentalWarning', worker, JSON.stringify(fleet.test.settings), at.toISOString()];
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

/** Run the job in another process to its end. */
async function runOnce(): Promise<void> {
  const [code] = (await once(start(), 'exit')) as [number];
  expect(code).toBe(0);
}

/** Kill it with -9 while its transaction waits for the lock; until the database has noticed. */
async function killInTransaction(): Promise<void> {
  const waiting = async () =>
    (await owner.query("select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted", [ALERT_LOCK])).rows
      .length;
  await owner.query('select pg_advisory_lock($1)', [ALERT_LOCK]);
  start();
  await until(async () => (await waiting()) > 0);
  await kill();
  await owner.query('select pg_advisory_unlock_all()');
  await until(async () => (await waiting()) === 0);
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
