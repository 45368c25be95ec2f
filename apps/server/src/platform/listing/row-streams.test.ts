import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCluster } from '../../testing/database.ts';
import { collect, openTestApp, type TestApp } from '../../testing/test-app.ts';
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
