import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../../testing/log.ts';
import { startS3Server, type S3Server } from '../../../testing/s3-server.ts';
import type { Checkpoint } from '../../ports/checkpoints.ts';
import { readBucketUrl } from '../../settings/bucket-url.ts';
import { createBucket, type Bucket } from '../s3/bucket.ts';
import { createBucketCheckpoints } from './bucket-checkpoints.ts';
import { readCheckpoints } from './checkpoints.ts';

let server: S3Server;
let bucket: Bucket;
let now = new Date('2026-11-20T12:00:00Z');
const start = () => createBucketCheckpoints(bucket, { now: () => now });
const checkpoint = (chain: string, seq: number): Checkpoint => ({
  chain,
  seq,
  hash: 'a'.repeat(64),
  at: now.toISOString(),
  signature: 'c2lnbmVk',
  key: 'b'.repeat(64),
});

beforeAll(async () => {
  server = await startS3Server();
  bucket = createBucket(readBucketUrl(await server.bucketUrl('fleet'))!, silentLog);
});
afterAll(async () => {
  bucket.close();
  await server.close();
});

test('LOG-02-partial checkpoints of several processes are objects of their own, found by a start and read from a copied folder', async () => {
  expect(await start().newest()).toEqual(new Map());
  const [a, b] = [start(), start()];
  const first = [checkpoint('one', 1), checkpoint('two', 7)];
  await Promise.all([a.append(first), b.append([checkpoint('one', 3)]), a.append([])]);
  now = new Date('2026-11-20T12:15:00.500Z');
  await b.append([checkpoint('one', 2)]);
  expect(await start().newest()).toMatchObject(
    new Map([
      ['one', { seq: 2 }],
      ['two', { seq: 7 }],
    ]),
  );
  const keys = await server.keys('fleet');
  expect(keys).toHaveLength(3);
  expect(keys[2]).toMatch(/^audit\/checkpoints-2026-11-20T12-15-00-500Z-[0-9a-f]{8}\.ndjson$/u);

  const folder = await mkdtemp(join(tmpdir(), 'highline-copied-'));
  for (const key of keys) await writeFile(join(folder, basename(key)), (await bucket.read(key))!);
  const copied: Checkpoint[] = [];
  for await (const each of readCheckpoints(folder)) copied.push(each);
  expect(copied).toHaveLength(4);
  expect(copied).toEqual(expect.arrayContaining([...first, checkpoint('one', 2)]));
  await rm(folder, { recursive: true });
});

test('LOG-02-partial a start reads more than a month back, the last checkpoint of a log counts, and an older log is signed again', async () => {
  const other = createBucket(readBucketUrl(await server.bucketUrl('idle'))!, silentLog);
  const store = createBucketCheckpoints(other, { now: () => now });
  const begin = new Date('2026-10-01T00:00:00Z').getTime();
  for (let object = 1; object <= 40; object++) {
    now = new Date(begin + object * 60_000);
    await store.append([checkpoint('busy', object), ...(object === 1 ? [checkpoint('idle', 50)] : [])]);
  }
  now = new Date('2026-11-04T00:00:00Z');
  expect(await store.newest()).toMatchObject(
    new Map([
      ['busy', { seq: 40 }],
      ['idle', { seq: 50 }],
    ]),
  );
  now = new Date('2026-11-06T00:00:00Z');
  expect(await store.newest()).toEqual(new Map());
  other.close();
});
