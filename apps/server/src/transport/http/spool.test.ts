import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../testing/call.ts';
import { Spool, type SpoolLimits } from './spool.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-spool-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const limits: SpoolLimits = { memoryBytes: 100_000, fileBytes: 10_000_000, diskBytes: 15_000_000, stallMs: 60_000 };

function source(bytes: Buffer, chunk = 30_000): Readable {
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    bytes.subarray(index * chunk, (index + 1) * chunk),
  );
  return Readable.from(chunks, { objectMode: false });
}

async function collect(readable: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readable) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

test('an unread answer is produced completely, and is complete when it is finally read', async () => {
  const spool = new Spool(folder, limits);
  const bytes = randomBytes(5_000_000);
  let isProduced = false;
  const kept = spool.keep(source(bytes), () => (isProduced = true));
  await until(() => isProduced);
  expect(spool.diskBytes).toBeGreaterThan(4_500_000);
  // Its file is unlinked: nothing of it remains if the process ends now.
  expect(await readdir(folder)).toEqual([]);
  expect((await collect(kept)).equals(bytes)).toBe(true);
  await until(() => spool.diskBytes === 0);
});

test('in any interleaving of reads, the bytes arrive complete and in order', async () => {
  const spool = new Spool(folder, { ...limits, memoryBytes: 1_000 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 2_500 }), { maxLength: 40 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      async (chunks, pauses) => {
        const waits = pauses[Symbol.iterator]();
        const pause = async () => {
          for (let left = waits.next().value as number; left > 0; left--)
            await new Promise((resolve) => void setImmediate(resolve));
        };
        const produced = async function* () {
          for (const chunk of chunks) {
            await pause();
            yield Buffer.from(chunk);
          }
        };
        const kept = spool.keep(Readable.from(produced(), { objectMode: false }), () => {});
        const got: Buffer[] = [];
        for await (const chunk of kept) {
          got.push(chunk as Buffer);
          await pause();
        }
        expect(Buffer.concat(got).equals(Buffer.concat(chunks))).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
  await until(() => spool.diskBytes === 0);
});

test('an answer that exceeds its disk limit waits for its reader, and others have theirs', async () => {
  const spool = new Spool(folder, { ...limits, fileBytes: 1_000_000, diskBytes: 1_500_000 });
  const [large, small] = [randomBytes(3_000_000), randomBytes(400_000)];
  let isProduced = false;
  const waiting = spool.keep(source(large), () => (isProduced = true));
  await until(() => spool.diskBytes > 950_000);
  expect((await collect(spool.keep(source(small), () => {}))).equals(small)).toBe(true);
  expect([isProduced, spool.diskBytes <= 1_500_000]).toEqual([false, true]);
  expect((await collect(waiting)).equals(large)).toBe(true);
  await until(() => isProduced && spool.diskBytes === 0);
});

test('an error of the source reaches the reader after the preceding data, and a reader who leaves ends the source', async () => {
  const spool = new Spool(folder, limits);
  const failing = async function* () {
    yield Buffer.from('before');
    throw new Error('the database is away');
  };
  const seen: string[] = [];
  const reading = async () => {
    for await (const chunk of spool.keep(Readable.from(failing(), { objectMode: false }), () => {})) seen.push(String(chunk));
  };
  await expect(reading()).rejects.toThrow('the database is away');
  expect(seen).toEqual(['before']);
  let isProduced = false;
  const endless = async function* () {
    for (;;) yield randomBytes(50_000);
  };
  const left = spool.keep(Readable.from(endless(), { objectMode: false }), () => (isProduced = true));
  await until(() => spool.diskBytes > 9_000_000);
  left.destroy();
  await until(() => isProduced && spool.diskBytes === 0);
});

test('a reader that is too slow is cut off, and its disk is freed', async () => {
  const spool = new Spool(folder, { ...limits, stallMs: 20 });
  const kept = spool.keep(source(randomBytes(2_000_000)), () => {});
  const failed = new Promise<Error>((resolve) => kept.once('error', resolve));
  await until(() => spool.diskBytes > 1_000_000);
  kept.read(1);
  expect((await failed).message).toBe('The reader of an answer was too slow.');
  await until(() => spool.diskBytes === 0);
});
