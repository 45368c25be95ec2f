import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCluster } from '../../testing/database.ts';
import { collect, openTestApp, type TestApp } from '../../testing/test-app.ts';
import type { Fragment } from './fragment.ts';
import { createRowStreams } from './row-streams.ts';

let app: TestApp;
/** A superuser, who sees the activity of other connections. */
let overseer: Client;
let databaseName: string;
beforeAll(async () => {
  app = await openTestApp();
  overseer = new Client(testCluster().superuser);
  await overseer.connect();
  const { rows } = await app.owner.query<{ name: string }>('select current_database() as name');
  databaseName = rows[0]!.name;
});
afterAll(async () => {
  await overseer.end();
  await app.close();
});

const numbers = (most: number) => sql`select n, ${'x'}::text as x from generate_series(1, ${most}::int) n`;

/** Number of the server's connections within a transaction. */
async function busy(): Promise<number> {
  const { rows } = await overseer.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
      where datname = $1 and application_name = 'highline' and state in ('idle in transaction', 'active')`,
    [databaseName],
  );
  return rows[0]!.n;
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => void setImmediate(resolve));
}

test('SHR-08-partial every row of a statement with parameters is streamed, in order', async () => {
  const seen: number[] = [];
  for await (const row of app.streams.open<{ n: number; x: string }>(numbers(1_234))) seen.push(row.n);
  expect(seen).toEqual(Array.from({ length: 1_234 }, (_, index) => index + 1));
  expect(await busy()).toBe(0);
});

test('SHR-08-partial a reader that stops early leaves no transaction behind', async () => {
  for await (const row of app.streams.open<{ n: number }>(numbers(100_000)))
    if (row.n === 700) {
      expect(await busy()).toBe(1);
      break;
    }
  await eventually(async () => (await busy()) === 0);
});

/** The records of copied rows. */
const recordsOf = async (statement: Fragment): Promise<string[][]> =>
  parse(Buffer.concat(await collect(app.streams.copy(statement))), { record_delimiter: '\n' });

test('SHR-08-partial copied rows are the same rows as CSV, also with every character that CSV quotes; dates as MM/DD/YYYY', async () => {
  const hostile = [
    'plain',
    'tab\tline\nreturn\rback\\slash',
    String.raw`\N`,
    '\\.',
    'bell \b form \f tab \v',
    '王小明 🚌',
    '',
    "it's",
    '{"a"}',
  ];
  const statement = sql`select n, t, ${hostile[1]}::text, ${null}::text, ${'2026-02-01'}::date from unnest(${hostile}::text[]) with ordinality x (t, n)
    where n <= ${hostile.length} order by n`;
  expect(await recordsOf(statement)).toEqual(
    hostile.map((value, index) => [String(index + 1), value, hostile[1], '', '02/01/2026']),
  );
  expect(await busy()).toBe(0);
});

test('SHR-08-partial many copied rows arrive once and in order', async () => {
  const letters = '電信 🚌 '.repeat(20);
  const records = await recordsOf(sql`select n, ${letters}::text from generate_series(1, 20000) n`);
  expect(records.filter(([, text]) => text !== letters)).toEqual([]);
  expect(records.map(([n]) => n)).toEqual(Array.from({ length: 20_000 }, (_, index) => String(index + 1)));
});

test('SHR-08-partial copied rows without columns and no rows at all are read', async () => {
  const bytes = await collect(app.streams.copy(sql`select from generate_series(1, 2)`));
  expect(Buffer.concat(bytes).toString()).toBe('\n\n');
  expect(await collect(app.streams.copy(numbers(0)))).toEqual([]);
});

test('SHR-08-partial a reader of copied rows that stops early, or whose statement fails, leaves no transaction behind', async () => {
  for await (const piece of app.streams.copy(numbers(1_000_000))) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  await eventually(async () => (await busy()) === 0);
  const failing = app.streams.copy(sql`select 1 / (30000 - n) from generate_series(1, 100000) n`);
  await expect(collect(failing)).rejects.toThrow('division by zero');
  await eventually(async () => (await busy()) === 0);
  expect(() => app.streams.copy(sql`select ${'a\0b'}::text`)).toThrow('NUL');
});

test('SHR-08-partial a reader of copied rows that stops reading is disconnected and gets an error when it continues', async () => {
  const stalled = createRowStreams(app.reader, { stallMs: 1 }).copy(numbers(1_000_000))[Symbol.asyncIterator]();
  await stalled.next();
  await eventually(async () => (await busy()) === 0);
  await expect(stalled.next()).rejects.toThrow('The list was not read in time.');
});

test('SHR-08-partial a failing statement reports its error and leaves no transaction behind', async () => {
  const rows = app.streams.open(sql`select 1 / (3 - n) from generate_series(1, 10) n`);
  await expect(collect(rows)).rejects.toThrow('division by zero');
  await eventually(async () => (await busy()) === 0);
});

test('SHR-08-partial a limited number streams at once, the next begins when one ends, and an overlong queue is rejected', async () => {
  const streams = createRowStreams(app.reader, { atOnce: 1, waiting: 1 });
  const first = streams.open<{ n: number }>(numbers(10_000))[Symbol.asyncIterator]();
  expect((await first.next()).value).toMatchObject({ n: 1 });
  const second = streams.open<{ n: number }>(numbers(3))[Symbol.asyncIterator]();
  const waiting = second.next();
  expect(() => streams.open(numbers(3))).toThrow('The server is busy.');
  expect(await busy()).toBe(1);
  await first.return?.();
  expect((await waiting).value).toMatchObject({ n: 1 });
  await second.return?.();
});

test('SHR-08-partial a reader that stops reading is disconnected and gets an error when it continues', async () => {
  const streams = createRowStreams(app.reader, { stallMs: 1 });
  const stalled = streams.open<{ n: number }>(numbers(10_000))[Symbol.asyncIterator]();
  await stalled.next();
  await eventually(async () => (await busy()) === 0);
  const rest = (async () => {
    while ((await stalled.next()).done !== true);
  })();
  await expect(rest).rejects.toThrow('The list was not read in time.');
});
