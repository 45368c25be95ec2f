import { createSecretKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { silentLog } from '../../../testing/log.ts';
import { openDatabase, type OpenedDatabase } from '../postgres/connect.ts';
import { checkKeys } from './keys.ts';

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let folder: string;
const masterKey = createSecretKey(randomBytes(32));
const start = (options: { masterKey?: typeof masterKey; dataDir?: string } = {}) =>
  checkKeys(opened, { masterKey, dataDir: folder, ...options });

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'highline-keys-'));
  await opened.withOwner((client) => client.query("delete from installation where key in ('master_key_check', 'audit_key')"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a start with the same keys works every time', async () => {
  await start();
  await expect(start()).resolves.toBeUndefined();
});

test('another master key is rejected with an explanation, and the right one still starts', async () => {
  await start();
  await expect(start({ masterKey: createSecretKey(randomBytes(32)) })).rejects.toThrow(
    /HIGHLINE_MASTER_KEY is not the key of this database.*Set the key that this installation was first started with/u,
  );
  await start();
});

test('an empty data folder is rejected, and gets no new audit key', async () => {
  await start();
  const empty = mkdtempSync(join(tmpdir(), 'highline-keys-'));
  await expect(start({ dataDir: empty })).rejects.toThrow(/audit-key\.pem is missing.*HIGHLINE_DATA_DIR.*backup/u);
  expect(existsSync(join(empty, 'audit-key.pem'))).toBe(false);
  rmSync(empty, { recursive: true });
});

test('a data folder with checkpoints and without the key that signed them gets no new key', async () => {
  mkdirSync(join(folder, 'audit'));
  writeFileSync(join(folder, 'audit', 'checkpoints-2026-11.ndjson'), '');
  await expect(start()).rejects.toThrow(/audit-key\.pem is missing, though log checkpoints/u);
  expect(existsSync(join(folder, 'audit-key.pem'))).toBe(false);
});

test("another installation's audit key is rejected; once the lost one is given up as the message says, a new one is accepted", async () => {
  await start();
  const other = mkdtempSync(join(tmpdir(), 'highline-keys-'));
  await opened.withOwner(async (client) => {
    await client.query("update installation set value = to_jsonb(repeat('0', 64)) where key = 'audit_key'");
  });
  await expect(start()).rejects.toThrow(
    /audit-key\.pem contains another key.*fingerprint 0000.*delete from installation where key = 'audit_key'/u,
  );
  await opened.withOwner((client) => client.query("delete from installation where key = 'audit_key'"));
  await start({ dataDir: other });
  await expect(start()).rejects.toThrow(/contains another key|is missing/u);
  rmSync(other, { recursive: true });
});
