import { createCipheriv, createECDH, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { createPushBrowser } from '@highline/testkit/push-browser';
import {
  createSecretSealing,
  createServerPushKey,
  createWebCaller,
  createWebhookWorker,
  deliverEvents,
  derivePushKey,
  newId,
  pushKeyPairOf,
  type OrganizationScope,
} from '@highline/testkit/webhooks';
import { Agent, request } from 'undici';
import { startChild } from './child.ts';
import { openParts, seedOrganization, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareWork, measureWork, rateFigures } from './compare.ts';
import { options } from './options.ts';
import { printTable, whole } from './table.ts';
import type { WebhookReceiverResponses } from './webhooks.receiver.ts';

const BROWSERS = options.short ? 100 : 1_000;
const ROUNDS = options.short ? 2 : 5;
/** Calls at once, as ours makes them to so many endpoints. */
const AT_ONCE = 256;
/** Of a message before it is encrypted. */
const MESSAGE_BYTES = 200;

/** One alert as push messages to a thousand browsers, encrypted for each, until their outcomes are recorded, next to bare undici and node:crypto (SAY-05). */
export async function benchPush(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_push');
  const receiver = await startChild<WebhookReceiverResponses>('webhooks.receiver.ts');
  const { deps, close } = await openParts(database, 8);
  const url = await receiver.ask('url');
  const masterKey = createSecretKey(randomBytes(32));
  const sealing = createSecretSealing(masterKey);
  const pushKey = createServerPushKey(pushKeyPairOf(derivePushKey(masterKey)), () => 'https://cloud.example');
  const { main, organizationId } = await seedOrganization(database);
  const scope: OrganizationScope = { kind: 'organization', mainAccountId: main.mainAccountId, organizationId };
  const keys = Array.from({ length: BROWSERS }, () => createPushBrowser().keys);
  const browsers = await addBrowsers(database, scope, url, keys, (id, each) => sealing.seal(id, Buffer.from(each)));
  const caller = createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1'] });
  const worker = createWebhookWorker({ ...deps, origin: () => 'https://cloud.example', caller, sealing, pushKey });
  const deliver = async () => {
    await database.owner.query('truncate webhook_deliveries');
    const data = { alert: newId(), rule: 'Vehicle lost', severity: 'critical', summary: 'Bus 7', by: null };
    const fired = { type: 'alert.fired' as const, data, happenedAt: new Date() };
    await deps.database.write((tx) => deliverEvents(tx, scope, [fired], browsers, 'named'));
    await receiver.ask('reset');
    const spent = await measureWork(cluster, async () => {
      worker.wake();
      await allDelivered(database);
    });
    const { all } = await receiver.ask('received');
    if (all !== BROWSERS) throw new Error(`received ${all} messages`);
    return spent;
  };
  const spent = await compareWork(ROUNDS, { ours: deliver, bare: () => measureWork(cluster, () => sendBare(url, keys)) });
  await worker.stop();
  printTable(
    'Push messages',
    rateFigures(
      'browsers, recorded → encrypted → confirmed → recorded, per second',
      BROWSERS,
      spent.ours,
      spent.bare,
      '≥ 0.67 ×',
    ),
    [
      `Ceiling: bare undici posts as many bodies to the same receiver, ${AT_ONCE} at once, out of memory, each encrypted for its browser with bare node:crypto (RFC 8291: a key pair, a shared secret, three HKDF and AES for each message); measured in turn, the medians of ${ROUNDS}.`,
      `${whole(BROWSERS)} browsers with keys of their own, one alert; each got one message.`,
    ],
  );
  await close();
  await receiver.stop();
  await database.close();
}

async function addBrowsers(
  { owner }: BenchDatabase,
  { mainAccountId, organizationId }: OrganizationScope,
  url: string,
  keys: readonly BrowserKeys[],
  seal: (id: string, keys: string) => Buffer,
): Promise<string[]> {
  const rows = keys.map((each, index) => {
    const id = newId();
    return { id, url: `${url}/${index}`, secret: seal(id, JSON.stringify(each)).toString('hex') };
  });
  await owner.query(
    `insert into webhook_endpoints (id, main_account_id, organization_id, name, url, format, event_types, is_enabled, sealed_secret,
       created_by_email, created_at, updated_at, account_id, language)
     select e.id, $1, $2, 'a@b.invalid', e.url, 'push', '{}', true, decode(e.secret, 'hex'), 'a@b.invalid', now(), now(),
       (select id from accounts where organization_id = $2 limit 1), 'en-US'
     from jsonb_to_recordset($3) as e (id uuid, url text, secret text)`,
    [mainAccountId, organizationId, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}

async function allDelivered({ owner }: BenchDatabase): Promise<void> {
  for (;;) {
    const { rows } = await owner.query("select from webhook_deliveries where state = 'waiting' limit 1");
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

type BrowserKeys = ReturnType<typeof createPushBrowser>['keys'];

async function sendBare(url: string, keys: readonly BrowserKeys[]): Promise<void> {
  const agent = new Agent({ pipelining: 1, keepAliveTimeout: 10_000 });
  const message = randomBytes(MESSAGE_BYTES);
  const headers = { 'content-type': 'application/octet-stream', 'content-encoding': 'aes128gcm', ttl: '86400' };
  let next = 0;
  const send = async () => {
    for (let index = next++; index < BROWSERS; index = next++) {
      const body = encryptBare(message, keys[index]!);
      const response = await request(`${url}/${index}`, { dispatcher: agent, method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  await agent.close();
}

/** What RFC 8291 has a sender compute for each message, and no more. */
function encryptBare(message: Buffer, { p256dh, auth }: BrowserKeys): Buffer {
  const sender = createECDH('prime256v1');
  sender.generateKeys();
  const [point, own, salt] = [Buffer.from(p256dh, 'base64url'), sender.getPublicKey(), randomBytes(16)];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, own]);
  const input = Buffer.from(hkdfSync('sha256', sender.computeSecret(point), Buffer.from(auth, 'base64url'), info, 32));
  const derived = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', input, salt, purpose, bytes));
  const cipher = createCipheriv(
    'aes-128-gcm',
    derived('Content-Encoding: aes128gcm\0', 16),
    derived('Content-Encoding: nonce\0', 12),
  );
  return Buffer.concat([salt, own, cipher.update(message), cipher.final(), cipher.getAuthTag()]);
}
