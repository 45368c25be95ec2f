import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
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
