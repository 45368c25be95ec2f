import { sql } from 'kysely';
import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import type { Reader } from './fragment.ts';
import type { List } from './list.ts';
import { onPrimary } from '../ports/read-source.ts';
import { readCountedPage } from './page.ts';

const list: List = {
  fingerprint: 'things',
  table: sql`things t`,
  alias: 't',
  identity: ['id'],
  scope: sql`t.owner = 1`,
  filters: [sql`t.kind = 2`],
  columns: sql`t.id`,
  segments: [{ from: sql`things t`, keys: [{ column: sql.ref('t.id'), kind: 'uuid' }], descending: false }],
  prepared: false,
};

/** Answers one row and records the calls. */
function createFakeReader() {
  const started = Promise.withResolvers<void>();
  const reader: Reader = {
    compile: () => ({}) as never,
    source: onPrimary({} as Pool),
    rows: async <Row>() => {
      started.resolve();
      return [{ id: 'a', '#0': 'a' }] as Row[];
    },
  };
  return { reader, started: started.promise };
}

test('a list with estimable filters is read alongside its count, any other one after it', async () => {
  const count = Promise.withResolvers<{ total: number }>();
  const [estimatable, searched] = [createFakeReader(), createFakeReader()];
  const pages = [
    readCountedPage(estimatable.reader, { ...list, estimatable: true }, { limit: 10 }, count.promise),
    readCountedPage(searched.reader, list, { limit: 10 }, count.promise),
  ];
  const first = await Promise.race([estimatable.started.then(() => 'foreseen'), searched.started.then(() => 'searched')]);
  expect(first).toBe('foreseen');
  count.resolve({ total: 1 });
  await searched.started;
  expect((await Promise.all(pages)).map(({ rows }) => rows.length)).toEqual([1, 1]);
});

test('an empty list shows its first page, whatever was requested', async () => {
  for (const estimatable of [true, false]) {
    const page = await readCountedPage(
      createFakeReader().reader,
      { ...list, estimatable },
      { limit: 10, offset: 50 },
      Promise.resolve({ total: 0 }),
    );
    expect(page).toEqual({ rows: [], offset: 0, next: null, previous: null });
  }
});
