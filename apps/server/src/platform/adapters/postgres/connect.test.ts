import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withinCall, workForRouters } from '../../calls/call-steps.ts';
import { createTestDatabase, runAs, testCluster, urlFor, type TestDatabase } from '../../../testing/database.ts';
import { isConnectionFault, isSerializationFault, openDatabase, type OpenedDatabase } from './connect.ts';
import { countForRouters } from './pool.ts';

const log = { debug() {}, info() {}, warn: vi.fn<(fields: object, sentence: string) => void>(), error() {} };
const { superuser } = testCluster();
/** Far longer than it takes on a busy machine. */
const LONG = { timeout: 120_000, interval: 10 };
let database: TestDatabase;
let opened: OpenedDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase(database.settings, log);
});
afterAll(async () => {
  await opened.close();
  await database.close();
});

/** Terminate every session of the serving login, as a restart of PostgreSQL does. */
const cutConnections = () =>
  runAs(
    superuser,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'highline' and datname = '${nameOf(database)}'`,
  );

/** Whether the pool has noticed its lost connections and has new ones. */
const isServed = () =>
  opened.pool.query('select 1').then(
    () => true,
    () => false,
  );

const nameOf = ({ ownerUrl }: TestDatabase) => new RegExp('/(highline_test_[0-9a-f]+)', 'u').exec(ownerUrl)?.[1] ?? '';

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('values have the expected JavaScript types', async () => {
  const { rows } = await opened.pool.query<Record<string, unknown>>(
    `select 9007199254740991::bigint as whole, date '2026-02-28' as day, array[1, null]::bigint[] as wholes,
      array[date '2026-01-01'] as days, timestamptz '2026-01-01T00:00:00.123+02' as moment, '{"a":1}'::jsonb as document,
      '\\x01'::bytea as bytes, null::date as nothing, count(*) as counted from (values (1), (2)) as two`,
  );
  expect(rows[0]).toEqual({
    whole: 9_007_199_254_740_991,
    day: '2026-02-28',
    wholes: [1, null],
    days: ['2026-01-01'],
    moment: new Date('2025-12-31T22:00:00.123Z'),
    document: { a: 1 },
    bytes: Buffer.from([1]),
    nothing: null,
    counted: 2,
  });
});

test('a bigint too large for a number is an error, not a wrong number', async () => {
  await expect(opened.pool.query('select 9007199254740993::bigint')).rejects.toThrow('9007199254740993 is too large');
});

test('days and times are in UTC, whatever the settings of the login', async () => {
  await runAs(
    superuser,
    `alter database ${nameOf(database)} set timezone = 'Pacific/Auckland'`,
    `alter database ${nameOf(database)} set datestyle = 'SQL, DMY'`,
  );
  await cutConnections();
  await vi.waitUntil(isServed, LONG);
  const { rows } = await opened.pool.query(
    "select (timestamptz '2026-01-01T20:00:00Z')::date as day, date '2026-02-03' as other",
  );
  expect(rows).toEqual([{ day: '2026-01-01', other: '2026-02-03' }]);
});

test('a lost connection fails its query as a connection fault, and the next ones succeed', async () => {
  const client = await opened.pool.connect();
  const busy = thrownBy(client.query('select pg_sleep(60)'));
  await cutConnections();
  expect(isConnectionFault(await busy)).toBe(true);
  client.release();
  await vi.waitUntil(isServed, LONG);
  expect((await opened.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('a connection lost between two queries of a transaction does not end the process', async () => {
  const client = await opened.pool.connect();
  const ended = new Promise((resolve) => {
    client.once('end', resolve);
  });
  await client.query('begin');
  await cutConnections();
  await ended;
  expect(isConnectionFault(await thrownBy(client.query('select 1')))).toBe(true);
  client.release(true);
});

test('idle connections that are lost are logged', async () => {
  await opened.pool.query('select 1');
  log.warn.mockClear();
  await cutConnections();
  await vi.waitUntil(() => log.warn.mock.calls.length > 0, LONG);
  expect(log.warn.mock.calls[0]?.[1]).toBe('Idle database connection lost.');
});

test('an exhausted pool is busy, not broken', async () => {
  const pool = new Pool({ connectionString: database.serveUrl, max: 1 });
  const held = await pool.connect();
  pool.options.connectionTimeoutMillis = 20;
  expect(isConnectionFault(await thrownBy(pool.query('select 1')))).toBe(true);
  held.release();
  await pool.end();
});

test('calls get a connection while the work of routers waits for its share of them', async () => {
  const count = countForRouters(opened.pool.options.max);
  const held = await workForRouters(() => Promise.all(Array.from({ length: count }, () => opened.pool.connect())));
  let isServed = false;
  const waiting = workForRouters(() => opened.pool.query('select 1')).then(() => (isServed = true));
  expect((await opened.pool.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(isServed).toBe(false);
  for (const client of held) client.release();
  expect(await waiting).toBe(true);
});

test('work of routers that needs two connections at once gets them', async () => {
  const both = async () => {
    const first = await opened.pool.connect();
    const { rows } = await opened.pool.query<{ one: number }>('select 1 as one');
    first.release();
    return rows;
  };
  const count = countForRouters(opened.pool.options.max);
  const all = await workForRouters(() => Promise.all(Array.from({ length: 2 * count }, () => both())));
  expect(all.flat()).toHaveLength(2 * count);
});

test('neither a wrong query nor a missing file is a connection fault', async () => {
  expect(isConnectionFault(await thrownBy(opened.pool.query('select wrong')))).toBe(false);
  expect(isConnectionFault(Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
  expect(isConnectionFault(Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'connect' }))).toBe(true);
  expect(isConnectionFault('Connection terminated')).toBe(false);
});

test('a transaction lost to a deadlock is recognized as repeatable', async () => {
  await opened.pool.query("insert into rate_windows values ('a', 0, now()), ('b', 0, now())");
  const [one, two] = [await opened.pool.connect(), await opened.pool.connect()];
  for (const client of [one, two]) {
    await client.query('begin isolation level serializable');
    await client.query('select sum(hits) from rate_windows');
  }
  await one.query("update rate_windows set hits = 1 where key = 'a'");
  await one.query('commit');
  const lost = await thrownBy(two.query("update rate_windows set hits = 1 where key = 'b'").then(() => two.query('commit')));
  expect(isSerializationFault(lost)).toBe(true);
  expect(isConnectionFault(lost)).toBe(false);
  one.release();
  two.release(true);
});

test('a statement may take half a minute, an idle transaction one minute', async () => {
  const { rows } = await opened.pool.query(
    "select name, setting from pg_settings where name ~ '^(statement|lock|idle_in_transaction_session)_timeout$' order by name",
  );
  expect(rows).toEqual([
    { name: 'idle_in_transaction_session_timeout', setting: '60000' },
    { name: 'lock_timeout', setting: '10000' },
    { name: 'statement_timeout', setting: '30000' },
  ]);
});

test('without a serving login, sessions of the owner drop their privileges', async () => {
  const { url, poolSize } = database.settings;
  await runAs(superuser, 'grant highline_serve to highline_owner');
  const stepped = await openDatabase({ kind: 'external', url, poolSize }, log);
  try {
    expect((await stepped.pool.query('select current_user as role')).rows).toEqual([{ role: 'highline_serve' }]);
    await expect(stepped.pool.query('delete from audit_entries')).rejects.toThrow('permission denied');
    expect((await stepped.withOwner((owner) => owner.query('select current_user as role'))).rows).toEqual([
      { role: 'highline_owner' },
    ]);
  } finally {
    await stepped.close();
    await runAs(superuser, 'revoke highline_serve from highline_owner');
  }
});

test('events that a restored dump brought along are removed at the next start; those of this cluster are kept', async () => {
  const other = await createTestDatabase();
  const insert = (xid: string) => runAs(other.ownerUrl, `insert into outbox (xid, topic) values (${xid}, 'devices')`);
  const countAfterStart = async () => {
    const restarted = await openDatabase(other.settings, log);
    const { rows } = await restarted.pool.query('select count(*) as events from outbox');
    await restarted.close();
    return rows[0] as unknown;
  };
  try {
    // An installation of before this was recorded: only a transaction to come shows the restore.
    await insert('pg_current_xact_id()');
    await insert("'9000000000'");
    expect(await countAfterStart()).toEqual({ events: 1 });
    await insert('pg_current_xact_id()');
    expect(await countAfterStart()).toEqual({ events: 2 });
    await runAs(other.ownerUrl, `update installation set value = '"another"' where key = 'outbox_cluster'`);
    expect(await countAfterStart()).toEqual({ events: 0 });
  } finally {
    await other.close();
  }
});

test('a serving login that could rewrite the audit log is rejected', async () => {
  const { url, poolSize } = database.settings;
  await expect(openDatabase({ kind: 'external', url, serveUrl: url, poolSize }, log)).rejects.toThrow(
    'The role highline_owner could change or delete entries of the audit log',
  );
});

test('a serving login to another database is rejected', async () => {
  const other = await createTestDatabase();
  try {
    await expect(openDatabase({ ...database.settings, serveUrl: other.serveUrl }, log)).rejects.toThrow(
      'points to another database',
    );
  } finally {
    await other.close();
  }
});

test('an unreachable database is named, its password is not', async () => {
  const settings = { kind: 'external', url: 'postgresql://me:hunter2@127.0.0.1:1/fleet', poolSize: 2 } as const;
  const error = await thrownBy(openDatabase(settings, log));
  expect(String(error)).toMatch(
    /^StartupError: PostgreSQL at 127\.0\.0\.1:1 \(database fleet, user me\) does not answer: .*ECONNREFUSED.* See DATABASE_URL\.$/u,
  );
  expect(String(error)).not.toContain('hunter2');
});

test('a rejected sign-in names the variable', async () => {
  const url = urlFor(database.ownerUrl, 'unknown_user', 'hunter2', nameOf(database));
  await expect(openDatabase({ kind: 'external', url, poolSize: 2 }, log)).rejects.toThrow(
    /user unknown_user\) rejects the sign-in: .* See DATABASE_URL\.$/u,
  );
});

test('each statement of the pool is measured, with the call that it belongs to, whether it is awaited or has a callback', async () => {
  const measured: { sql: string; ms: number; operation: string | undefined }[] = [];
  const slow = {
    call() {},
    statement: (sql: string, ms: number, operation?: string) => void measured.push({ sql, ms, operation }),
  };
  const other = await openDatabase(database.settings, log, slow);
  try {
    measured.length = 0;
    const sql = 'select pg_sleep(0.02), $1::text as name';
    await withinCall({ operation: 'devices.list' }, () => other.pool.query(sql, ['Depot 7']));
    const client = await other.pool.connect();
    await client.query('select 1');
    await expect(client.query('select no_such_column')).rejects.toThrow('no_such_column');
    client.release();
    expect(measured.map(({ sql, operation }) => [sql, operation])).toEqual([
      [sql, 'devices.list'],
      ['select 1', undefined],
      ['select no_such_column', undefined],
    ]);
    expect(measured[0]!.ms).toBeGreaterThanOrEqual(20);
  } finally {
    await other.close();
  }
});
