import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobContract } from '../../../testing/blob-contract.ts';
import { silentLog } from '../../../testing/log.ts';
import { startS3Server, type S3Server } from '../../../testing/s3-server.ts';
import { BlobsUnavailable, type BlobStore } from '../../ports/blobs.ts';
import { readBucketUrl } from '../../settings/bucket-url.ts';
import { createBucket, type Bucket, type BucketLimits } from '../s3/bucket.ts';
import { createBucketBlobs } from './bucket.ts';

/** Smaller than in production, so that a test needs no large files. */
const PART_BYTES = 64 * 1024;

let server: S3Server;
let spool: string;
let bucket: Bucket;
let store: BlobStore;
const lines: string[] = [];
const opened: Bucket[] = [];

const open = (url: string, log = silentLog, more: BucketLimits = {}) => {
  const settings = readBucketUrl(url)!;
  const publicEndpoint = settings.endpoint.replace('127.0.0.1', 'localhost');
  const one = createBucket({ ...settings, publicEndpoint }, log, { partBytes: PART_BYTES, callMs: 2_000, ...more });
  opened.push(one);
  return one;
};

beforeAll(async () => {
  server = await startS3Server();
  spool = await mkdtemp(join(tmpdir(), 'highline-spool-'));
  const log = {
    ...silentLog,
    error: (fields: object, sentence: string) => void lines.push(`${sentence} ${JSON.stringify(fields)}`),
    info: (_fields: object, sentence: string) => void lines.push(sentence),
  };
  bucket = open(await server.bucketUrl('fleet', 'highline'), log);
  store = createBucketBlobs(bucket, spool);
});
afterAll(async () => {
  for (const one of opened) one.close();
  await server.close();
  await rm(spool, { recursive: true, force: true });
});

blobContract('an S3 bucket', () => store, true);

test('NOD-01-partial a public address is for the host that routers use, ends after its time, and needs the setting', async () => {
  const url = await server.bucketUrl('fleet', 'highline');
  const written = (await store.write(Readable.from([randomBytes(10)]), 10)) as { sha256: string };
  const brief = createBucketBlobs(open(url, silentLog, { publicUrlSeconds: 1 }), spool);
  const address = (await brief.publicUrl(written.sha256))!;
  expect(new URL(address).hostname).toBe('localhost');
  expect(address).not.toContain(':S3RVER@');
  await expect.poll(async () => (await fetch(address)).status).toBe(403);
  const inner = createBucket(readBucketUrl(url)!, silentLog);
  opened.push(inner);
  expect(await inner.publicUrl(`blobs/${written.sha256}`)).toBeUndefined();
});

test('NOD-01-partial a file of many parts arrives whole, and nothing stays in the spool folder', async () => {
  const content = randomBytes(10 * PART_BYTES + 1);
  const written = await store.write(Readable.from([content.subarray(0, 1_000), content.subarray(1_000)]), content.length);
  expect(written).toEqual({ sha256: createHash('sha256').update(content).digest('hex'), size: content.length });
  const { sha256 } = written as { sha256: string };
  expect((await buffer((await store.open(sha256))!.stream)).equals(content)).toBe(true);
  expect(await server.keys('fleet')).toContain(`highline/blobs/${sha256}`);
  expect(await readdir(spool)).toEqual([]);
});

test('NOD-01-partial an upload in parts that fails is aborted at once', async () => {
  const gone = bucket.putFile('blobs/gone', join(spool, 'gone'), 10 * PART_BYTES);
  await expect(gone).rejects.toThrow(/ENOENT/u);
  expect(await server.unfinished('fleet')).toEqual([]);
  expect(await server.keys('fleet')).not.toContain('highline/blobs/gone');
});

test('NOD-01-partial an upload in parts that a crash left behind is aborted by a later sweep, which leaves those of others', async () => {
  const url = await server.bucketUrl('crashed', 'highline');
  const { endpoint, region, accessKeyId, secretAccessKey } = readBucketUrl(url)!;
  const client = new S3Client({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true });
  for (const Key of ['highline/blobs/begun', 'other/begun'])
    await client.send(new CreateMultipartUploadCommand({ Bucket: 'crashed', Key }));
  client.destroy();
  const blobs = createBucketBlobs(open(url), spool);
  await blobs.sweep(new Date(Date.now() - 3_600_000), () => false);
  expect((await server.unfinished('crashed')).toSorted()).toEqual(['highline/blobs/begun', 'other/begun']);
  await blobs.sweep(new Date(Date.now() + 3_600_000), () => false);
  expect(await server.unfinished('crashed')).toEqual(['other/begun']);
});

test('NOD-01-partial objects that are no blobs of this path survive every sweep', async () => {
  const other = createBucketBlobs(open(await server.bucketUrl('fleet', 'other')), spool);
  const written = await other.write(Readable.from([randomBytes(10)]), 10);
  await bucket.put('blobs/README', Buffer.from('not ours'));
  await store.sweep(new Date(Date.now() + 3_600_000), () => false);
  const { sha256 } = written as { sha256: string };
  expect(await server.keys('fleet')).toEqual(['highline/blobs/README', `other/blobs/${sha256}`]);
});

test('NOD-01-partial a store that stops answering fails calls in bounded time, without its secret, and is used again afterwards', async () => {
  const written = (await store.write(Readable.from([randomBytes(10)]), 10)) as { sha256: string };
  lines.length = 0;
  server.freeze();
  const failed = [store.has(written.sha256), store.open(written.sha256)];
  for (const one of failed) await expect(one).rejects.toThrow(BlobsUnavailable);
  server.thaw();
  expect(await store.has(written.sha256)).toBe(true);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^The store of files fails\. .*127\.0\.0\.1/u);
  expect(lines[1]).toBe('The store of files answers again.');
});

test('NOD-01-partial a wrong secret and a missing bucket are failures of the store, not missing files', async () => {
  const url = await server.bucketUrl('fleet');
  const wrong = createBucketBlobs(open(url.replace(':S3RVER@', ':another@')), spool);
  const missing = createBucketBlobs(open(url.replace('/fleet', '/nowhere')), spool);
  await expect(wrong.has('f'.repeat(64))).rejects.toThrow(BlobsUnavailable);
  const rejected = await wrong.open('f'.repeat(64)).catch((error: Error) => error.message);
  expect(rejected).toMatch(/SignatureDoesNotMatch/u);
  expect(rejected).not.toContain('another@');
  await expect(missing.open('f'.repeat(64))).rejects.toThrow(/NoSuchBucket/u);
});
