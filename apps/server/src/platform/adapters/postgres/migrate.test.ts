import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OWNER, runAs, SERVE, testCluster, urlFor } from '../../../testing/database.ts';
import { migrate } from './migrate.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const landed = fileURLToPath(new URL('../../../../migrations/', import.meta.url));
const { superuser, password } = testCluster();
let database: string;
let folder: string;
const ownerUrl = () => urlFor(superuser, OWNER, password, database);
const serveUrl = () => urlFor(superuser, SERVE, password, database);

beforeEach(async () => {
  database = `highline_test_${randomBytes(6).toString('hex')}`;
  await runAs(superuser, `create database ${database} owner ${OWNER}`);
  folder = mkdtempSync(join(tmpdir(), 'highline-migrations-'));
  cpSync(landed, folder, { recursive: true });
});
afterEach(async () => {
  await runAs(superuser, `drop database ${database} with (force)`);
  rmSync(folder, { recursive: true });
});

async function migrateOnce(): Promise<void> {
  const client = new Client(ownerUrl());
  await client.connect();
  try {
    await migrate(client, { log, ownerServes: false, folder });
  } finally {
    await client.end();
  }
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

/** The next migration after the existing ones. */
function addMigration(sql: string, name = 'next'): string {
  const number = Number(migrationNames().at(-1)?.slice(0, 4)) + 1;
  const file = `${String(number).padStart(4, '0')}-${name}.sql`;
  writeFileSync(join(folder, file), sql);
  return file;
}

const migrationNames = () => readdirSync(folder).sort();

test('migrating again changes nothing', async () => {
  await migrateOnce();
  const before = await query(ownerUrl(), 'select name, checksum, applied_at::text from schema_migrations order by number');
  await migrateOnce();
  expect(await query(ownerUrl(), 'select name, checksum, applied_at::text from schema_migrations order by number')).toEqual(
    before,
  );
  expect(before).toHaveLength(3 * migrationNames().length);
});

test('several servers that start at once migrate once, and all of them start', async () => {
  addMigration('create table counted (n integer); insert into counted values (1)');
  await Promise.all([migrateOnce(), migrateOnce(), migrateOnce(), migrateOnce()]);
  expect(await query(ownerUrl(), 'select n from counted')).toEqual([1]);
  expect(await query(ownerUrl(), 'select name from schema_migrations order by number')).toEqual(migrationNames());
});

test('a migration edited after it landed is rejected by name', async () => {
  await migrateOnce();
  appendFileSync(join(folder, '0001-first-house.sql'), '-- an edit\n');
  await expect(migrateOnce()).rejects.toThrow(
    /^Migration 0001-first-house\.sql landed in this database, and the file 0001-first-house\.sql has changed since\./u,
  );
});

test('a database migrated by a newer version is rejected by name', async () => {
  const file = addMigration('create table newer (n integer)');
  await migrateOnce();
  rmSync(join(folder, file));
  await expect(migrateOnce()).rejects.toThrow(`migrated by a newer Highline (${file})`);
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

test('the serving role reads and adds entries of the audit log, and can neither change, delete nor truncate it, nor change the schema', async () => {
  await migrateOnce();
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
  await migrateOnce();
  await runAs(ownerUrl(), grant);
  await expect(migrateOnce()).rejects.toThrow('highline_serve could change or delete entries of the audit log');
});

test('there is a partition for each day from the day before yesterday to a week from now, in UTC', async () => {
  await migrateOnce();
  const days = await query(
    ownerUrl(),
    "select right(relname, 8) from pg_class where relname like 'telemetry_2%' and relkind = 'r' order by 1",
  );
  const expected = Array.from({ length: 10 }, (_, offset) =>
    new Date(Date.now() + (offset - 2) * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  );
  expect(days).toEqual(expected);
});

test('the serving role may create more partitions, from two nodes at once', async () => {
  await migrateOnce();
  const ask = "select ensure_partitions('2031-01-01', '2031-01-05')";
  await Promise.all([runAs(serveUrl(), ask), runAs(serveUrl(), ask)]);
  await runAs(serveUrl(), "insert into telemetry values (gen_random_uuid(), '2031-01-05T23:59:59Z', 1, -70)");
  expect(await query(serveUrl(), 'select count(*)::integer from telemetry')).toEqual([1]);
});
