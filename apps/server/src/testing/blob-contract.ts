import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { BlobStore } from '../platform/ports/blobs.ts';

const LIMIT = 10_000_000;
const HOUR = 3_600_000;

/** Contract tests for every blob store. @param store an empty one. @param isPublic routers reach it */
export function blobContract(name: string, store: () => BlobStore, isPublic = false): void {
  const write = (content: Uint8Array, limit = LIMIT) => store().write(inChunks(content), limit);
  const writeOne = async (content: Uint8Array) => {
    const written = await write(content);
    if (written === 'too-large') throw new Error('too large');
    return written.sha256;
  };
  const read = async (sha256: string, range?: { start: number; end?: number }) => {
    const opened = await store().open(sha256, range);
    return opened && buffer(opened.stream);
  };

  describe(`blobs in ${name}`, () => {
    test('FWR-02-partial content is read back under its SHA-256, whole and in ranges', async () => {
      const content = randomBytes(200_000);
      const written = await write(content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(written).toEqual({ sha256, size: content.length });
      expect((await read(sha256))!.equals(content)).toBe(true);
      expect((await read(sha256, { start: 10, end: 19 }))!.equals(content.subarray(10, 20))).toBe(true);
      expect((await read(sha256, { start: 150_000 }))!.equals(content.subarray(150_000))).toBe(true);
      expect(await read(sha256, { start: 200_000 })).toHaveLength(0);
      const opened = await store().open(sha256, { start: 5, end: 5 });
      expect(opened!.size).toBe(content.length);
      opened!.stream.destroy();
    });

    test('NOD-01-partial a public address, if the store has one, opens exactly its content, whole and in ranges', async () => {
      const content = randomBytes(100_000);
      const url = await store().publicUrl(await writeOne(content));
      expect([url !== undefined, await store().publicUrl('../../secret')]).toEqual([isPublic, undefined]);
      if (url === undefined) return;
      const whole = await fetch(url);
      expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(content)]).toEqual([200, true]);
      const part = await fetch(url, { headers: { range: 'bytes=90000-' } });
      expect([part.status, Buffer.from(await part.arrayBuffer()).equals(content.subarray(90_000))]).toEqual([206, true]);
      const other = new URL((await store().publicUrl(await writeOne(randomBytes(10)))) ?? '');
      expect((await fetch(url.replace(new URL(url).pathname, other.pathname))).status).toBe(403);
      expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
    });

    test('FWR-02-partial empty content is valid', async () => {
      const sha256 = await writeOne(new Uint8Array());
      expect(await read(sha256)).toHaveLength(0);
    });

    test('FWR-02-partial the same content twice, also concurrently, is one blob', async () => {
      const content = randomBytes(50_000);
      const written = await Promise.all([write(content), write(content), write(content)]);
      expect(new Set(written.map((one) => JSON.stringify(one))).size).toBe(1);
      expect((await read(await writeOne(content)))!.equals(content)).toBe(true);
    });

    test('FWR-02-partial content above the limit is rejected and leaves nothing', async () => {
      const content = randomBytes(100_001);
      expect(await write(content, 100_000)).toBe('too-large');
      expect(await store().has(createHash('sha256').update(content).digest('hex'))).toBe(false);
      expect(await write(content, 100_001)).not.toBe('too-large');
    });

    test('FWR-02-partial content whose sender aborts leaves nothing', async () => {
      const content = randomBytes(100_000);
      const broken = async function* () {
        yield content;
        await Promise.resolve();
        throw new Error('broken off');
      };
      await expect(store().write(broken(), LIMIT)).rejects.toThrow('broken off');
      expect(await store().has(createHash('sha256').update(content).digest('hex'))).toBe(false);
    });

    test.each(['../../etc/passwd', '', '.', 'f'.repeat(63), 'F'.repeat(64), `${'f'.repeat(64)}/x`, 'f'.repeat(64)])(
      'FWR-02-partial nothing is found under %j',
      async (sha256) => {
        expect(await store().open(sha256)).toBeUndefined();
        expect(await store().has(sha256)).toBe(false);
        await store().delete(sha256);
      },
    );

    test('FWR-02-partial deleted content is gone, though an open reader can finish', async () => {
      const content = randomBytes(300_000);
      const sha256 = await writeOne(content);
      const opened = await store().open(sha256);
      await store().delete(sha256);
      expect(await store().has(sha256)).toBe(false);
      expect((await buffer(opened!.stream)).equals(content)).toBe(true);
    });

    test('FWR-02-partial a sweep deletes what is old and not kept, and nothing else', async () => {
      const [kept, dropped] = [await writeOne(randomBytes(10)), await writeOne(randomBytes(10))];
      const isKept = (sha256: string) => sha256 === kept;
      expect(await store().sweep(new Date(Date.now() - HOUR), isKept)).toBe(0);
      expect(await store().has(dropped)).toBe(true);
      expect(await store().sweep(new Date(Date.now() + HOUR), isKept)).toBeGreaterThanOrEqual(1);
      expect([await store().has(kept), await store().has(dropped)]).toEqual([true, false]);
    });
  });
}

async function* inChunks(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < content.length; start += 65_536) yield content.subarray(start, start + 65_536);
}
