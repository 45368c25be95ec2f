import { createSecretKey, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { createDatabase } from '../../platform/adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../../platform/adapters/postgres/connect.ts';
import { createWebCaller } from '../../platform/adapters/web-caller/web-caller.ts';
import type { Database } from '../../platform/ports/database.ts';
import { until } from '../../testing/call.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createGate, type Gate } from '../../testing/gate.ts';
import { silentLog } from '../../testing/log.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts';
import { createWorkerProcess } from '../../testing/worker-process.ts';
import { countWaiting, createSecretSealing, createWebhookWorker, deliverEvents } from './index.ts';
import { mintSecret } from './secret.ts';

// Sending in a separate process, killed with -9 before and after the receiver has answered; then another process takes over.

const worker = createWorkerProcess('webhook-process.ts');
/** Longer than a lease. */
const LATER_MS = 60_000;

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;
let owner: Client;
let receiver: WebhookReceiver;
let gate: Gate;
const masterKey = randomBytes(32);
const sealing = createSecretSealing(createSecretKey(masterKey));
const secret = mintSecret();
const mainAccountId = newId();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
  database = createDatabase(opened.pool, () => {});
  owner = new Client(testDatabase.ownerUrl);
  await owner.connect();
  // While it is closed, every process that records an outcome waits.
  gate = await createGate(owner, 'update on webhook_deliveries', "new.state = 'delivered'");
});
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  const id = newId();
  await database.write(async (tx) => {
    await tx.deleteFrom('webhook_endpoints').execute();
    await tx
      .insertInto('webhook_endpoints')
      .values({
        id,
        main_account_id: mainAccountId,
        organization_id: null,
        name: 'Bot',
        url: receiver.url,
        format: 'standard',
        event_types: ['alert.fired'],
        group_keys: null,
        tags: null,
        is_enabled: true,
        sealed_secret: sealing.seal(id, Buffer.from(secret)),
        previous_secret: null,
        previous_until: null,
        created_by_email: 'x@y.invalid',
        created_at: new Date(),
        updated_at: new Date(),
        failing_since: null,
        suspended_at: null,
        suspended_by: null,
      })
      .execute();
  });
});
afterEach(async () => {
  await worker.kill();
  await gate.open();
  await receiver.close();
});
afterAll(async () => {
  await owner.end();
  await opened.close();
  await testDatabase.close();
});

const alert = (rule: string) => ({
  type: 'alert.fired' as const,
  data: { alert: rule, rule, severity: 'critical', summary: rule, by: null },
  happenedAt: new Date(),
});
async function raiseAndSend(): Promise<void> {
  await database.write((tx) => deliverEvents(tx, { kind: 'main', mainAccountId }, [alert('a')]));
  worker.start(JSON.stringify(testDatabase.settings), masterKey.toString('hex'));
}
const createSender = () =>
  createWebhookWorker({
    database,
    clock: { now: () => new Date() },
    log: silentLog,
    caller: createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1'] }),
    sealing,
    origin: () => 'https://cloud.test',
  });
const states = async () =>
  (await database.read.selectFrom('webhook_deliveries').select('state').execute()).map(({ state }) => state);

/** Another process goes on, once the lease of the dead one is over. */
async function takeOver(): Promise<void> {
  const sender = createWebhookWorker({
    database,
    clock: { now: () => new Date(Date.now() + LATER_MS) },
    log: silentLog,
    caller: createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1'] }),
    sealing,
    origin: () => 'https://cloud.test',
  });
  // The database may take a moment to notice the dead session.
  await until(async () => {
    await sender.job.run(new Date());
    return (await states()).every((state) => state === 'delivered');
  });
  await sender.stop();
}

afterEach(async () => {
  await database.write((tx) => tx.deleteFrom('webhook_deliveries').execute());
});

test('HKS-01-partial a process that is killed before the receiver answers loses no event: another sends it with the same webhook-id', async () => {
  receiver.answer(() => {});
  await raiseAndSend();
  await until(() => receiver.calls.length === 1);
  await worker.kill();
  expect(await states()).toEqual(['waiting']);
  receiver.answer((response) => response.writeHead(204).end());
  await takeOver();
  expect(receiver.calls).toHaveLength(2);
  const [first, second] = receiver.calls;
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(second!.body).toBe(first!.body);
});

test('HKS-01-partial one that is killed after the answer and before it is recorded sends it once more, recognizable', async () => {
  await gate.close();
  await raiseAndSend();
  await until(() => gate.isAwaited());
  await worker.kill();
  await gate.open();
  await takeOver();
  expect(receiver.calls).toHaveLength(2);
  expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  for (const { body, headers } of receiver.calls)
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'alert.fired' });
});

test('HKS-01-partial operators see what is due, since when, what is suspended, and what became of calls', async () => {
  receiver.answer((response) => response.writeHead(receiver.calls.length === 1 ? 500 : 204).end());
  const sender = createSender();
  const waiting = (seconds: number) => countWaiting(database, new Date(Date.now() + seconds * 1_000));
  expect(await waiting(0)).toEqual({ due: 0, oldestSeconds: 0, suspended: 0 });
  await database.write((tx) => deliverEvents(tx, { kind: 'main', mainAccountId }, [alert('a'), alert('b')]));
  const { due, oldestSeconds } = await waiting(90);
  expect(due).toBe(2);
  expect(oldestSeconds).toBeGreaterThanOrEqual(90);
  sender.wake();
  await until(async () => (await states()).filter((state) => state === 'delivered').length === 1 && receiver.calls.length === 2);
  expect(sender.stats()).toEqual({ delivered: 1, again: 1, failed: 0 });
  // What waits for its next attempt is not due.
  expect(await waiting(0)).toEqual({ due: 0, oldestSeconds: 0, suspended: 0 });
  await owner.query('update webhook_endpoints set suspended_at = now()');
  expect(await waiting(90)).toEqual({ due: 0, oldestSeconds: 0, suspended: 1 });
  await sender.stop();
});

test('HKS-01-partial what is stopped in the middle is due for others at once, and counts as no attempt', async () => {
  receiver.answer(() => {});
  await database.write((tx) => deliverEvents(tx, { kind: 'main', mainAccountId }, [alert('a')]));
  const sender = createSender();
  sender.wake();
  await until(() => receiver.calls.length === 1);
  await sender.stop();
  const [row] = await database.read.selectFrom('webhook_deliveries').select(['state', 'attempts', 'next_at']).execute();
  expect(row).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(row!.next_at!.getTime()).toBeLessThanOrEqual(Date.now());
});
