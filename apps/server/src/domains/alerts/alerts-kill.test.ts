import type { PoolClient } from 'pg';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { createGate, type Gate } from '../../testing/gate.ts';
import { silentLog } from '../../testing/log.ts';
import { until } from '../../testing/process.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { createWorkerProcess } from '../../testing/worker-process.ts';
import { createTelemetry } from '../router-state/index.ts';
import { createReadingAlerts, type ReadingAlerts } from './index.ts';

// Each part of the work in a separate process, killed with -9 while its transaction is open and after it; then another process runs it.

const worker = createWorkerProcess('alert-worker.ts');
const at = new Date('2026-11-20T12:00:00Z');
const clock = { now: () => at };
const ROUTERS = 20;
const RULES = 10;
const FOR_SECONDS = 60;
/** It starts twenty processes. */
const LONG_MS = 600_000;

let fleet: RouterDatabase;
let owner: Client;
let gate: Gate;
let routers: readonly TestRouter[];

beforeAll(async () => {
  fleet = await openRouterDatabase();
  owner = new Client(fleet.test.ownerUrl);
  await owner.connect();
  // While it is closed, a process that notes conditions, fires or resolves alerts, or writes a mail waits.
  gate = await createGate(owner, ['insert or update on alert_states', 'insert or update on alerts', 'insert on mails']);
});
beforeEach(async () => {
  routers = await addTestRouters(fleet, ROUTERS);
  for (const table of ['alert_notices', 'alert_bursts', 'alerts', 'alert_states', 'alert_rules', 'mails', 'outbox'])
    await owner.query(`delete from ${table}`);
  // One that is met, and others that are not.
  for (let index = 0; index < RULES; index++)
    await addRule(`Hot ${index}`, { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70 + index * 20 });
});
afterEach(async () => {
  await worker.kill();
  await gate.open();
});
afterAll(async () => {
  await owner.end();
  await fleet.close();
});

async function addRule(name: string, condition: object): Promise<void> {
  await owner.query(
    `insert into alert_rules (organization_id, id, main_account_id, name, is_enabled, severity, kind, condition, for_seconds, scope_kind,
       channels, created_at, updated_at)
     values ($1, $2, $3, $4, true, 'warning', $5::jsonb ->> 'kind', $5::jsonb, $6, 'all',
       '{"mails":["dispatch@x.invalid"],"escalation":null,"quiet":null}', $7, $7)`,
    [fleet.organizationId, newId(), fleet.mainAccountId, name, JSON.stringify(condition), FOR_SECONDS, at],
  );
  await owner.query(
    'insert into alert_rule_versions as v values ($1, 1) on conflict (organization_id) do update set version = v.version + 1',
    [fleet.organizationId],
  );
}

const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
const args = (time: Date, work: string, times = 1) => [
  JSON.stringify(fleet.test.settings),
  time.toISOString(),
  work,
  String(times),
];
const reports = (temperature: number) => JSON.stringify({ routers: routers.map(({ id }) => id), temperature });

/** Do the work in another process, and then once more, as after a kill that came too late. */
const runTwice = async (time: Date, work: string) => expect(await worker.run(...args(time, work, 2))).toBe(0);

/** Kill a process with -9 while its transaction waits at the gate; until the database has noticed. */
async function killInTransaction(time: Date, work: string): Promise<void> {
  await gate.close();
  worker.start(...args(time, work));
  await until(() => gate.isAwaited());
  await worker.kill();
  await gate.open();
  await until(async () => !(await gate.isAwaited()));
}

async function countAll() {
  const { rows } = await owner.query<
    Record<'reports' | 'holding' | 'ended' | 'firing' | 'resolved' | 'mails' | 'events', number>
  >(
    `select (select count(*)::int from telemetry_reports where router_id = any ($1)) as reports,
       (select count(*)::int from alert_states where cleared_at is null) as holding,
       (select count(*)::int from alert_states where cleared_at is not null) as ended,
       (select count(*)::int from alerts where state = 'firing') as firing,
       (select count(*)::int from alerts where state = 'resolved') as resolved,
       (select count(*)::int from mails) as mails, (select count(*)::int from outbox where topic = 'alerts') as events`,
    [routers.map(({ id }) => id)],
  );
  return rows[0]!;
}

/** Statements of each batch, counted where they are sent. */
function counted(lookAt: ReadingAlerts): { readonly lookAt: ReadingAlerts; readonly statements: number[] } {
  const statements: number[] = [];
  return {
    statements,
    lookAt: (client, batch) => {
      const batchNumber = statements.push(0) - 1;
      const query = (...input: Parameters<PoolClient['query']>) => {
        statements[batchNumber]!++;
        return client.query(...input);
      };
      return lookAt({ query } as unknown as PoolClient, batch);
    },
  };
}

/** Every version of every row that alerts have written. */
async function writtenRows(): Promise<string> {
  const { rows } = await owner.query<{ rows: string }>(
    `select concat((select json_agg(s.xmin::text || s.rule_id || s.device_id order by s.rule_id, s.device_id) from alert_states s),
       (select json_agg(c.id order by c.id) from alert_changes c), (select json_agg(a.id order by a.id) from alerts a)) as rows`,
  );
  return rows[0]!.rows;
}

test(
  'ALR-04 conditions are compared where values are stored and their times are rows: kill -9 at any moment loses and doubles nothing, and rules cost one statement for a batch that changes nothing',
  async () => {
    const expected = { reports: 0, holding: 0, ended: 0, firing: 0, resolved: 0, mails: 0, events: 0 };
    const seen = async (change: Partial<typeof expected> = {}) =>
      expect(await countAll()).toEqual(Object.assign(expected, change));

    // Neither the reports nor their conditions, or both. Reports that were not acknowledged are sent again.
    await killInTransaction(at, reports(80));
    await seen();
    await runTwice(at, reports(80));
    await seen({ reports: 2 * ROUTERS, holding: ROUTERS });

    await runTwice(later(FOR_SECONDS - 1), 'fire');
    await seen();
    await killInTransaction(later(FOR_SECONDS), 'fire');
    await seen();
    await runTwice(later(FOR_SECONDS), 'fire');
    await seen({ firing: ROUTERS, events: 1 });

    await killInTransaction(later(FOR_SECONDS + 30), 'send');
    await seen();
    await runTwice(later(FOR_SECONDS + 30), 'send');
    // One mail for all, and the consoles learn that they are one storm.
    await seen({ mails: 1, events: 2 });

    await killInTransaction(later(120), reports(60));
    await seen();
    await runTwice(later(120), reports(60));
    await seen({ reports: 4 * ROUTERS, holding: 0, ended: ROUTERS });
    await killInTransaction(later(120), 'fire');
    await seen();
    await runTwice(later(120), 'fire');
    await seen({ ended: 0, firing: 0, resolved: ROUTERS, events: 3 });

    // Conditions of devices, which a job compares.
    await owner.query("update devices set presence = 'offline', presence_since = $2 where router_id = any ($1)", [
      routers.map(({ id }) => id),
      at,
    ]);
    await addRule('Offline', { kind: 'offline' });
    await killInTransaction(later(180), 'compare');
    await seen();
    await runTwice(later(180), 'compare');
    await seen({ holding: ROUTERS });
    await killInTransaction(later(180), 'fire');
    await seen();
    await runTwice(later(180), 'fire');
    await seen({ firing: ROUTERS, events: 4 });

    await expectOneStatement();
  },
  LONG_MS,
);

/** Batches that change nothing cost one statement and write nothing, whether a condition holds or not. */
async function expectOneStatement(): Promise<void> {
  const now = later(300);
  const { lookAt, statements } = counted(createReadingAlerts({ clock: { now: () => now } }));
  const settings = { batchRows: ROUTERS };
  const telemetry = createTelemetry({ database: fleet.database, clock, log: silentLog, retentionDays: 30, lookAt, settings });
  await telemetry.start();
  const write = (temperature: number) =>
    Promise.all(
      routers.map(({ id }) => telemetry.write(id, [{ at: now.getTime(), parameter: 'temperature', value: temperature }])),
    );
  for (const [changing, unchanged] of [
    [80, 85],
    [60, 55],
  ] as const) {
    await write(changing);
    const before = await writtenRows();
    for (let batch = 0; batch < 3; batch++) await write(unchanged + batch);
    expect(await writtenRows()).toBe(before);
  }
  // At first this process has to read the routers, the rules and when their newest reports were; then one more notes what changed.
  expect(statements).toEqual([5, 1, 1, 1, 2, 1, 1, 1]);
  await telemetry.stop();
}

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
  expect(await countAll()).toMatchObject({ holding: 1, reports: 1 });
  expect(await fleet.telemetryOf(routers[0]!)).toHaveLength(1);
  await telemetry.stop();
});
