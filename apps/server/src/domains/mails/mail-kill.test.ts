import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../platform/adapters/database.ts';
import { createSmtpTransport } from '../../platform/adapters/mail/smtp.ts';
import { openDatabase, type OpenedDatabase } from '../../platform/adapters/postgres/connect.ts';
import type { Database } from '../../platform/ports/database.ts';
import type { Log } from '../../platform/ports/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { createGate, type Gate } from '../../testing/gate.ts';
import { createTestSealing } from '../../testing/sealing.ts';
import { until } from '../../testing/process.ts';
import { startTestSmtp, type TestSmtp } from '../../testing/smtp.ts';
import { createWorkerProcess } from '../../testing/worker-process.ts';
import { deliverDueMails } from './mail-delivery.ts';
import { enqueueMail } from './mail-queue.ts';

// Delivery in a separate process, killed with -9 at each step between taking a mail out of the queue and marking it as sent; then
// another process delivers the rest, once the lease of the dead one has expired.

const worker = createWorkerProcess('mail-worker.ts');
const LEASE_OVER_MS = 70_000;
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;
let owner: Client;
let smtp: TestSmtp;
let gate: Gate;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, quiet);
  database = createDatabase(opened.pool, () => {});
  owner = new Client(testDatabase.ownerUrl);
  await owner.connect();
  smtp = await startTestSmtp();
  // While it is closed, every process that marks a mail as sent waits.
  gate = await createGate(owner, 'update on mails', 'new.sent_at is not null');
});
afterEach(async () => {
  await worker.kill();
  await gate.open();
});
afterAll(async () => {
  await smtp.down();
  await owner.end();
  await opened.close();
  await testDatabase.close();
});

/** Put a mail into the queue, and begin to deliver it in another process. @returns its id */
async function beginToDeliver(url: string): Promise<string> {
  const mail = { to: 'someone@x.invalid', subject: 's', plain: 'p', html: 'h', kind: 'account', organizationId: null } as const;
  await database.write((tx) => enqueueMail(tx, mail, new Date()));
  const { id } = await database.read.selectFrom('mails').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
  worker.start(JSON.stringify(testDatabase.settings), url);
  return id;
}

/**
 * Deliver due mails in another process once the lease of the dead one has expired, repeatedly until the mail is marked: the
 * database may take a moment to notice the dead session.
 */
const deliverLater = (id: string) =>
  until(async () => {
    await deliver();
    return isNoted(id);
  });

async function deliver(): Promise<void> {
  const transport = createSmtpTransport(smtp.url, 'Highline <no-reply@highline.invalid>');
  await deliverDueMails({
    database,
    transport,
    sealing: createTestSealing(),
    now: () => new Date(Date.now() + LEASE_OVER_MS),
    log: quiet,
  });
  await transport.close();
}

const timesTaken = (id: string) => smtp.taken.filter(({ headers }) => headers['message-id'] === `<${id}@highline>`).length;
const isNoted = async (id: string) => {
  const row = await database.read.selectFrom('mails').select('sent_at').where('id', '=', id).executeTakeFirst();
  return row !== undefined && row.sent_at !== null;
};

test('NTF-02-partial a process that dies with a mail it has taken out of the queue, and not sent, loses none', async () => {
  const mute = createServer().listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const called = once(mute, 'connection');
  const id = await beginToDeliver(`smtp://127.0.0.1:${(mute.address() as AddressInfo).port}`);
  await called;
  await worker.kill();
  mute.close();
  expect([timesTaken(id), await isNoted(id)]).toEqual([0, false]);
  await deliverLater(id);
  expect([timesTaken(id), await isNoted(id)]).toEqual([1, true]);
});

test('NTF-02-partial one that dies between sending a mail and marking it sends it once more, under the same Message-ID', async () => {
  await gate.close();
  const id = await beginToDeliver(smtp.url);
  await until(() => gate.isAwaited());
  await worker.kill();
  await gate.open();
  expect([timesTaken(id), await isNoted(id)]).toEqual([1, false]);
  await deliverLater(id);
  expect([timesTaken(id), await isNoted(id)]).toEqual([2, true]);
});

test('NTF-02-partial one that dies after marking it does not send it again', async () => {
  const id = await beginToDeliver(smtp.url);
  await until(() => isNoted(id));
  await worker.kill();
  await deliverLater(id);
  expect(timesTaken(id)).toBe(1);
});
