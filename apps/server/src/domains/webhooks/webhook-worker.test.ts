import { createSecretKey, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { createDatabase } from '../../platform/adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../../platform/adapters/postgres/connect.ts';
import { createWebCaller } from '../../platform/adapters/web-caller/web-caller.ts';
import type { Database } from '../../platform/ports/database.ts';
import { until } from '../../testing/call.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { silentLog } from '../../testing/log.ts';
import { startCallReceiver, type CallReceiver } from '../../testing/call-receiver.ts';
import {
  countWaiting,
  createSecretSealing,
  createServerPushKey,
  createWebhookWorker,
  deliverEvents,
  derivePushKey,
  pushKeyPairOf,
} from './index.ts';
import { mintSecret } from './secret.ts';

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;
let owner: Client;
let receiver: CallReceiver;
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
});
beforeEach(async () => {
  receiver = await startCallReceiver();
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
const createSender = () =>
  createWebhookWorker({
    database,
    clock: { now: () => new Date() },
    log: silentLog,
    caller: createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1'] }),
    sealing,
    pushKey: createServerPushKey(pushKeyPairOf(derivePushKey(createSecretKey(masterKey))), () => 'https://cloud.test'),
    origin: () => 'https://cloud.test',
  });
const states = async () =>
  (await database.read.selectFrom('webhook_deliveries').select('state').execute()).map(({ state }) => state);

afterEach(async () => {
  await database.write((tx) => tx.deleteFrom('webhook_deliveries').execute());
});

test('HKS-01-partial operators see what is due, since when, what is suspended, and what became of calls', async () => {
  receiver.respond((response) => response.writeHead(receiver.calls.length === 1 ? 500 : 204).end());
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
  receiver.respond(() => {});
  await database.write((tx) => deliverEvents(tx, { kind: 'main', mainAccountId }, [alert('a')]));
  const sender = createSender();
  sender.wake();
  await until(() => receiver.calls.length === 1);
  await sender.stop();
  const [row] = await database.read.selectFrom('webhook_deliveries').select(['state', 'attempts', 'next_at']).execute();
  expect(row).toMatchObject({ state: 'waiting', attempts: 0 });
  expect(row!.next_at!.getTime()).toBeLessThanOrEqual(Date.now());
});
