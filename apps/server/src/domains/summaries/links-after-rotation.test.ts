import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLinkSealing, writeLink } from './link.ts';
import { derivePushKey, pushKeyPairOf } from '../webhooks/index.ts';
import { ask, send, until } from '../../testing/call.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startTestSmtp, type TestSmtp } from '../../testing/smtp.ts';
import { run } from '../../cli/run.ts';

const [before, after] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
const [outside, earlier] = ['partner@else.test', 'auditor@else.test'];

let folder: string;
let database: TestDatabase;
let smtp: TestSmtp;
let bearer: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-kept-keys-'));
  database = await createTestDatabase();
  smtp = await startTestSmtp();
});
afterAll(async () => {
  await smtp.down();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const start = (masterKey: string) =>
  startTestServer({
    database,
    folder,
    masterKey,
    environment: { SMTP_URL: smtp.url, MAIL_FROM: 'Highline <console@late.test>', MAIL_BOUNCES: 'bounces@late.test' },
  });

async function rotate(): Promise<void> {
  const environment = {
    PUBLIC_URL: 'https://fleet.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_URL: 'none',
    HIGHLINE_DATA_DIR: '/dev/null/none',
    DATABASE_URL: database.ownerUrl,
    DATABASE_SERVE_URL: database.serveUrl,
    HIGHLINE_MASTER_KEY: after,
    HIGHLINE_MASTER_KEY_PREVIOUS: before,
  };
  let faults = '';
  expect([await run(['key', 'rotate'], { environment, out: () => {}, err: (text) => (faults += text) }), faults]).toEqual([
    0,
    '',
  ]);
}

const pushKeyOf = async ({ url }: TestServer) =>
  (await ask<{ publicKey: string }>(`${url}/data_manager/v1/alerts/people/push`, { bearer })).publicKey;
const openLink = async ({ url }: TestServer, token: string) =>
  (await send(`${url}/dmp_aa/api/v1/summaries/link?token=${token}`, { body: {} })).json();

test('RPM-03-partial SAY-05-partial links in mails, addresses of returned mails and browsers go on after a new master key', async () => {
  const first = await start(before);
  const { scope: main } = await first.seeding.mainAccount('Home');
  const own = await first.seeding.organization(main, 'Own');
  bearer = await first.seeding.bearer(await first.seeding.account(own, 'admin@late.test', 'admin'));
  const timing = { format: 'csv', zone: 'UTC', language: 'en-US', every: 'day', onDay: 1, hour: 6 };
  const summary = { name: 'Outside', kind: 'inventory', ...timing, recipients: [outside, earlier] };
  await ask(`${first.url}/data_manager/v1/dm/summaries`, { bearer, body: summary });
  const pushKey = await pushKeyOf(first);
  // The one that browsers registered with before it was stored.
  expect(pushKey).toBe(pushKeyPairOf(derivePushKey(createSecretKey(Buffer.from(before, 'hex')))).publicKey);
  await first.close();

  // Jobs run at the start: who is outside gets a question.
  const second = await start(before);
  const mail = await until(() => smtp.taken.find(({ to }) => to[0] === outside));
  const [, token = ''] =
    /account\.html\?confirm=([\w-]+)/u.exec(mail.raw.replaceAll(/=\r?\n/gu, '').replaceAll('=3D', '=')) ?? [];
  const sealing = createLinkSealing(createSecretKey(Buffer.from(before, 'hex')));
  const old = writeLink(sealing, { purpose: 'confirm', ownerId: own.organizationId, mail: earlier });
  expect(await openLink(second, old)).toEqual({ result: { purpose: 'confirmed' } });
  await second.close();

  await rotate();
  const third = await start(after);
  expect(await pushKeyOf(third)).toBe(pushKey);
  expect(await openLink(third, token)).toEqual({ result: { purpose: 'confirmed' } });
  const returned = { address: mail.from, status: '5.1.1', reason: 'No such person' };
  expect(await ask(`${third.url}/dmp_aa/api/v1/mails/bounce`, { body: returned })).toEqual({ outcome: 'noted' });
  expect(await openLink(third, old)).toMatchObject({ error: { key: 'summary.link_invalid' } });
  await third.close();
});
