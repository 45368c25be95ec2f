import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBucket } from '../platform/adapters/s3/bucket.ts';
import { readBucketUrl } from '../platform/settings/bucket-url.ts';
import { run } from '../cli/run.ts';
import { createCheckpoints } from '../domains/logs/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { silentLog } from '../testing/log.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../testing/rollouts.ts';
import { startS3Server, type S3Server } from '../testing/s3-server.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { fetchDownload, type Operation } from '../testing/updating-router.ts';

let s3: S3Server;
let database: TestDatabase;
let folder: string;
let bucketUrl: string;
/** B has the routers. */
let b: RolloutFixture;
const masterKey = randomBytes(32).toString('hex');

beforeAll(async () => {
  s3 = await startS3Server();
  bucketUrl = await s3.bucketUrl('fleet');
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'highline-shared-'));
  b = await openRolloutFixture({ database, masterKey, bucketUrl });
});
afterAll(async () => {
  await b.close();
  await database.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

/** A router of a group with a firmware, and the command that it received. */
async function orderDownload(firmware: string): Promise<Operation> {
  const group = await b.group();
  const [router] = (await b.routers(group, 1)) as [GroupRouter];
  await router.connect();
  await b.bind('firmware', group, firmware);
  await b.awaitRequests(router, 1);
  return router.operations[0]!;
}

const startA = () => startTestServer({ database, masterKey, bucketUrl, folder: join(folder, 'a'), clock: b.clock });

/** Upload an image as the main account does. */
async function send(server: TestServer, image: Buffer<ArrayBuffer>, version: string): Promise<Response> {
  const account = await server.seeding.account(
    { kind: 'main', mainAccountId: b.scope.mainAccountId },
    `${randomBytes(6).toString('hex')}@highline.invalid`,
    'main',
  );
  const form = new FormData();
  form.append('version', version);
  form.append('profile', 'HL-R320');
  form.append('file', new Blob([image]), 'image.img');
  const headers = { authorization: `Bearer ${await server.seeding.bearer(account)}` };
  return fetch(`${server.url}/data_manager/v1/dm/firmware`, { method: 'POST', headers, body: form });
}

test('NOD-01-partial files uploaded at A are served by B', async () => {
  const a = await startA();
  const image = a.seeding.image({ model: 'HL-R320', version: '2.9.0', payload: randomBytes(700_000) });
  const response = await send(a, image, '2.9.0');
  expect(response.status).toBe(200);
  const { result } = (await response.json()) as { result: { pk: string } };
  await a.close();

  const operation = await orderDownload(result.pk);
  expect(Buffer.from(await (await fetchDownload(operation)).arrayBuffer()).equals(image)).toBe(true);
  const rest = await fetchDownload(operation, { range: 'bytes=600000-' });
  expect([rest.status, Buffer.from(await rest.arrayBuffer()).equals(image.subarray(600_000))]).toEqual([206, true]);
});

test('NOD-01-partial where routers reach the store, firmware is read there, one download at a time as before, and the rest through us', async () => {
  const environment = { BLOBS_PUBLIC_URL: new URL(bucketUrl).origin.replace('127.0.0.1', 'localhost') };
  const c = await openRolloutFixture({ bucketUrl: await s3.bucketUrl('public'), environment, downloads: 1 });
  const payload = randomBytes(50_000);
  const group = await c.group();
  const routers = await c.routers(group, 2);
  for (const router of routers) await router.connect();
  const rollout = await c.bind('firmware', group, await c.firmware('3.0.0', 'HL-R320', payload));
  await expect.poll(() => routers.flatMap((router) => router.operations).length).toBe(1);
  const [first, second] = routers.toSorted((one, other) => other.operations.length - one.operations.length) as [
    GroupRouter,
    GroupRouter,
  ];
  const operation = first.operations[0]!;
  const ask = (headers: Readonly<Record<string, string>> = {}, method = 'GET', password = operation.args['Password']) => {
    const authorization = `Basic ${Buffer.from(`${operation.args['Username']}:${password}`).toString('base64')}`;
    return fetch(operation.args['URL']!, { method, headers: { authorization, ...headers }, redirect: 'manual' });
  };
  const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;

  const response = await ask();
  const location = response.headers.get('location')!;
  expect([response.status, new URL(location).origin]).toEqual([302, environment.BLOBS_PUBLIC_URL]);
  const image = Buffer.from(await (await fetch(location)).arrayBuffer());
  expect([image.length, image.includes(payload)]).toEqual([Number(operation.args['FileSize']), true]);
  // With a part received it is redirected again; with the same request again it is served here, and so is what the store cannot answer.
  const [range, rest] = [{ range: 'bytes=1000-' }, { range: 'bytes=2000-' }];
  expect([
    await statusOf({}, 'GET', 'wrong'),
    await statusOf({}, 'HEAD'),
    await statusOf({ ...range, 'if-range': '"x"' }),
  ]).toEqual([404, 200, 200]);
  expect([await statusOf(range), await statusOf(range), await statusOf(rest)]).toEqual([302, 206, 206]);

  // Its place among the downloads is free again with its end, not with the redirect.
  await c.becomes(rollout, second, { reason: 'queued' });
  await first.complete(operation);
  await c.awaitRequests(second, 1);

  const other = await c.group();
  const [third] = (await c.routers(other, 1)) as [GroupRouter];
  await third.connect();
  await c.bind('config', other, await c.config('public.cfg'));
  await c.awaitRequests(third, 1);
  expect(await fetchDownload(third.operations[0]!)).toMatchObject({ status: 200, redirected: false });
  await c.close();
});

test('NOD-01-partial a log written at A and B verifies with the exports, keys and checkpoints of both', async () => {
  const a = await startA();
  const account = await a.seeding.account(b.scope, `${randomBytes(6).toString('hex')}@highline.invalid`, 'admin');
  const bearer = await a.seeding.bearer(account);
  const call = (server: TestServer, path: string) =>
    fetch(`${server.url}/data_manager/v1/operation_log/${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  const sign = async ({ installation, database: tables }: TestServer) => {
    const { auditKey, checkpoints: store } = installation;
    await createCheckpoints({ database: tables, store, privateKey: auditKey.privateKey, log: silentLog })(b.clock.now());
  };
  await a.seeding.config(b.scope, { name: 'at-a.cfg' });
  await sign(a);
  await b.config('at-b.cfg');
  await sign(b.server);

  const bucket = createBucket(readBucketUrl(bucketUrl)!, silentLog);
  for (const key of await s3.keys('fleet'))
    if (key.startsWith('audit/')) await writeFile(join(folder, basename(key)), (await bucket.read(key))!);
  bucket.close();
  const file = (name: string) => join(folder, name);
  for (const [name, server, other] of [['a', a, b.server] as const, ['b', b.server, a] as const]) {
    await writeFile(file(`${name}.log`), await (await call(server, 'evidence')).text());
    const { result } = (await (await call(other, 'key')).json()) as { result: { publicKey: string } };
    await writeFile(file(`${name}.pem`), result.publicKey);
    const printed = { out: '', err: '' };
    const code = await run(['audit', 'verify', '--key', file(`${name}.pem`), '--checkpoints', folder, file(`${name}.log`)], {
      environment: {},
      out: (text) => (printed.out += text),
      err: (text) => (printed.err += text),
    });
    expect([code, printed.err, printed.out]).toEqual([0, '', expect.stringMatching(/[1-9]\d* checkpoints agree/u)]);
  }
  await a.close();
});

test('NOD-01-partial while the store is down, a download and an upload answer 503 with Retry-After', async () => {
  const operation = await orderDownload(await b.firmware('3.0.0'));
  await s3.kill();
  const download = await fetchDownload(operation);
  expect([download.status, download.headers.get('retry-after')]).toEqual([503, '2']);
  const image = b.server.seeding.image({ model: 'HL-R320', version: '3.1.0' });
  expect((await send(b.server, image, '3.1.0')).status).toBe(503);
});
