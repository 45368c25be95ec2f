import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tmpdir } from 'node:os';
import { Client } from 'pg';
import { newId } from '../kernel/ids.ts';
import { send } from '../testing/call.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createTestDatabase, testCluster, type TestDatabase } from '../testing/database.ts';
import type { Database } from '../platform/ports/database.ts';
import { createReadiness } from './readiness.ts';

// The /healthz answer of a server that runs but cannot do its work.

const health = async (server: TestServer) => {
  const { status, text } = await send(`${server.url}/healthz`);
  return { status, body: JSON.parse(text) as unknown };
};
const about = { node: expect.any(String), version: expect.any(String) };
const ready = { status: 200, body: { result: 'ready', ...about } };
const notReady = (reason: string) => ({ status: 503, body: { result: 'not ready', reason, ...about } });

describe('a database that answers but accepts no writes', () => {
  let database: TestDatabase;
  let server: TestServer;
  let superuser: Client;
  let name: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await startTestServer({ database });
    superuser = new Client(testCluster().superuser);
    await superuser.connect();
    name = (await server.owner.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
  });
  afterAll(async () => {
    await superuser.end();
    await server.close();
    await database.close();
  });

  /** Make the database read-only, like an administrator or a failover to a standby. The serving connections are reopened. */
  async function setReadOnly(isOn: boolean): Promise<void> {
    await superuser.query(`alter database "${name}" set default_transaction_read_only = ${isOn ? 'on' : 'off'}`);
    await superuser.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'highline'",
      [name],
    );
  }

  test('is reported by /healthz, and so is its recovery', async () => {
    await expect.poll(() => health(server)).toEqual(ready);
    await setReadOnly(true);
    await expect.poll(() => health(server)).toEqual(notReady('writes'));
    await setReadOnly(false);
    await expect.poll(() => health(server)).toEqual(ready);
  });

  test.each([
    ['57014', 'canceling statement due to statement timeout'],
    ['53200', 'out of memory'],
    ['58030', 'could not read blocks: Input/output error'],
  ])('API-02-partial a statement that PostgreSQL could not finish (%s, %s) is a call to repeat', async (state, text) => {
    const { scope: main } = await server.seeding.mainAccount('Slow');
    const scope = await server.seeding.organization(main, 'Slow');
    const bearer = await server.seeding.bearer(await server.seeding.account(scope, `${newId()}@slow.invalid`, 'admin'));
    await server.owner.query(`create function unfinished() returns trigger language plpgsql as
      $$ begin raise exception '${text}' using errcode = '${state}'; end $$`);
    await server.owner.query('create trigger unfinished before insert on groups for each row execute function unfinished()');
    const body = { org: scope.organizationId, name: 'North' };
    const response = await send(`${server.url}/data_manager/v1/dm/group`, { bearer, body });
    await server.owner.query('drop function unfinished cascade');
    expect([response.status, response.error().key, response.headers.get('retry-after')]).toEqual([503, 'server.busy', '30']);
  });

  test('a write that fails because the disk is full is detected at once', async () => {
    const { scope: main } = await server.seeding.mainAccount('Full');
    const scope = await server.seeding.organization(main, 'Full');
    const bearer = await server.seeding.bearer(await server.seeding.account(scope, `${newId()}@full.invalid`, 'admin'));
    await expect.poll(() => health(server)).toEqual(ready);
    // PostgreSQL reports a full disk this way; really filling the disk would break other tests.
    await server.owner.query(`create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await server.owner.query('create trigger no_space before insert on groups for each row execute function no_space()');
    const body = { org: scope.organizationId, name: 'North' };
    const response = await send(`${server.url}/data_manager/v1/dm/group`, { bearer, body });
    expect([response.status, response.text, await health(server)]).toEqual([
      503,
      expect.stringContaining('The disk of the server, or of its database, is full.'),
      notReady('writes'),
    ]);
  });
});

test('NOD-02-partial a server whose connections are all busy is ready: /healthz waits for none of them', async () => {
  const server = await startTestServer();
  await expect.poll(() => health(server)).toEqual(ready);
  const { pool } = server.database;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  expect(await health(server)).toEqual(ready);
  for (const client of held) client.release();
  await server.close();
});

test('a data folder whose disk is almost full is reported by /healthz, and the process keeps running', async () => {
  const server = await startTestServer({ leastFreeBytes: Number.MAX_SAFE_INTEGER });
  await expect.poll(() => health(server)).toEqual(notReady('disk'));
  expect((await send(`${server.url}/livez`)).status).toBe(200);
  await server.close();
});

test('a database that never answers a write counts as failing, is not written to again meanwhile, and does not stop the checks', async () => {
  let isFrozen = true;
  const frozen: (() => void)[] = [];
  const write = () => (isFrozen ? new Promise<void>((resolve) => frozen.push(resolve)) : Promise.resolve());
  const readiness = createReadiness({
    database: { write } as unknown as Database,
    ready: async () => true,
    dataDir: tmpdir(),
    leastFreeBytes: 0,
    writeTimeoutMs: 1_000,
  });
  const check = () => readiness.job.run(new Date());
  for (let n = 0; n < 2; n++) await expect(check()).rejects.toThrow('The database has not answered a write for 1000 ms');
  expect([await readiness.check(), frozen.length]).toEqual(['writes', 1]);
  isFrozen = false;
  frozen[0]!();
  await check();
  expect(await readiness.check()).toBeUndefined();
});
