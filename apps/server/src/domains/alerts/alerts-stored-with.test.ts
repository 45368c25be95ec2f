import type { PoolClient } from 'pg';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { silentLog } from '../../testing/log.ts';
import { addTestRouters, openRouterDatabase, type RouterDatabase, type TestRouter } from '../../testing/routers.ts';
import { createTelemetry } from '../router-state/index.ts';
import { createReadingAlerts, type ReadingAlerts } from './index.ts';

const at = new Date('2026-11-20T12:00:00Z');
const clock = { now: () => at };
const ROUTERS = 20;
const RULES = 10;
const FOR_SECONDS = 60;

let fleet: RouterDatabase;
let owner: Client;
let routers: readonly TestRouter[];

beforeAll(async () => {
  fleet = await openRouterDatabase();
  owner = new Client(fleet.test.ownerUrl);
  await owner.connect();
});
beforeEach(async () => {
  routers = await addTestRouters(fleet, ROUTERS);
  for (const table of ['alert_states', 'alert_rules']) await owner.query(`delete from ${table}`);
  // One that is met, and others that are not.
  for (let index = 0; index < RULES; index++)
    await addRule(`Hot ${index}`, { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70 + index * 20 });
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

test('ALR-04-partial rules cost one statement for a batch that changes nothing, and write nothing then, whether a condition holds or not', async () => {
  const now = new Date(at.getTime() + 300_000);
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
  const { rows } = await owner.query('select from alert_states where cleared_at is null');
  expect(rows).toHaveLength(1);
  expect(await fleet.telemetryOf(routers[0]!)).toHaveLength(1);
  await telemetry.stop();
});
