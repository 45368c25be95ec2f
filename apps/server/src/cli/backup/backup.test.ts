import { createSecretKey, hash, randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync } from 'node:zlib';
import { makeMac } from '@highline/usp';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, runAs, type TestDatabase } from '../../testing/database.ts';
import { send, until } from '../../testing/call.ts';
import { silentLog } from '../../testing/log.ts';
import { startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/server.ts';
import { createCheckpoints } from '../../domains/logs/index.ts';
import { findFact, storeFact } from '../../platform/adapters/installation/facts.ts';
import { masterKeyCheck } from '../../platform/adapters/installation/keys.ts';
import { migrate } from '../../platform/adapters/postgres/migrate.ts';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { run as runLine } from '../run.ts';
import { type Contents, type Manifest, writeManifest } from './manifest.ts';

const masterKey = randomBytes(32).toString('hex');
const password = 'a backup was taken';
const email = 'drill@highline.invalid';
const router = { serial: 'BCK0001', mac: makeMac(0xbac001) };

let folder: string;
let source: TestDatabase;
let server: TestServer;
let s3: S3Server;
let main: MainScope;
let scope: OrganizationScope;
let bearer: string;
let secret: string;
let endpointId: string;
/** Names of groups whose creation was acknowledged before the backup began. */
const acknowledged: string[] = [];
const at = (name: string) => join(folder, name);

interface Place {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly bucketUrl?: string;
}

async function run(line: readonly string[], { database, dataDir, bucketUrl = '' }: Place, key = masterKey, previousKey = '') {
  const printed = { out: '', err: '' };
  const environment = {
    PUBLIC_URL: 'https://fleet.example.com',
    TRUSTED_PROXIES: '127.0.0.1',
    HIGHLINE_MASTER_KEY: key,
    HIGHLINE_MASTER_KEY_PREVIOUS: previousKey,
    SMTP_URL: 'none',
    // With a bucket there is no such folder.
    HIGHLINE_DATA_DIR: bucketUrl === '' ? dataDir : '/dev/null/none',
    DATABASE_URL: database.ownerUrl,
    DATABASE_SERVE_URL: database.serveUrl,
    BLOBS_URL: bucketUrl,
    HIGHLINE_PASSWORD: password,
  };
  const code = await runLine(line, {
    environment,
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
  });
  return { code, ...printed };
}

const post = (url: string, bearer: string, name: string) =>
  send(`${url}/data_manager/v1/dm/group`, { bearer, body: { org: scope.organizationId, name } });

/** Create groups until `stop` is called; each is a transaction of state, log entry and outbox row. */
function keepWriting() {
  const over = new AbortController();
  const written: string[] = [];
  const done = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const name = `Under writes ${n}`;
      if ((await post(server.url, bearer, name)).status === 200) written.push(name);
    }
  })();
  return {
    written,
    async stop() {
      over.abort();
      await done;
    },
  };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-backup-'));
  source = await createTestDatabase();
  server = await startTestServer({ database: source, folder: at('source'), masterKey });
  s3 = await startS3Server();
  main = (await server.seeding.mainAccount('Drill')).scope;
  scope = await server.seeding.organization(main, 'Drill');
  const admin = await server.seeding.account(scope, email, 'admin', password);
  bearer = await server.seeding.bearer(admin);
  await server.owner.query(
    `insert into identity_sessions (bearer_hash, account_id, provider_id, subject)
      select bearer_hash, account_id, gen_random_uuid(), 'drill' from sessions`,
  );
  await server.seeding.firmware(main, { model: 'HL-R320', version: '9.9.9' });
  await server.seeding.config(scope, { name: 'Sealed', contents: '# sealed contents\n' });
  const [registered] = await server.seeding.routers(main, [router]);
  ({ secret, endpointId } = registered!);
  await server.seeding.devices(scope, [router]);
  const connected = await server.connectRouter({ ...router, secret, endpointId });
  await connected.stop();
});
afterAll(async () => {
  await server.close();
  await source.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const readManifest = async (name: string) => JSON.parse(await readFile(at(`${name}/manifest.json`), 'utf8')) as Manifest;

/** The backup as earlier versions wrote it: with sessions by a provider, and without the sessions themselves. */
async function writeEarlierBackup(): Promise<void> {
  await cp(at('backup'), at('earlier'), { recursive: true });
  const { rows } = await server.owner.query<{ line: string }>(
    `select concat_ws(E'\t', '\\x' || encode(bearer_hash, 'hex'), account_id, provider_id, subject) as line from identity_sessions`,
  );
  expect(rows).toHaveLength(1);
  const copied = zstdCompressSync(rows.map(({ line }) => `${line.replace('\\', '\\\\')}\n`).join(''));
  const file = 'identity_sessions.copy.zst';
  await writeFile(at(`earlier/tables/${file}`), copied);
  const { seal: _seal, ...contents } = await readManifest('backup');
  const table: Contents['tables'][number] = {
    name: 'identity_sessions',
    columns: ['bearer_hash', 'account_id', 'provider_id', 'subject'],
    rows: rows.length,
    file,
    bytes: copied.length,
    sha256: hash('sha256', copied),
  };
  const text = writeManifest(
    { ...contents, tables: [...contents.tables, table] },
    createSecretKey(Buffer.from(masterKey, 'hex')),
  );
  await writeFile(at('earlier/manifest.json'), text);
}

/** Run `work` with a client of the owner. */
async function withOwner<T>(database: TestDatabase, work: (owner: Client) => Promise<T>): Promise<T> {
  const owner = new Client(database.ownerUrl);
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await runAs(database.ownerUrl, 'drop schema public, limited, limited_by_group cascade', 'create schema public');
  return database;
}

/** An installation of 0.2.0, whose schema was that of the first migration. */
async function createFirstInstallation(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await withOwner(database, async (owner) => {
    await migrate(owner, { log: silentLog, ownerServes: false, only: new Set([1]) });
    await storeFact(owner, 'master_key_check', masterKeyCheck(createSecretKey(Buffer.from(masterKey, 'hex'))));
    await storeFact(owner, 'id', 'of-0.2.0');
  });
  return database;
}

/** Save the organization's log from a server, and check it with a folder of checkpoints. */
async function checkLog(url: string, checkpoints: string, name: string) {
  const place = { database: source, dataDir: at('unused') };
  const who = ['--server', url, '--email', email, '--key-out', at(`${name}.pem`)];
  const saved = await run(['audit', 'export', ...who, at(`${name}.ndjson`)], place);
  expect([saved.code, saved.err]).toEqual([0, '']);
  return run(['audit', 'verify', '--key', at(`${name}.pem`), '--checkpoints', checkpoints, at(`${name}.ndjson`)], place);
}

async function startRestored(place: Place, more: Partial<TestServerOptions> = {}): Promise<TestServer> {
  return startTestServer({
    database: place.database,
    folder: place.dataDir,
    masterKey,
    ...(place.bucketUrl === undefined ? {} : { bucketUrl: place.bucketUrl }),
    ...more,
  });
}

describe('a backup taken under writes', () => {
  let target: Place;
  beforeAll(async () => {
    target = {
      database: await createTestDatabase(),
      dataDir: at('target'),
      bucketUrl: await s3.bucketUrl('restored', 'fleet'),
    };
  });
  afterAll(() => target.database.close());

  test('NOD-06-partial is verified by its checksums, its key and a restore, and never written over', async () => {
    const { checkpoints, auditKey } = server.installation;
    const sign = createCheckpoints({
      database: server.database,
      store: checkpoints,
      privateKey: auditKey.privateKey,
      log: silentLog,
    });
    // As the job does it every 15 minutes.
    expect(await sign(new Date())).toBeGreaterThan(0);
    const writing = keepWriting();
    await until(() => writing.written.length >= 5);
    acknowledged.push(...writing.written);
    const done = await run(['backup', '--to', at('backup')], { database: source, dataDir: at('source') });
    await writing.stop();
    expect([done.code, done.err]).toEqual([0, '']);
    const place = { database: source, dataDir: '/dev/null/none' };
    const verified = await run(['verify', '--from', at('backup')], place);
    expect([verified.code, verified.out]).toEqual([0, expect.stringMatching(/is intact: .* 1 firmware images/u)]);
    // Between the first step of a rotation and the second, the key in use is the previous one.
    const inRotation = await run(['verify', '--from', at('backup')], place, randomBytes(32).toString('hex'), masterKey);
    expect([inRotation.code, inRotation.err, inRotation.out]).toEqual([0, '', expect.stringContaining('is intact')]);
    const again = await run(['backup', '--to', at('backup')], { database: source, dataDir: at('source') });
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not empty')]);
    expect((await stat(at('backup/manifest.json'))).mode & 0o077).toBe(0);
    const text = await readFile(at('backup/manifest.json'), 'utf8');
    expect(text).not.toContain(masterKey);
    const names = (await readManifest('backup')).tables.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['accounts', 'audit_entries', 'installation_keys', 'devices']));
    for (const left of ['outbox', 'sessions', 'nodes', 'identity_sessions']) expect(names).not.toContain(left);
  });

  test('NOD-06-partial a backup from another folder than that of the server is rejected, and nothing of it is left', async () => {
    const done = await run(['backup', '--to', at('wrong')], { database: source, dataDir: at('not-the-source') });
    expect([done.code, done.err]).toEqual([1, expect.stringContaining(`${at('not-the-source/audit')} does not exist`)]);
    await expect(stat(at('wrong'))).rejects.toThrow('ENOENT');
  });

  test('NOD-06-partial a backup has the rows that its rows refer to', async () => {
    const { tables } = await readManifest('backup');
    const copied = tables.flatMap(({ name, partition }) => [name, ...(partition === undefined ? [] : [partition.of])]);
    const dangling = await server.owner.query(
      `select conrelid::regclass::text as table, confrelid::regclass::text as "refersTo"
        from pg_constraint join pg_class c on c.oid = conrelid join pg_class r on r.oid = confrelid
        where contype = 'f' and c.relname = any($1) and r.relname <> all($1)`,
      [copied],
    );
    expect(dangling.rows).toEqual([]);
  });

  test('NOD-06-partial with another key, a changed byte, a changed manifest or a used target nothing is written', async () => {
    const wrongKey = await run(['restore', '--from', at('backup')], target, randomBytes(32).toString('hex'));
    expect([wrongKey.code, wrongKey.err]).toEqual([1, expect.stringContaining('not the key of this backup')]);

    const { tables } = await readManifest('backup');
    const path = at(`backup/tables/${tables.find(({ name }) => name === 'accounts')!.file}`);
    const content = await readFile(path);
    await writeFile(path, content.with(20, content[20]! ^ 1));
    const changed = await run(['restore', '--from', at('backup')], target);
    expect([changed.code, changed.err]).toEqual([1, expect.stringContaining('accounts.copy.zst is not as it was written')]);
    await writeFile(path, content);

    const manifest = await readFile(at('backup/manifest.json'), 'utf8');
    await writeFile(at('backup/manifest.json'), manifest.replace(/"version": "[^"]+"/u, '"version": "9.9.9"'));
    const forged = await run(['restore', '--from', at('backup')], target);
    expect([forged.code, forged.err]).toEqual([1, expect.stringContaining('manifest of this backup was changed')]);
    await writeFile(at('backup/manifest.json'), manifest);

    const busy = await run(['restore', '--from', at('backup')], { database: source, dataDir: at('elsewhere') });
    expect([busy.code, busy.err]).toEqual([1, expect.stringContaining('A server uses this database')]);
    const owner = new Client(target.database.ownerUrl);
    await owner.connect();
    expect((await owner.query('select from installation')).rowCount).toBe(0);
    await owner.end();
    expect(await s3.keys('restored')).toEqual([]);
  });

  test('NOD-06-partial restored into another database and a bucket, everything is there as of one moment, and works', async () => {
    // What a restore leaves that was killed before its commit.
    const owner = new Client(target.database.ownerUrl);
    await owner.connect();
    await storeFact(owner, 'restoring', 'earlier');
    await expect(startRestored(target)).rejects.toThrow('did not end. Run `highline restore` again');
    const done = await run(['restore', '--from', at('backup')], target, randomBytes(32).toString('hex'), masterKey);
    expect([done.code, done.err]).toEqual([0, '']);

    const { tables } = await readManifest('backup');
    for (const { name, rows } of tables.filter((table) => table.name !== 'installation'))
      expect([name, (await owner.query(`select from "${name}"`)).rowCount]).toEqual([name, rows]);
    expect((await owner.query('select from outbox')).rowCount).toBe(0);
    const invalid = await owner.query("select from pg_constraint where contype = 'f' and not convalidated");
    expect(invalid.rowCount).toBe(0);
    const foreignKeys = "select count(*)::integer as n from pg_constraint where contype = 'f'";
    expect((await owner.query(foreignKeys)).rows).toEqual((await server.owner.query(foreignKeys)).rows);
    const disabled = "select from pg_trigger where not tgisinternal and tgenabled = 'D'";
    expect((await owner.query(disabled)).rowCount).toBe(0);
    await owner.end();

    const restored = await startRestored(target);
    try {
      const body = { email, password };
      const signedIn = await send(`${restored.url}/dmp_aa/api/v1/auth/token`, { body });
      expect(signedIn.status).toBe(200);
      const { vap } = signedIn.json<{ result: { vap: string } }>().result;
      expect((await post(restored.url, bearer, 'Old session')).status).toBe(401);

      const groups = await restored.owner.query<{ name: string }>("select name from groups where name like 'Under writes %'");
      expect(groups.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged));
      // Each group with its entry of the log, and no entry without its group.
      const entries = await restored.owner.query(
        "select from audit_entries where chain_id = $1 and action like '%Under writes %'",
        [scope.organizationId],
      );
      expect(entries.rowCount).toBe(groups.rowCount);

      expect((await post(restored.url, vap, 'After the restore')).status).toBe(200);
      const verified = await checkLog(restored.url, at('backup/audit'), 'restored');
      expect([verified.code, verified.err, verified.out]).toEqual([
        0,
        '',
        expect.stringMatching(/are unchanged; [1-9]\d* checkpoints agree/u),
      ]);

      const { rows } = await restored.owner.query<{ sha256: string }>("select encode(sha256, 'hex') as sha256 from firmware");
      const imageOf = async ({ installation }: TestServer) => buffer((await installation.blobs.open(rows[0]!.sha256))!.stream);
      expect((await imageOf(restored)).equals(await imageOf(server))).toBe(true);
      expect(await s3.keys('restored')).toEqual(
        expect.arrayContaining([expect.stringContaining('audit/checkpoints-'), `fleet/blobs/${rows[0]!.sha256}`]),
      );
      await restored.connectRouter({ ...router, secret, endpointId });

      const copy = await run(['backup', '--to', at('second')], target);
      expect([copy.code, copy.err]).toEqual([0, '']);
      expect((await readManifest('second')).blobs).toEqual((await readManifest('backup')).blobs);
    } finally {
      await restored.close();
    }
    const full = await run(['restore', '--from', at('backup')], target);
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('a server was started on it')]);
  });

  test('NOD-06-partial a backup of an earlier version, which has rows of sessions by a provider, is restored without them', async () => {
    await writeEarlierBackup();
    const database = await createTestDatabase();
    try {
      const done = await run(['restore', '--from', at('earlier')], { database, dataDir: at('earlier-target') });
      expect([done.code, done.err]).toEqual([0, '']);
      const owner = new Client(database.ownerUrl);
      await owner.connect();
      const read = async (table: string) => (await owner.query(`select from ${table}`)).rowCount;
      expect([await read('accounts'), await read('identity_sessions')]).toEqual([expect.toSatisfy((n: number) => n > 0), 0]);
      await owner.end();
    } finally {
      await database.close();
    }
  });

  test('NOD-06-partial a backup of 0.2.0 is restored to the present schema', async () => {
    const [first, database] = [await createFirstInstallation(), await createEmptyDatabase()];
    try {
      await mkdir(at('first-source/audit'), { recursive: true });
      const taken = await run(['backup', '--to', at('first')], { database: first, dataDir: at('first-source') });
      expect([taken.code, taken.err]).toEqual([0, '']);
      const restored = await run(['restore', '--from', at('first')], { database, dataDir: at('first-target') });
      expect([restored.code, restored.err]).toEqual([0, '']);
      expect(await withOwner(database, (owner) => findFact(owner, 'id'))).toBe('of-0.2.0');
    } finally {
      await Promise.all([first.close(), database.close()]);
    }
  });
});
