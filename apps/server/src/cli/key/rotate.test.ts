import { spawn } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeEid, makeMac } from '@highline/usp';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCK } from '../../platform/adapters/installation/keys.ts';
import { isConnectionFault } from '../../platform/adapters/postgres/faults.ts';
import { until } from '../../testing/call.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { PEOPLES_SECRET } from '../../testing/second-factor.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { createSeal, openConfig } from '../../domains/configs/index.ts';
import { createSettingSealing } from '../../domains/router-settings/index.ts';
import { createProviderSealing } from '../../domains/identity-providers/index.ts';
import { createAuthoritySealing } from '../../domains/inventory/index.ts';
import { createMailSealing } from '../../domains/mails/index.ts';
import { createBackupSealing } from '../../domains/router-backups/index.ts';
import { createRouterPasswordSealing } from '../../domains/commands/index.ts';
import { createSecretSealing } from '../../domains/webhooks/index.ts';
import { newId } from '../../kernel/ids.ts';
import { createResponseSealing, sealContextOf } from '../../platform/idempotency/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { run } from '../run.ts';
import { sealedColumns } from './sealed-columns.ts';

const program = fileURLToPath(new URL('../main.ts', import.meta.url));
const [before, after] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
const keyOf = (hex: string) => createSecretKey(Buffer.from(hex, 'hex'));
const serial = 'ROT0001';

let folder: string;
let database: TestDatabase;
let owner: Client;
let scope: OrganizationScope;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-rotate-'));
  database = await createTestDatabase();
  const server = await startTestServer({ database, folder: join(folder, 'data'), masterKey: before });
  const { seeding } = server;
  const { scope: main } = await seeding.mainAccount('Keys');
  scope = await seeding.organization(main, 'Keys');
  const account = await seeding.account(scope, 'keys@highline.invalid', 'admin');
  await seeding.secondFactor(account, PEOPLES_SECRET, true);
  for (let n = 0; n < 3; n++) await seeding.config(scope, { name: `file ${n}`, contents: `# secret ${n}\n` });
  const mac = makeMac(0xabc0de);
  await seeding.routers(main, [{ serial, mac }]);
  await seeding.devices(scope, [{ serial, mac }]);
  const code = { code: '1$smdp.example.com$CODE$$1', confirmation: '4711' };
  await seeding.esim(scope, { serial, eid: makeEid(7), iccid: '', apn: 'internet', apn2: '', name: 'Line', ...code });
  owner = new Client(database.ownerUrl);
  await owner.connect();
  const sealedKey = createAuthoritySealing(keyOf(before)).seal(main.mainAccountId, Buffer.from('private key'));
  await owner.query(
    "insert into main_account_cas (main_account_id, certificate, sealed_key, created_at) values ($1, 'PEM', $2, now())",
    [main.mainAccountId, sealedKey],
  );
  const password = newId();
  await owner.query(
    `insert into router_passwords (id, organization_id, device_id, router_id, username, sealed, state, created_at)
      select $1, organization_id, id, router_id, 'admin', $2, 'waiting', now() from devices where serial = $3`,
    [password, createRouterPasswordSealing(keyOf(before)).seal(password, Buffer.from('password')), serial],
  );
  const backup = newId();
  await owner.query(
    `insert into router_backups (organization_id, id, device_id, router_id, serial, model, firmware, name, bytes, sha256, is_text, sealed,
       created_by, created_at, confirmed_at)
      select organization_id, $1, id, router_id, serial, '', '', '', 1, 'ab', true, $2, 'a@b.invalid', now(), now() from devices where serial = $3`,
    [backup, createBackupSealing(keyOf(before)).seal(backup, Buffer.from('zone = x')), serial],
  );
  const settings = newId();
  await owner.query(
    `insert into router_settings (id, organization_id, version, content, sealed, created_by, created_at)
      values ($1, $2, 1, '{}', $3, 'a@b.invalid', now())`,
    [settings, scope.organizationId, createSettingSealing(keyOf(before)).seal(settings, Buffer.from('{}'))],
  );
  const provider = newId();
  await owner.query(
    `insert into identity_providers (id, main_account_id, organization_id, name, issuer, client_id, sealed_secret, scopes, is_enabled,
        trusts_email, rules, default_role, is_required, break_glass, created_by_email, created_at, updated_at)
      values ($1, $2, $3, 'Acme', 'https://id.example', 'highline', $4, 'openid', true, false, '[]', 'user', false, '{}', 'a@b.invalid', now(), now())`,
    [
      provider,
      main.mainAccountId,
      scope.organizationId,
      createProviderSealing(keyOf(before)).seal(provider, Buffer.from('secret')),
    ],
  );
  const secrets = createSecretSealing(keyOf(before));
  const webhook = newId();
  await owner.query(
    `insert into webhook_endpoints (id, main_account_id, organization_id, name, url, format, event_types, is_enabled, sealed_secret,
        previous_secret, previous_until, created_by_email, created_at, updated_at)
      values ($1, $2, $3, 'Depot', 'https://hooks.example/', 'standard', '{device.online}', true, $4, $5, now(), 'a@b.invalid', now(), now())`,
    [
      webhook,
      main.mainAccountId,
      scope.organizationId,
      ...['whsec_new', 'whsec_former'].map((text) => secrets.seal(webhook, Buffer.from(text))),
    ],
  );
  const responses = createResponseSealing(keyOf(before));
  for (const key of ['k-1', 'K 1/~']) {
    const call = { owner: newId(), key };
    await owner.query(
      `insert into idempotent_calls (owner_id, key, operation, request_hash, started_at, leased_until, status, sealed_answer)
        values ($1, $2, 'esims.add', '', now(), now(), 200, $3)`,
      [call.owner, call.key, responses.seal(sealContextOf(call), Buffer.from('{}'))],
    );
  }
  const sealing = createMailSealing(keyOf(before));
  // More than one batch.
  for (let n = 0; n < 150; n++) {
    const id = newId();
    await owner.query(
      "insert into mails (id, recipient, subject, plain, html, sealed, next_attempt_at) values ($1, 'a@b.invalid', 's', '', '', $2, null)",
      [id, sealing.seal(id, Buffer.from('["plain","html"]'))],
    );
  }
  await server.close();
});
afterAll(async () => {
  await owner.end();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const environment = (next: string, previous: string) => ({
  PUBLIC_URL: 'https://fleet.example.com',
  TRUSTED_PROXIES: '127.0.0.1',
  SMTP_URL: 'none',
  HIGHLINE_DATA_DIR: '/dev/null/none',
  DATABASE_URL: database.ownerUrl,
  DATABASE_SERVE_URL: database.serveUrl,
  HIGHLINE_MASTER_KEY: next,
  HIGHLINE_MASTER_KEY_PREVIOUS: previous,
});

async function rotate(next: string, previous: string) {
  const printed = { out: '', err: '' };
  const code = await run(['key', 'rotate'], {
    environment: environment(next, previous),
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
  });
  return { code, ...printed };
}

/** The same as a process that can be killed. */
const spawnRotation = () =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, 'key', 'rotate'], {
    env: { ...process.env, ...environment(after, before) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** How many values of each column a key opens. */
async function opened(hex: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, column, key, sealing } of sealedColumns) {
    const names = Object.keys(key).map((name) => `${name}::text`);
    const { rows } = await owner.query<Record<string, string> & { value: Buffer }>(
      `select ${names.join(', ')}, ${column} as value from ${table} where ${column} is not null`,
    );
    const { open } = sealing(keyOf(hex));
    counts[`${table}.${column}`] = rows.filter((row) => {
      try {
        return open(row, row.value).length > 0;
      } catch {
        return false;
      }
    }).length;
  }
  return counts;
}

test('every sealed column of the schema is rotated', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and table_name <> 'remote_calls'
      and (column_name like 'sealed%' or data_type = 'bytea' and column_name like '%secret' and column_name not like '%hash%')
    order by 1`);
  const rotated = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name)).toEqual(rotated.toSorted());
  for (const count of Object.values(await opened(before))) expect(count).toBeGreaterThan(0);
});

test('a rotation that waits for a process that starts says which session it is', async () => {
  const { rows } = await owner.query<{ pid: number }>(`select pg_backend_pid() as pid from pg_advisory_lock(${LOCK})`);
  const lines: string[] = [];
  const print = (text: string) => void lines.push(text);
  const other = randomBytes(32).toString('hex');
  const waiting = run(['key', 'rotate'], { environment: environment(after, other), out: print, err: print });
  await expect.poll(() => lines).toEqual([expect.stringContaining(`"pid":${rows[0]!.pid}`)]);
  await owner.query(`select pg_advisory_unlock(${LOCK})`);
  expect(await waiting).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^Waiting for a process that starts and opens the keys of the installation: \{/u),
    expect.stringContaining('HIGHLINE_MASTER_KEY_PREVIOUS is not the key of this database.'),
  ]);
});

const start = (name: string, masterKey: string, previous?: string) =>
  startTestServer({
    database,
    folder: join(folder, name),
    masterKey,
    ...(previous === undefined ? {} : { environment: { HIGHLINE_MASTER_KEY_PREVIOUS: previous } }),
  });

/** A machine with much else to do gives no connection in time: nothing was done then. */
function ignoreBusy(error: unknown): false {
  if (isConnectionFault(error)) return false;
  throw error;
}

/** Upload files until it is stopped, and read each one back. @returns the end of it, with the number of files */
function keepWriting(server: TestServer, organization: OrganizationScope): () => Promise<number> {
  const seal = createSeal(server.installation.masterKeys);
  const stop = new AbortController();
  const writeFile = async (number: number) => {
    const contents = `# secret of ${number}\n`;
    const id = await server.seeding.config(organization, { name: `written ${number}`, contents }).catch(ignoreBusy);
    if (id === false) return false;
    const read = await openConfig(server.database.read, seal, organization, id, 1).catch(ignoreBusy);
    if (read !== false) expect(read?.toString()).toBe(contents);
    return true;
  };
  const writing = (async () => {
    let written = 0;
    for (let number = 0; !stop.signal.aborted; number += 1) if (await writeFile(number)) written += 1;
    return written;
  })();
  return () => {
    stop.abort();
    return writing;
  };
}

test('a rotation while servers write, killed in the middle and finished by the next one, leaves no value of the former key', async () => {
  const all = await opened(before);
  const old = await start('old', before);
  const rejected = await rotate(after, before);
  expect([rejected.code, rejected.err]).toEqual([
    1,
    expect.stringMatching(/Processes do not have both keys: .+, version .+ since/u),
  ]);
  expect(await opened(before)).toEqual(all);
  // One after the other gets both keys; until the rotation begins they seal with the former one, which all can read.
  const first = await start('first', after, before);
  await expect(start('new only', after)).rejects.toThrow('HIGHLINE_MASTER_KEY is not the key of this database');
  await first.seeding.config(scope, { name: 'of the first' });
  expect((await opened(before))['config_versions.sealed']).toBe(all['config_versions.sealed']! + 1);
  await old.close();
  const second = await start('second', after, before);
  const writers = [keepWriting(first, scope), keepWriting(second, scope)];

  // The second batch of mails waits for this row.
  const { rows } = await owner.query<{ id: string }>(
    'select id from mails where sealed is not null order by id offset 120 limit 1',
  );
  await owner.query('begin');
  await owner.query('select from mails where id = $1 for update', [rows[0]!.id]);
  const killed = spawnRotation();
  const other = new Client(database.ownerUrl);
  await other.connect();
  await until(async () => {
    if (killed.exitCode !== null) throw new Error('The rotation ended.');
    const waiting = await other.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'highline-owner' and wait_event_type = 'Lock'",
    );
    return waiting.rowCount === 1;
  });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await owner.query('rollback');
  await other.end();

  expect((await opened(after))['mails.sealed']).toBe(100);
  expect((await opened(before))['mails.sealed']).toBe(all['mails.sealed']! - 100);
  for (const key of [before, after])
    await expect(start('one key', key)).rejects.toThrow(
      'The master key is being replaced, so values of both keys are in the database',
    );
  const another = await rotate(randomBytes(32).toString('hex'), before);
  expect([another.code, another.err]).toEqual([1, expect.stringContaining('A rotation to another key was started')]);

  // A process that starts in the middle seals with the new key.
  const third = await start('third', after, before);
  writers.push(keepWriting(third, scope));
  const finished = await rotate(after, before);
  expect([finished.code, finished.err, finished.out]).toEqual([0, '', expect.stringContaining('The new master key is in use')]);
  expect(finished.out).toMatch(/mails\.sealed: 50 of 150 values sealed with the new key/u);
  const files = await Promise.all(writers.map((stop) => stop()));
  for (const count of files) expect(count).toBeGreaterThan(0);
  const total = files.reduce((sum, count) => sum + count, all['config_versions.sealed']! + 1);
  expect(await opened(after)).toEqual({ ...all, 'config_versions.sealed': total });
  expect(Object.values(await opened(before))).toEqual(sealedColumns.map(() => 0));

  await expect(start('former', before)).rejects.toThrow('HIGHLINE_MASTER_KEY is not the key of this database');
  const next = await start('next', after);
  await next.close();
  const again = await rotate(after, before);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('already; 0 values were left')]);
  await Promise.all([first, second, third].map((server) => server.close()));
});
