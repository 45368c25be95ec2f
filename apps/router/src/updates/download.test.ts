import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryFlash, type Flash } from '../platform/flash.ts';
import { type FileServer, startFileServer } from '../testing/file-server.ts';
import { fetchMissing } from './download.ts';

let files: FileServer;

beforeEach(async () => {
  files = await startFileServer(Buffer.alloc(5_000, 7));
});
afterEach(() => files.stop());

test.each([
  ['is complete', 0],
  ['was complete already', 5_000],
])('GRP-10-partial a file that %s is durable when its download ends', async (_, stored) => {
  const memory = createMemoryFlash();
  await memory.append('slot-2', files.file.subarray(0, stored));
  let durable = 0;
  const flash: Flash = { ...memory, sync: async (area) => void (durable = await memory.size(area)) };
  const request = { url: files.url, username: '', password: '', size: 5_000, area: 'slot-2' } as const;
  await fetchMissing(request, flash, new AbortController().signal, () => undefined);
  expect(durable).toBe(5_000);
});
