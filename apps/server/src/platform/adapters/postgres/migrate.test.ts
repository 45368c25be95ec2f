import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OWNER, runAs, SERVE, testCluster, urlFor } from '../../../testing/database.ts';
import { openDatabase } from './connect.ts';
import { migrate, type MigrateOptions } from './migrate.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const landed = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
const { superuser, template, password } = testCluster();
let database: string;
let folder: string;
const ownerUrl = () => urlFor(superuser, OWNER, password, database);
const serveUrl = () => urlFor(superuser, SERVE, password, database);

/** Migrated to what landed, as those of most installations: all migrations of an empty one take as long as the rest of a test. */
beforeEach(async () => {
  database = `highline_test_${randomBytes(6).toString('hex')}`;
  await runAs(superuser, `create database ${database} template ${template} owner ${OWNER} strategy file_copy`);
  folder = mkdtempSync(join(tmpdir(), 'highline-migrations-'));
  cpSync(landed, folder, { recursive: true });
});
afterEach(async () => {
  await runAs(superuser, `drop database ${database} with (force)`);
  rmSync(folder, { recursive: true });
});

async function useEmptyDatabase(): Promise<void> {
  await runAs(superuser, `drop database ${database} with (force)`, `create database ${database} owner ${OWNER}`);
}

async function migrateOnce(more: Partial<MigrateOptions> = {}): Promise<void> {
  const client = new Client(ownerUrl());
  await client.connect();
  try {
    await migrate(client, { log, ownerServes: false, folder, ...more });
  } finally {
    await client.end();
  }
}

/** A session that stays open for the rest of a block. */
async function connected(url: string): Promise<{ readonly client: Client } & AsyncDisposable> {
  const client = new Client(url);
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const superuserHere = () => superuser.replace(/\/postgres(?=\?|$)/u, `/${database}`);

/** Wait until a query of the owner has a row. */
async function waitFor(text: string): Promise<void> {
  await expect.poll(() => query(ownerUrl(), text)).not.toEqual([]);
}

/** The next migration after the existing ones. */
function addMigration(sql: string, name = 'next'): string {
  const number = Number(migrationNames().at(-1)?.slice(0, 4)) + 1;
  const file = `${String(number).padStart(4, '0')}-${name}.sql`;
  writeFileSync(join(folder, file), sql);
  return file;
}

const migrationNames = () => readdirSync(folder).sort();

test('migrating again changes nothing', async () => {
  await useEmptyDatabase();
  await migrateOnce();
  const before = await query(ownerUrl(), 'select name, checksum, applied_at::text from schema_migrations order by number');
  await migrateOnce();
  expect(await query(ownerUrl(), 'select name, checksum, applied_at::text from schema_migrations order by number')).toEqual(
    before,
  );
  expect(before).toHaveLength(3 * migrationNames().length);
});

test('IAM-04-partial what limited people read is made once, and again after a table changed', async () => {
  const view = `select c.oid::text, count(*)::integer from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = 'limited.groups'::regclass group by c.oid`;
  const before = await query(ownerUrl(), view);
  await migrateOnce();
  expect(await query(ownerUrl(), view)).toEqual(before);
  addMigration('alter table groups add column newer text');
  await migrateOnce();
  const [oid, columns] = await query(ownerUrl(), view);
  expect([oid !== before[0], columns]).toEqual([true, Number(before[1]) + 1]);
});

test('NOD-06-partial the schema of every earlier version can be made, to be filled with a backup of it', async () => {
  await useEmptyDatabase();
  const numbers = migrationNames().map((name) => Number(name.slice(0, 4)));
  for (const last of numbers) await migrateOnce({ only: new Set(numbers.filter((number) => number <= last)) });
  await migrateOnce();
  expect(await query(ownerUrl(), "select to_regclass('limited.device_counts') is not null")).toEqual([true]);
});

test('several servers that start at once migrate once, and all of them start', async () => {
  await useEmptyDatabase();
  addMigration('create table counted (n integer); insert into counted values (1)');
  await Promise.all([migrateOnce(), migrateOnce(), migrateOnce(), migrateOnce()]);
  expect(await query(ownerUrl(), 'select n from counted')).toEqual([1]);
  expect(await query(ownerUrl(), 'select name from schema_migrations order by number')).toEqual(migrationNames());
});

test('NOD-03-partial a start that waits for another one logs which session it waits for', async () => {
  const holder = new Client(ownerUrl());
  await holder.connect();
  await holder.query("set application_name = 'elsewhere'");
  await migrate(holder, { log, ownerServes: false, folder });
  const lines: [object, string][] = [];
  const waiting = migrateOnce({ log: { ...log, warn: (...line) => void lines.push(line) } });
  await expect.poll(() => lines).toHaveLength(1);
  const [{ rows }, [line]] = [await holder.query<{ pid: number }>('select pg_backend_pid() as pid'), lines];
  expect(line).toEqual([
    { holder: expect.objectContaining({ pid: rows[0]!.pid, application: 'elsewhere' }) },
    'A start waits for another process that migrates the database.',
  ]);
  await holder.end();
  await waiting;
});

test('NOD-02-partial PostgreSQL ends sessions of a machine that is gone within a minute', async () => {
  const opened = await openDatabase({ kind: 'external', url: ownerUrl(), serveUrl: serveUrl(), poolSize: 2 }, log);
  // The value of the session: a connection by a socket of Unix shows 0 as the present one.
  const text = "select reset_val::int as value from pg_settings where name like 'tcp_keepalives%' order by name";
  const [owner, serve] = [await opened.withOwner((client) => client.query(text)), await opened.pool.query(text)];
  expect([owner.rows, serve.rows]).toEqual([owner, serve].map(() => [{ value: 3 }, { value: 30 }, { value: 10 }]));
  await opened.close();
});

test('a database of the development before 0.2.0 is rejected', async () => {
  await useEmptyDatabase();
  const rows = "values (1, '0001-tables.sql', ''), (2, '0002-more.sql', '')";
  await runAs(ownerUrl(), `create table schema_migrations as select * from (${rows}) as landed (number, name, checksum)`);
  await expect(migrateOnce()).rejects.toThrow('made by a development version of Highline before 0.2.0');
  expect(await query(ownerUrl(), "select to_regclass('groups') is null")).toEqual([true]);
});

test('a migration edited after it landed is rejected by name', async () => {
  appendFileSync(join(folder, '0001-baseline.sql'), '-- an edit\n');
  await expect(migrateOnce()).rejects.toThrow(
    /^Migration 0001-baseline\.sql landed in this database, and the file 0001-baseline\.sql has changed since\./u,
  );
});

describe('NOD-03-partial a program of the version before', () => {
  test('starts at a database that a newer one has extended, and the newer one starts again', async () => {
    const file = addMigration('create table newer (n integer)');
    const last = addMigration('create table newest (n integer)', 'last');
    await migrateOnce();
    rmSync(join(folder, file));
    await migrateOnce();
    writeFileSync(join(folder, file), 'create table newer (n integer)');
    await migrateOnce();
    // The same with one that landed.
    rmSync(join(folder, file));
    rmSync(join(folder, last));
    await migrateOnce();
    expect(await query(ownerUrl(), 'select name from schema_migrations')).toEqual(expect.arrayContaining([file, last]));
  });

  test('serves at such a database', async () => {
    addMigration('alter table groups add column newer text; create table newer (n integer)');
    await migrateOnce();
    const opened = await openDatabase({ kind: 'external', url: ownerUrl(), serveUrl: serveUrl(), poolSize: 2 }, log);
    expect((await opened.pool.query('select name from groups')).rows).toEqual([]);
    await opened.close();
  });

  test('is rejected by name once something that it uses was removed; a program that knows the replacement is not', async () => {
    const expand = addMigration('create table replacement (n integer)');
    const number = expand.slice(0, 4);
    const contract = addMigration(`-- highline: compatible since ${number}\ndrop table installation_before`, 'contract');
    writeFileSync(join(folder, expand), 'create table replacement (n integer); create table installation_before (n integer)');
    await migrateOnce();
    rmSync(join(folder, contract));
    await migrateOnce();
    rmSync(join(folder, expand));
    await expect(migrateOnce()).rejects.toThrow(
      `migrated by a newer Highline (${contract}), which this version cannot work with`,
    );
  });
});

describe('NOD-03-partial a migration while others work', () => {
  test('waits briefly for a lock and tries again, so that queries behind it are not held up', async () => {
    const reader = new Client(ownerUrl());
    await reader.connect();
    await reader.query('begin; select 1 from groups');
    addMigration('alter table groups add column newer text');
    let isMigrated = false;
    const migrating = migrateOnce({ lockTimeoutMs: 50 }).finally(() => {
      isMigrated = true;
    });
    await waitFor("select 1 from pg_locks where relation = 'groups'::regclass and not granted");
    // It stands behind the migration, which gives up its place.
    await query(serveUrl(), 'select name from groups');
    expect(isMigrated).toBe(false);
    await reader.query('commit');
    await reader.end();
    await migrating;
    expect(await query(ownerUrl(), 'select newer from groups')).toEqual([]);
  });

  test('builds an index without holding up writes, also when several processes start at once, and again after an interruption', async () => {
    const writer = new Client(ownerUrl());
    await writer.connect();
    await writer.query("begin; insert into rate_windows values ('before', 1, now())");
    const sql = '-- highline: concurrently\ncreate index concurrently if not exists newer on rate_windows (hits);\n';
    addMigration(sql);
    const starts = [migrateOnce(), migrateOnce(), migrateOnce()];
    await waitFor("select 1 from pg_stat_progress_create_index where relid = 'rate_windows'::regclass");
    await runAs(ownerUrl(), "insert into rate_windows values ('meanwhile', 1, now())");
    await writer.query('commit');
    await writer.end();
    await Promise.all(starts);
    const isValid = "select indisvalid from pg_index where indexrelid = to_regclass('newer')";
    expect(await query(ownerUrl(), isValid)).toEqual([true]);
    await runAs(superuserHere(), "update pg_index set indisvalid = false where indexrelid = 'newer'::regclass");
    await runAs(ownerUrl(), 'delete from schema_migrations where number = (select max(number) from schema_migrations)');
    await migrateOnce();
    expect(await query(ownerUrl(), isValid)).toEqual([true]);
  });
});

describe('IAM-04-partial people who are limited to a group, while tables change', () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const enter = `select limited.enter('${id}', '${id}', '{buses}', '{}')`;
  beforeEach(async () => {
    const row = `insert into groups (organization_id, key, name) values ('${id}', 'buses', 'Buses'), ('${id}', 'trams', 'Trams')`;
    await runAs(superuserHere(), `set session_replication_role = replica; ${row}`);
  });
  /** Begins a transaction like that of a call, and reads. */
  async function readIn(client: Client, text: string): Promise<unknown[]> {
    await client.query(`begin; set local statement_timeout = '5s'; ${enter}`);
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows.flat();
  }
  async function read(text = 'select name from groups'): Promise<unknown[]> {
    await using session = await connected(serveUrl());
    return await readIn(session.client, text);
  }

  test('read as before after a migration failed, and nothing of a table that the one before it made', async () => {
    addMigration('alter table groups add column newer text; create table newer (n integer)');
    const file = addMigration('alter table groups drop column newer; select 1 / 0', 'failing');
    await expect(migrateOnce()).rejects.toThrow(`Migration ${file} failed`);
    expect(await read()).toEqual(['Buses']);
    expect(await read('select newer from groups')).toEqual([null]);
    await expect(read('select n from newer')).rejects.toThrow('permission denied for view newer');
  });

  test('read nothing of a table whose rule needs what a later migration adds, until it is there', async () => {
    await runAs(ownerUrl(), 'alter table summaries rename author to writer');
    addMigration('alter table groups add column newer text');
    const later = addMigration('select 1 / 0', 'later');
    await expect(migrateOnce()).rejects.toThrow(`Migration ${later} failed`);
    expect(await read()).toEqual(['Buses']);
    await expect(read('select id from summaries')).rejects.toThrow('permission denied for view summaries');
    writeFileSync(join(folder, later), 'alter table summaries rename writer to author');
    await migrateOnce();
    expect(await read('select id from summaries')).toEqual([]);
  });

  test('NOD-03-partial read a table of a newer version, also after a process of this version started again', async () => {
    const file = addMigration(
      'create table newer (n integer); insert into newer values (1); grant select on newer to highline_serve',
    );
    await migrateOnce();
    // As a program does that has a rule for this table.
    const view = 'create or replace view limited_by_group.newer with (security_invoker = true) as select * from newer';
    const made = "comment on schema limited is 'made by other statements'";
    await runAs(ownerUrl(), `${view}; grant select on limited_by_group.newer to highline_serve; ${made}`);
    rmSync(join(folder, file));
    await migrateOnce();
    expect(await read('select n from newer')).toEqual([1]);
    // A database that has no views at all, as after a failed attempt.
    await runAs(ownerUrl(), 'drop schema limited cascade; drop schema limited_by_group cascade');
    await migrateOnce();
    expect(await read()).toEqual(['Buses']);
  });

  test('read while an index is built', async () => {
    await using writer = await connected(ownerUrl());
    await writer.client.query("begin; insert into rate_windows values ('before', 1, now())");
    addMigration('-- highline: concurrently\ncreate index concurrently if not exists newer on rate_windows (hits);\n');
    const migrating = migrateOnce();
    await waitFor("select 1 from pg_stat_progress_create_index where relid = 'rate_windows'::regclass");
    const names = await read().catch(String);
    await writer.client.query('commit');
    await migrating;
    expect(names).toEqual(['Buses']);
  });

  test('are not held up behind one who reads for long: the migration gives way and tries again', async () => {
    await using reader = await connected(serveUrl());
    expect(await readIn(reader.client, 'select name from groups')).toEqual(['Buses']);
    addMigration('alter table groups add column newer text');
    const migrating = migrateOnce({ lockTimeoutMs: 50 });
    await waitFor("select 1 from pg_locks where mode = 'AccessExclusiveLock' and not granted");
    expect(await read()).toEqual(['Buses']);
    await reader.client.query('commit');
    await migrating;
    expect(await read('select newer from groups')).toEqual([null]);
  });
});

test('a failed migration leaves nothing behind, and succeeds once it is corrected', async () => {
  const file = addMigration('create table half (n integer); select 1 / 0');
  await expect(migrateOnce()).rejects.toThrow(`Migration ${file} failed and was rolled back: division by zero (22012)`);
  expect(await query(ownerUrl(), "select to_regclass('half') is null")).toEqual([true]);
  writeFileSync(join(folder, file), 'create table half (n integer)');
  await migrateOnce();
  expect(await query(ownerUrl(), "select to_regclass('half') is not null")).toEqual([true]);
});

test('a lower number that lands later is applied as well; two migrations with one number are rejected', async () => {
  writeFileSync(join(folder, '9999-far.sql'), 'create table far (n integer)');
  await migrateOnce();
  writeFileSync(join(folder, '9998-later.sql'), 'create table later (n integer)');
  await migrateOnce();
  await migrateOnce();
  expect(await query(ownerUrl(), "select to_regclass('far') is not null and to_regclass('later') is not null")).toEqual([true]);
  writeFileSync(join(folder, '9998-again.sql'), 'select 1');
  await expect(migrateOnce()).rejects.toThrow('a unique four-digit number; 9998-later.sql does not');
});

test('POS-01-partial USE-01-partial open segments of the form before 0076 become complete ones', async () => {
  await useEmptyDatabase();
  // Those since have columns that the views of limited people need; they are made of whatever is there.
  const later = migrationNames().filter((name) => name >= '0076' && name < '0089');
  for (const name of later) rmSync(join(folder, name));
  await migrateOnce();
  await query(
    ownerUrl(),
    "select ensure_position_partitions('2026-11-28', '2026-11-28'), ensure_usage_partitions('2026-11-28', '2026-11-28')",
  );
  await query(
    ownerUrl(),
    `insert into open_position_segments select id, at, seconds, degrees, degrees, '{4.5,NULL}', '{905,0}', '{1,2}', '{30}'
      from (values (gen_random_uuid(), '2026-11-28T08:10:00Z'::timestamptz, '{0,30}'::smallint[], '{410000000,-1}'::integer[])) v (id, at, seconds, degrees)`,
  );
  await query(
    ownerUrl(),
    "insert into open_position_segments values (gen_random_uuid(), 'epoch', '{}', '{}', '{}', '{}', '{}', '{}')",
  );
  await query(
    ownerUrl(),
    "insert into open_usage_segments values (gen_random_uuid(), 1, '2026-11-28T08:10:00Z', '8901', '{0,60000}', '{5,65}', '{1,2}', '{3,4}')",
  );
  for (const name of later) cpSync(join(landed, name), join(folder, name));
  await migrateOnce();
  expect(
    await query(
      serveUrl(),
      `select extract(minute from p.at)::int, extract(second from p.at)::int, p.latitude, p.accuracy, p.speed, p.is_jump
      from (select distinct router_id from position_segments) r cross join lateral positions_between(r.router_id, '-infinity', 'infinity') p order by p.at`,
    ),
  ).toEqual([10, 0, 41, 4.5, 90.5, false, 10, 30, -1e-7, null, 0, true]);
  expect(await query(serveUrl(), 'select iccid, milliseconds, uptimes, sent, received from all_usage_segments')).toEqual([
    '8901',
    [0, 60_000],
    [5, 65],
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('the serving role reads and adds entries of the audit log, and can neither change, delete nor truncate it, nor change the schema', async () => {
  const entry = `insert into audit_entries values (gen_random_uuid(), 1, now(), null, 'a@b.c', 'system', '::1', 'did', 'device', 'x', '{}', '\\x00', '\\x00')`;
  await runAs(serveUrl(), entry);
  expect(await query(serveUrl(), 'select seq::integer from audit_entries')).toEqual([1]);
  const forbidden = [
    'update audit_entries set seq = 2',
    'delete from audit_entries',
    'truncate audit_entries',
    'drop table audit_entries',
    'alter table audit_entries disable trigger all',
    'create trigger rewrite before insert on audit_entries for each row execute function suppress_redundant_updates_trigger()',
    'create table mine (n integer)',
    'create schema mine',
    "update schema_migrations set checksum = ''",
    "insert into installation values ('demo', 'false')",
    `set role ${OWNER}`,
  ];
  for (const statement of forbidden)
    await expect(runAs(serveUrl(), statement)).rejects.toThrow(/permission denied|must be owner/u);
  expect(await query(serveUrl(), 'select seq::integer from audit_entries')).toEqual([1]);
});

test.each([
  ['a right to update', 'grant update on audit_entries to highline_serve'],
  ['a right to update one column', 'grant update (detail) on audit_entries to highline_serve'],
  ['a right to delete', 'grant delete on audit_entries to highline_serve'],
  ['a right granted to public', 'grant truncate on audit_entries to public'],
])('a start is rejected while the serving role has %s', async (_what, grant) => {
  await runAs(ownerUrl(), grant);
  await expect(migrateOnce()).rejects.toThrow('highline_serve could change or delete entries of the audit log');
});

test('there is a partition for each day from the day before yesterday to a week from now, in UTC', async () => {
  await useEmptyDatabase();
  await migrateOnce();
  const days = await query(
    ownerUrl(),
    "select right(relname, 8) from pg_class where relname like 'telemetry_reports_2%' and relkind = 'r' order by 1",
  );
  const expected = Array.from({ length: 10 }, (_, offset) =>
    new Date(Date.now() + (offset - 2) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  expect(days).toEqual(expected);
});

test('the serving role may create more partitions, from two nodes at once', async () => {
  const ask = "select ensure_partitions('2031-01-01', '2031-01-05')";
  await Promise.all([runAs(serveUrl(), ask), runAs(serveUrl(), ask)]);
  await runAs(serveUrl(), "insert into telemetry_reports values (gen_random_uuid(), '2031-01-05T23:59:59Z', -70)");
  expect(await query(serveUrl(), 'select count(*)::integer from telemetry_reports')).toEqual([1]);
});

test('a day is added while reports are read, and neither waits for the other', async () => {
  await migrateOnce();
  await using reader = await connected(serveUrl());
  // A report reads two tables one after the other, in the order opposite to that of their new days.
  await reader.client.query('begin transaction isolation level repeatable read read only');
  await reader.client.query('select count(*) from connectivity, telemetry_days');
  await runAs(serveUrl(), "set statement_timeout = '1s'; select ensure_partitions('2031-01-01', '2031-01-02')");
  await reader.client.query('select count(*) from telemetry_reports, telemetry_hours');
  await reader.client.query('commit');
  await runAs(serveUrl(), "insert into connectivity values (gen_random_uuid(), '2031-01-02T12:00:00Z', 'online', 'x')");
  expect(await query(serveUrl(), 'select tableoid::regclass::text from connectivity')).toEqual(['connectivity_20310102']);
});

test('an added day has the keys, indexes and checks of its table', async () => {
  await migrateOnce();
  await runAs(serveUrl(), "select ensure_position_partitions('2031-01-01', '2031-01-01')");
  const definitions = (table: string) =>
    query(
      ownerUrl(),
      `select regexp_replace(pg_get_indexdef(indexrelid), '^.* USING', '') from pg_index where indrelid = '${table}'::regclass
       union all select pg_get_constraintdef(oid) from pg_constraint where conrelid = '${table}'::regclass order by 1`,
    );
  expect(await definitions('positions')).not.toEqual([]);
  expect(await definitions('positions_20310101')).toEqual(await definitions('positions'));
});

test('old days are dropped one at a time, and a day that is read for long is left for later', async () => {
  await migrateOnce();
  await runAs(serveUrl(), "select ensure_position_partitions('2020-01-01', '2020-01-02')");
  await using reader = await connected(serveUrl());
  await reader.client.query("begin; select count(*) from position_segments where at < '2020-01-02T00:00:00Z'");
  const drop = "select drop_position_partitions_before('2021-01-01')";
  await expect(runAs(serveUrl(), drop)).rejects.toMatchObject({ code: '55P03' });
  await reader.client.query('commit');
  const dropped: unknown[] = [];
  for (let count = 0; count < 5; count++) dropped.push(await query(serveUrl(), drop));
  expect(dropped).toEqual([[1], [1], [1], [1], [0]]);
});

test('with another version of ICU the indexes in the order of names are built again', async () => {
  await migrateOnce();
  const numbers =
    "select relfilenode::text from pg_class where relname in ('devices_by_vehicle_order_with_group', 'devices_by_vehicle') order by relname";
  const before = await query(ownerUrl(), numbers);
  await query(superuserHere(), "update pg_collation set collversion = '0' where collname = 'natural_order'");
  await migrateOnce();
  const after = await query(ownerUrl(), numbers);
  expect(after.map((number, at) => number === before[at])).toEqual([true, false]);
  const stale = "select from pg_collation where collname = 'natural_order' and collversion <> pg_collation_actual_version(oid)";
  expect(await query(ownerUrl(), stale)).toEqual([]);
});
