import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BlobStore } from '../../ports/blobs.ts';
import { blobContract } from '../../../testing/blob-contract.ts';
import { until } from '../../../testing/process.ts';
import { createFolderBlobs } from './folder.ts';

let parent: string;
let folder: string;
let store: BlobStore;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'highline-blobs-'));
  folder = join(parent, 'blobs');
  store = createFolderBlobs(folder);
});
afterAll(() => rm(parent, { recursive: true, force: true }));

blobContract('a folder', () => store);

test('FWR-02-partial files and folder are private to the user of the server', async () => {
  const written = await store.write(Readable.from([randomBytes(10)]), 100);
  if (written === 'too-large') throw new Error('too large');
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, written.sha256))).mode & 0o777).toBe(0o600);
});

test('FWR-02-partial a kill during a write leaves nothing under a name, and a sweep removes the rest', async () => {
  const own = join(parent, 'killed');
  const script = `
    import { createFolderBlobs } from ${JSON.stringify(new URL('folder.ts', import.meta.url).href)};
    await createFolderBlobs(${JSON.stringify(own)}).write(process.stdin, 1e9);`;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.write(randomBytes(300_000));
  await until(async () => {
    const [name] = await readdir(own);
    return name !== undefined && (await stat(join(own, name))).size === 300_000;
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readdir(own)).toEqual([expect.stringMatching(/^\.[0-9a-f]{32}\.part$/u)]);
  await createFolderBlobs(own).sweep(new Date(Date.now() - 3_600_000), () => true);
  expect(await readdir(own)).toHaveLength(1);
  await createFolderBlobs(own).sweep(new Date(Date.now() + 3_600_000), () => true);
  expect(await readdir(own)).toEqual([]);
});

test('FWR-02-partial foreign files in the folder are left alone, and a missing folder counts as empty', async () => {
  const own = join(parent, 'other');
  expect(await createFolderBlobs(own).sweep(new Date(), () => false)).toBe(0);
  const other = createFolderBlobs(own);
  await other.write(Readable.from([randomBytes(10)]), 100);
  await writeFile(join(own, 'README'), 'not ours');
  expect(await other.sweep(new Date(Date.now() + 3_600_000), () => false)).toBe(1);
  expect(await readdir(own)).toEqual(['README']);
});
