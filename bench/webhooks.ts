import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import {
  createSecretSealing,
  createServerPushKey,
  createWebCaller,
  createWebhookWorker,
  deliverEvents,
  derivePushKey,
  newId,
  pushKeyPairOf,
  type Database,
  type OrganizationScope,
} from '@highline/testkit/webhooks';
import { startChild } from './child.ts';
import { openParts, seedOrganization, type BenchDatabase, type Cluster } from './cluster.ts';
import { compareWork, measureWork, rateFigures } from './compare.ts';
import { options } from './options.ts';
import { printTable, whole } from './table.ts';
import type { WebhookReceiverResponses } from './webhooks.receiver.ts';

const EVENTS = options.short ? 500 : 10_000;
const ENDPOINTS = 10;
const ROUNDS = options.short ? 2 : 5;
/** Calls at once, as ours makes them to so many endpoints. */
const AT_ONCE = 256;

/** Recorded events to a receiver that confirms all, until their outcomes are recorded, next to bare undici (HKS-01). */
export async function benchWebhooks(cluster: Cluster): Promise<void> {
  const database = await cluster.open('bench_webhooks');
  const receiver = await startChild<WebhookReceiverResponses>('webhooks.receiver.ts');
  const { deps, close } = await openParts(database, 8);
  const served = deps.database;
  const url = await receiver.ask('url');
  const masterKey = createSecretKey(randomBytes(32));
  const sealing = createSecretSealing(masterKey);
  const pushKey = createServerPushKey(pushKeyPairOf(derivePushKey(masterKey)), () => 'https://cloud.example');
  const secret = randomBytes(32);
  const { main, organizationId } = await seedOrganization(database);
  const scope: OrganizationScope = { kind: 'organization', mainAccountId: main.mainAccountId, organizationId };
  await addEndpoints(database, scope, url, (id) => sealing.seal(id, Buffer.from(`whsec_${secret.toString('base64')}`)));
  const caller = createWebCaller({ allowsHttp: true, allowedNetworks: ['127.0.0.1'] });
  const worker = createWebhookWorker({ ...deps, origin: () => 'https://cloud.example', caller, sealing, pushKey });

  const deliver = async () => {
    await database.owner.query('truncate webhook_deliveries');
    await recordEvents(served, scope);
    await receiver.ask('reset');
    const spent = await measureWork(cluster, async () => {
      worker.wake();
      await allDelivered(database);
    });
    const { all, different } = await receiver.ask('received');
    if (all !== EVENTS || different !== EVENTS) throw new Error(`received ${all} calls, of ${different} events`);
    return spent;
  };
  const spent = await compareWork(ROUNDS, { ours: deliver, bare: () => measureWork(cluster, () => sendBare(url, secret)) });
  await worker.stop();
  printTable(
    'Webhooks',
    rateFigures('events, recorded → confirmed → recorded, per second', EVENTS, spent.ours, spent.bare, '≥ 0.67 ×'),
    [
      `Ceiling: bare undici posts as many signed bodies to the same receiver, ${AT_ONCE} at once, out of memory; measured in turn, the medians of ${ROUNDS}.`,
      `${whole(EVENTS)} events, ${ENDPOINTS} endpoints of one organization; each event reached the receiver exactly once.`,
    ],
  );
  await close();
  await receiver.stop();
  await database.close();
}

const event = (index: number) => ({
  type: 'alert.fired' as const,
  data: { alert: newId(), rule: 'Weak signal', severity: 'warning', summary: `Weak signal: -1${index % 100} dBm`, by: null },
  happenedAt: new Date(),
});

async function addEndpoints(
  { owner }: BenchDatabase,
  { mainAccountId, organizationId }: OrganizationScope,
  url: string,
  seal: (id: string) => Buffer,
): Promise<void> {
  for (let index = 0; index < ENDPOINTS; index++) {
    const id = newId();
    await owner.query(
      `insert into webhook_endpoints (id, main_account_id, organization_id, name, url, format, event_types, is_enabled, sealed_secret,
         created_by_email, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'standard', '{alert.fired}', true, $6, 'x@y.invalid', now(), now())`,
      [id, mainAccountId, organizationId, `Program ${index}`, `${url}/${index}`, seal(id)],
    );
  }
}

/** One event for each endpoint makes one row each. */
async function recordEvents(database: Database, scope: OrganizationScope): Promise<void> {
  const events = Array.from({ length: EVENTS / ENDPOINTS }, (_, index) => event(index));
  await database.write((tx) => deliverEvents(tx, scope, events));
}

async function allDelivered({ owner }: BenchDatabase): Promise<void> {
  for (;;) {
    const { rows } = await owner.query("select from webhook_deliveries where state = 'waiting' limit 1");
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The same calls without a database: signed as ours, as many at once. */
async function sendBare(url: string, secret: Buffer): Promise<void> {
  const agent = new Agent({ pipelining: 1, keepAliveTimeout: 10_000 });
  let next = 0;
  const send = async () => {
    for (let index = next++; index < EVENTS; index = next++) {
      const { type, data, happenedAt } = event(index);
      const body = JSON.stringify({ type, timestamp: happenedAt.toISOString(), data });
      const [id, timestamp] = [`msg_${index}`, String(Math.floor(Date.now() / 1_000))];
      const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
      const response = await request(`${url}/${index % ENDPOINTS}`, { dispatcher: agent, method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  await agent.close();
}
