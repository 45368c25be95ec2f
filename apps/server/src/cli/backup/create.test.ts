import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backup, restore } from './commands.ts';
import { type BackupDeps } from './copied-database.ts';
import { createBackup } from './create.ts';

const folder = mkdtempSync(join(tmpdir(), 'highline-full-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A backup whose disk is full once it has written something. */
function full(to: string): BackupDeps {
  const database = {
    withOwner: async () => {
      writeFileSync(join(to, 'tables', 'accounts.copy.zst'), 'half');
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  };
  return { database, settings: {}, files: {}, say: () => {} } as unknown as BackupDeps;
}

test('NOD-06-partial a backup onto a full disk says so, and leaves nothing that its next run would meet', async () => {
  const made = join(folder, 'nightly');
  await expect(createBackup(made, full(made))).rejects.toThrow(`${made}: the disk is full. What was copied is deleted again`);
  expect(readdirSync(folder)).toEqual([]);
  // An empty folder that was there, as a mounted disk is, stays.
  await expect(createBackup(folder, full(folder))).rejects.toThrow('the disk is full');
  expect(readdirSync(folder)).toEqual([]);
});

test('NOD-06-partial the directory of cells is not copied, and the command says how it is', async () => {
  const directory = {
    HIGHLINE_DATA_DIR: join(folder, 'directory'),
    PUBLIC_URL: 'https://fleet.example.com',
    TRUSTED_PROXIES: 'loopback',
    CELLS: 'eu-1=https://eu-1.example.com',
    CELLS_KEY: Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('base64'),
  };
  const way = 'use pg_dump for its own PostgreSQL, or stop it and copy its data folder';
  await expect(backup.run(['--to', join(folder, 'of-directory')], directory, () => {})).rejects.toThrow(way);
  await expect(restore.run(['--from', folder], directory, () => {})).rejects.toThrow(way);
  // Without its settings: its database has no key.
  const database = { withOwner: (run: (client: object) => unknown) => run({ query: async () => ({ rows: [] }) }) };
  const deps = { database, settings: {}, files: {}, say: () => {} } as unknown as BackupDeps;
  await expect(createBackup(join(folder, 'without-key'), deps)).rejects.toThrow(way);
});
