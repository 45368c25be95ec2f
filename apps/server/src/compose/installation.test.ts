import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair } from '@highline/image';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, type OpenedDatabase } from '../platform/adapters/postgres/connect.ts';
import { createBucket, type Bucket } from '../platform/adapters/s3/bucket.ts';
import { systemClock } from '../platform/ports/clock.ts';
import { readBucketUrl } from '../platform/settings/bucket-url.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { newAuditKey } from '../testing/audit-key.ts';
import { silentLog } from '../testing/log.ts';
import { startS3Server, type S3Server } from '../testing/s3-server.ts';
import { generateHostKey } from '../transport/tunnels/index.ts';
import { openInstallation } from './installation.ts';

let s3: S3Server;
let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let folder: string;
let warnings: object[] = [];
const masterKey = createSecretKey(randomBytes(32));
const log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };

interface Choice {
  readonly masterKey?: typeof masterKey;
  readonly dataDir?: string;
  readonly bucket?: string;
}
const start = async ({ bucket, dataDir = folder, ...more }: Choice = {}) => {
  const from = bucket === undefined ? {} : { bucket: readBucketUrl(bucket)! };
  const firmware = { maxBytes: 1, publicKeys: [], folder: join(dataDir, 'blobs') };
  const settings = { masterKey, dataDir, firmware, ...from, ...more };
  const installation = await openInstallation({ database: opened, settings, clock: systemClock, log });
  installation.close();
  return installation;
};
const folders: string[] = [];
const newFolder = () => {
  const made = mkdtempSync(join(tmpdir(), 'highline-installation-'));
  folders.push(made);
  return made;
};
const asOwner = (statement: string) => opened.withOwner((client) => client.query(statement));

beforeAll(async () => {
  s3 = await startS3Server();
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
  await s3.close();
});
beforeEach(async () => {
  folder = newFolder();
  warnings = [];
  await asOwner("delete from installation where key in ('master_key_check', 'audit_key', 'bucket', 'id')");
  await asOwner('delete from installation_keys');
});
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true });
});

describe('NOD-01-partial keys of the installation', () => {
  test('are made once, also by starts at the same moment, and are the same for all processes whatever their folders contain', async () => {
    const all = await Promise.all([start(), start({ dataDir: newFolder() }), start({ dataDir: newFolder() })]);
    const again = await start({ dataDir: newFolder() });
    expect(new Set([...all, again].map(({ auditKey }) => auditKey.publicPem)).size).toBe(1);
    expect(new Set([...all, again].map(({ hostKey }) => hostKey.privateKey)).size).toBe(1);
    expect(again.hostKey.fingerprint).toMatch(/^SHA256:/u);
    expect(readdirSync(folder)).toEqual(['audit']);
  });

  test('a start that waits for another one logs which session it waits for', async () => {
    const starting = await opened.withOwner(async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        "select pg_backend_pid() as pid from pg_advisory_lock(hashtextextended('highline installation', 0))",
      );
      const waiting = start();
      await expect.poll(() => warnings).toMatchObject([{ holder: { pid: rows[0]!.pid } }]);
      return { waiting };
    });
    await starting.waiting;
  });

  test('are sealed in the database, and the serving role cannot read them', async () => {
    const { hostKey } = await start();
    const { rows } = await opened.withOwner((client) =>
      client.query<{ purpose: string; key_id: string; sealed: Buffer }>('select * from installation_keys order by purpose'),
    );
    expect(rows.map(({ purpose }) => purpose)).toEqual(['audit', 'links', 'ssh-host', 'web-push']);
    expect(rows[2]!.key_id).toBe(hostKey.fingerprint);
    expect(rows.map(({ sealed }) => sealed.toString('latin1')).join('')).not.toContain('PRIVATE KEY');
    await expect(opened.pool.query('select * from installation_keys')).rejects.toThrow(/permission denied/u);
  });

  test('are taken from the data folder at the first start after an update', async () => {
    const [pem, ssh] = [generateKeyPair().privateKey, generateHostKey()];
    writeFileSync(join(folder, 'audit-key.pem'), pem);
    writeFileSync(join(folder, 'ssh-host-key'), ssh);
    const first = await start();
    const other = await start({ dataDir: newFolder() });
    for (const { auditKey, hostKey } of [first, other]) {
      expect(auditKey.privateKey.export({ type: 'pkcs8', format: 'pem' })).toBe(pem);
      expect(hostKey.privateKey).toBe(ssh);
    }
  });

  test('a folder with keys of its own gets those of the installation, and a line in the log', async () => {
    const { auditKey } = await start();
    const other = newFolder();
    const own = generateKeyPair().privateKey;
    writeFileSync(join(other, 'audit-key.pem'), own);
    expect((await start({ dataDir: other })).auditKey.id).toBe(auditKey.id);
    expect(warnings).toEqual([
      { file: join(other, 'audit-key.pem'), found: expect.not.stringContaining(auditKey.id), used: auditKey.id },
    ]);
    expect(readFileSync(join(other, 'audit-key.pem'), 'utf8')).toBe(own);
  });

  test('another master key is rejected with an explanation, and the right one still starts', async () => {
    await start();
    await expect(start({ masterKey: createSecretKey(randomBytes(32)) })).rejects.toThrow(
      /HIGHLINE_MASTER_KEY is not the key of this database.*Set the key that this installation was first started with/u,
    );
    await start();
  });

  test('an update that begins with an empty data folder is rejected, and gets no new audit key', async () => {
    await asOwner(`insert into installation values ('audit_key', '"${newAuditKey().id}"')`);
    await expect(start()).rejects.toThrow(/audit-key\.pem contains it.*HIGHLINE_DATA_DIR.*backup/u);
    writeFileSync(join(folder, 'audit-key.pem'), generateKeyPair().privateKey);
    await expect(start()).rejects.toThrow(/audit-key\.pem contains another key/u);
    expect((await opened.withOwner((client) => client.query('select 1 from installation_keys'))).rows).toEqual([]);
  });

  test('a data folder with checkpoints and without the key that signed them gets no new key', async () => {
    mkdirSync(join(folder, 'audit'));
    writeFileSync(join(folder, 'audit', 'checkpoints-2026-11.ndjson'), '');
    await expect(start()).rejects.toThrow(/audit-key\.pem is missing, though log checkpoints/u);
    expect(existsSync(join(folder, 'audit-key.pem'))).toBe(false);
  });

  test('a lost audit key that is given up as the message says is replaced', async () => {
    const { auditKey } = await start();
    await asOwner("delete from installation_keys where purpose = 'audit'");
    const message = await start().then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toContain(auditKey.id);
    const [, statements = ''] = /run as the owner of the database: (delete .+';) the next/u.exec(message) ?? [];
    await asOwner(statements);
    expect((await start()).auditKey.id).not.toBe(auditKey.id);
  });

  test.each(['audit-key.pem', 'ssh-host-key'])('a damaged %s is rejected, never replaced', async (name) => {
    writeFileSync(join(folder, name), 'short');
    await expect(start()).rejects.toThrow(new RegExp(`${name} no longer contains the .+ key\\. Restore it`, 'u'));
    expect(readFileSync(join(folder, name), 'utf8')).toBe('short');
  });

  test('a damaged row is rejected, never replaced', async () => {
    await start();
    await asOwner("update installation_keys set sealed = sealed || '\\x00' where purpose = 'ssh-host'");
    await expect(start()).rejects.toThrow(/SSH host key in the database .* is damaged/u);
  });
});

describe('NOD-01-partial the bucket of the installation', () => {
  let count = 0;
  let url: string;
  beforeEach(async () => {
    url = await s3.bucketUrl(`bucket-${++count}`);
  });

  test('is required by every later start', async () => {
    await start({ bucket: url });
    await start({ bucket: url, dataDir: newFolder() });
    await expect(start()).rejects.toThrow(/BLOBS_URL: is missing.*127\.0\.0\.1:\d+\/bucket-\d+/u);
  });

  test('another, an emptied and an unreachable one are rejected, without the secret', async () => {
    await start({ bucket: url });
    const other = await s3.bucketUrl('another-bucket');
    await expect(start({ bucket: other })).rejects.toThrow(
      /another-bucket does not hold the files.*They were last in .*bucket-\d/u,
    );
    expect(await s3.keys('another-bucket')).toEqual([]);
    const failure = await start({ bucket: other.replace(/:\d+\//u, ':9/') }).catch((error: Error) => error.message);
    expect(failure).toMatch(
      /^BLOBS_URL: http:\/\/127\.0\.0\.1:9\/another-bucket fails: connect ECONNREFUSED 127\.0\.0\.1:9\. Check the address/u,
    );
    expect(failure).not.toContain('S3RVER');
  });

  test("another installation's is rejected, and a copy at another address is accepted", async () => {
    await start({ bucket: url });
    const copy = await s3.bucketUrl('copy');
    const [from, to] = [url, copy].map((each) => createBucket(readBucketUrl(each)!, silentLog)) as [Bucket, Bucket];
    await to.put('highline-installation', (await from.read('highline-installation'))!);
    for (const bucket of [from, to]) bucket.close();
    await start({ bucket: copy });
    await expect(start()).rejects.toThrow(/files of this installation are in .*\/copy;/u);
    await asOwner("delete from installation where key in ('bucket', 'id')");
    await expect(start({ bucket: url })).rejects.toThrow(/belongs to another installation/u);
  });

  test('gets the files of each data folder once', async () => {
    const contents = [randomBytes(1_000), randomBytes(1_000)];
    const other = newFolder();
    for (const [index, dataDir] of [folder, other].entries()) {
      for (const name of ['blobs', 'audit']) mkdirSync(join(dataDir, name));
      writeFileSync(join(dataDir, 'blobs', createHash('sha256').update(contents[index]!).digest('hex')), contents[index]!);
      writeFileSync(join(dataDir, 'blobs', '.unfinished'), 'x');
      writeFileSync(join(dataDir, 'audit', 'checkpoints-2026-11.ndjson'), `{"of":${index}}\n`);
    }
    const key = generateKeyPair().privateKey;
    for (const dataDir of [folder, other]) writeFileSync(join(dataDir, 'audit-key.pem'), key);
    await start({ bucket: url });
    await start({ bucket: url, dataDir: other });
    const keys = await s3.keys(`bucket-${count}`);
    const named = contents.map((content) => `blobs/${createHash('sha256').update(content).digest('hex')}`);
    expect(keys).toEqual([
      expect.stringMatching(/^audit\/checkpoints-2026-11\.[0-9a-f]{16}\.ndjson$/u),
      expect.any(String),
      ...named.sort(),
      'highline-installation',
    ]);
    expect(readdirSync(folder).toSorted()).toEqual([
      expect.stringMatching(/^audit-copied-\d+$/u),
      'audit-key.pem',
      expect.stringMatching(/^blobs-copied-\d+$/u),
      'uploads',
    ]);
  });
});
