import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('LOG-02-partial checkpoints that do not fit whole are an error, so that they are written again', () => {
  const script = `
    const { createFolderCheckpoints } = await import(${JSON.stringify(new URL('checkpoints.ts', import.meta.url).href)});
    const checkpoint = { chain: 'c'.repeat(9_000), seq: 1, hash: '', at: '2026-11-20T12:00:00Z', signature: '' };
    const append = createFolderCheckpoints(process.argv[1]).append([checkpoint]);
    process.stdout.write(await append.then(() => 'written', ({ code }) => code));`;
  // Like a full disk, the limit lets the first 4 KiB pass without an error.
  const run = ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', script, folder];
  const { stdout, stderr } = spawnSync('bash', run, { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['EFBIG', '']);
});
