import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../adapters/postgres/connect.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { silentLog } from '../../testing/log.ts';
import { createReader, type Reader } from './fragment.ts';
import type { List } from './list.ts';
import { readCountedPage } from './page.ts';

const ROWS = 23;
let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let reader: Reader;
let names: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
  reader = createReader(createDatabase(opened.pool, () => {}));
  const owner = new Client(testDatabase.ownerUrl);
  await owner.connect();
  await owner.query(`create table things as select gen_random_uuid() as id, 1 as owner, 'thing ' || lpad(i::text, 2, '0') as name
    from generate_series(1, ${ROWS}) i`);
  await owner.query('grant select on things to public');
  names = (await owner.query<{ name: string }>('select name from things order by name')).rows.map(({ name }) => name);
  await owner.end();
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
});

/** By name, in one segment, or with the last nine in a second segment. */
function listOf(segments: 1 | 2): List {
  const keys = [{ column: sql.ref('t.name'), kind: 'text' }] as const;
  const from = sql`things t`;
  const halves = [sql`t.name < ${names[14]!}`, sql`t.name >= ${names[14]!}`];
  return {
    fingerprint: 'things',
    table: sql`things t`,
    alias: 't',
    identity: ['id'],
    scope: sql`t.owner = 1`,
    filters: [],
    columns: sql`t.name`,
    segments:
      segments === 1 ? [{ from, keys, descending: false }] : halves.map((where) => ({ from, where, keys, descending: false })),
    prepared: false,
  };
}

const jump = (list: List, offset: number, most = ROWS) =>
  readCountedPage<{ name: string }>(reader, list, { limit: 4, offset }, Promise.resolve({ total: ROWS }), { short: 0, most });

test.each([1, 2] as const)(
  'a jump returns the same page when read from the nearer end of a list of %s segments',
  async (segments) => {
    const list = listOf(segments);
    for (let offset = 0; offset <= ROWS + 2; offset += 1) {
      const page = await jump(list, offset);
      expect(
        page.rows.map(({ name }) => name),
        String(offset),
      ).toEqual(names.slice(offset, offset + 4));
      expect([page.offset, page.next !== null, page.previous !== null], String(offset)).toEqual([
        offset,
        offset + 4 < ROWS,
        offset > 0 && offset < ROWS,
      ]);
      if (page.next === null) continue;
      const next = await readCountedPage<{ name: string }>(
        reader,
        list,
        { limit: 4, cursor: page.next },
        Promise.resolve({ total: ROWS }),
      );
      expect(next.rows.map(({ name }) => name)).toEqual(names.slice(offset + 4, offset + 8));
    }
  },
);

test('a jump too far from both ends is rejected with a message; the ends of the list stay reachable', async () => {
  const list = listOf(1);
  await expect(jump(list, 11, 5)).rejects.toMatchObject({ key: 'request.invalid', more: { field: 'offset' } });
  expect((await jump(list, 5, 5)).rows[0]!.name).toBe(names[5]);
  expect((await jump(list, ROWS - 4, 5)).rows.at(-1)!.name).toBe(names.at(-1));
  expect((await jump(list, 1_000_000, 5)).rows).toEqual([]);
});
