import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createCache } from './cache.ts';
import { defineList } from './define-list.ts';
import type { Totals } from './page.ts';
import { searchOf, sorted, type ListQuery } from './request.ts';
import { shortList } from './short-list.ts';

interface Row {
  readonly id: string;
  readonly name: string;
}
interface ThingQuery extends ListQuery {
  readonly sort?: 'name' | '-name' | undefined;
  readonly field?: 'name' | 'upper' | undefined;
}

const [own, other] = [newId(), newId()].map((organizationId): OrganizationScope => ({
  kind: 'organization',
  mainAccountId: newId(),
  organizationId,
})) as [OrganizationScope, OrganizationScope];
let app: TestApp;
let ids: Record<string, string>;

beforeAll(async () => {
  app = await openTestApp();
  await app.owner.query(`create table things (id uuid default gen_random_uuid(), owner uuid, name text);
    grant select on things to public`);
  for (const { organizationId } of [own, other])
    await app.owner.query(`insert into things (owner, name) select $1, 'thing ' || i from generate_series(1, 7) i`, [
      organizationId,
    ]);
  const { rows } = await app.owner.query<Row>('select id, name from things where owner = $1', [own.organizationId]);
  ids = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
});
afterAll(async () => {
  await app.owner.query('drop table things');
  await app.close();
});

const fields = {
  name: sql`t.name`,
  upper: (has: (column: ReturnType<typeof sql>) => ReturnType<typeof sql>) => has(sql`upper(t.name)`),
};
const toDto = ({ name }: Row, index: number) => `${index} ${name}`;
const inScope = ({ organizationId }: OrganizationScope) => sql`t.owner = ${organizationId}::uuid`;

const short = defineList({
  of: (scope: OrganizationScope, query: ThingQuery) =>
    shortList(query, {
      select: sql`select t.id, t.name from things t`,
      table: sql`things t`,
      where: [inScope(scope)],
      fields,
      sorts: { name: [sql`t.name`] },
      sort: 'name',
    }),
  toDto,
});

const keyedAs = (name: string, count?: ReturnType<typeof sql>) =>
  defineList({
    of(scope: OrganizationScope, query: ThingQuery) {
      const { value: keys, descending } = sorted(query.sort ?? 'name', {
        name: [{ column: sql`t.name`, kind: 'text' }],
      } as const);
      return {
        name,
        table: sql`things t`,
        alias: 't',
        identity: ['id'],
        scope: inScope(scope),
        filters: searchOf(query, fields),
        columns: sql`t.id, t.name`,
        segments: [{ from: sql`things t`, keys, descending }],
        ...(count === undefined ? {} : { count }),
      };
    },
    toDto,
  });
const keyed = keyedAs('things');

const invalid = (field: string) => ({ key: 'request.invalid', more: { field } });

test.each([
  ['short', short],
  ['keyed', keyed],
])('a call of a %s list has a page if it asks for one, else the whole list; each row knows its position', async (_, list) => {
  const page = await list.respond(app, own, { limit: 2, offset: 4, sort: '-name' });
  expect(page).toMatchObject({ result: ['4 thing 3', '5 thing 2'], total: 7, offset: 4 });
  expect(await list.accountResponse(app, own, { offset: 6 })).toMatchObject({ result: { list: ['6 thing 7'] }, total: 7 });
  expect(await list.respond(app, own, { limit: 3, around: ids['thing 5']! })).toMatchObject({ offset: 3, total: 7 });
  expect(await list.respond(app, own, { limit: 3, around: newId() })).toMatchObject({ offset: 0 });
  expect(await list.respond(app, own, { limit: 3, around: 'no id' })).toMatchObject({ offset: 0 });
  const whole = JSON.parse(await text((await list.respond(app, own, { sort: '-name' })) as Readable)) as { result: string[] };
  expect(whole.result.map((item) => item.slice(-1)).join('')).toBe('7654321');
  expect(await text((await list.accountResponse(app, own, {})) as Readable)).toContain('"0 thing 1"');
  expect(await list.first(app.reader, own, { sort: '-name' })).toMatchObject({ name: 'thing 7' });
});

test.each([
  ['short', short],
  ['keyed', keyed],
])('a %s list searches its first field unless another one is named, and rejects what it does not have', async (_, list) => {
  expect(await list.respond(app, own, { limit: 9, search: 'g 3' })).toMatchObject({ result: ['0 thing 3'], total: 1 });
  expect(await list.respond(app, own, { limit: 9, search: 'G 3', field: 'upper' })).toMatchObject({ total: 1 });
  expect(await list.respond(app, own, { limit: 9, search: '', field: 'upper' })).toMatchObject({ total: 7 });
  for (const name of ['owner', 'toString', '__proto__']) {
    await expect(list.respond(app, own, { search: 'a', field: name as 'name' })).rejects.toMatchObject(invalid('field'));
    await expect(list.respond(app, own, { sort: name as 'name' })).rejects.toMatchObject(invalid('sort'));
  }
});

test('a cursor leads through a list in both directions, and opens no other list, scope, filter or sort', async () => {
  const { next } = await keyed.page(app, own, { search: 't' }, 3);
  const second = await keyed.page(app, own, { search: 't', cursor: next! }, 3);
  expect(second.rows.map(({ name }) => name)).toEqual(['thing 4', 'thing 5', 'thing 6']);
  expect((await keyed.page(app, own, { search: 't', cursor: second.previous! }, 3)).offset).toBe(0);
  const reject = (list: typeof keyed, scope: OrganizationScope, query: ThingQuery) =>
    expect(list.page(app, scope, { ...query, cursor: next! }, 3)).rejects.toMatchObject(invalid('cursor'));
  await reject(keyedAs('others'), own, { search: 't' });
  await reject(keyed, other, { search: 't' });
  await reject(keyed, own, { search: 'h' });
  await reject(keyed, own, { search: 't', sort: '-name' });
  await expect(short.page(app, own, { cursor: next! }, 3)).rejects.toMatchObject(invalid('cursor'));
});

test('adjacent pages have every row, also of those that were added before them meanwhile, and end at the first page', async () => {
  const namesOf = ({ rows }: { readonly rows: readonly Row[] }) => rows.map(({ name }) => name);
  const { next } = await keyed.page(app, own, {}, 3);
  const second = await keyed.page(app, own, { cursor: next! }, 3);
  await app.owner.query(`insert into things (owner, name) select $1, 'added ' || i from generate_series(1, 4) i`, [
    own.organizationId,
  ]);
  const first = await keyed.page(app, own, { cursor: second.previous! }, 3);
  expect([namesOf(first), first.offset, first.next !== null]).toEqual([['thing 1', 'thing 2', 'thing 3'], 1, true]);
  const before = await keyed.page(app, own, { cursor: first.previous! }, 3);
  expect(namesOf(before)).toEqual(['added 2', 'added 3', 'added 4']);
  expect(namesOf(await keyed.page(app, own, { cursor: before.next! }, 3))).toEqual(['thing 1', 'thing 2', 'thing 3']);
  const beginning = await keyed.page(app, own, { cursor: before.previous! }, 3);
  expect([namesOf(beginning), beginning.offset, beginning.previous]).toEqual([['added 1', 'added 2', 'added 3'], 0, null]);
  await app.owner.query("delete from things where name like 'added%'");
  const again = await keyed.page(app, own, { cursor: second.previous! }, 3);
  expect([namesOf(again), again.offset, again.previous]).toEqual([['thing 1', 'thing 2', 'thing 3'], 0, null]);
});

test('the total of a list is cached by its scope and filters, whatever its page and sort', async () => {
  const totals = createCache<Totals>(app.clock, 60_000);
  const total = async (scope: OrganizationScope, query: ThingQuery) =>
    (await keyed.page({ ...app, totals }, scope, query, 2)).total;
  expect(await total(own, {})).toBe(7);
  await app.owner.query(`insert into things (owner, name) values ($1, 'thing 8')`, [own.organizationId]);
  try {
    expect([await total(own, { offset: 2, sort: '-name' }), await total(own, { search: 'g' }), await total(other, {})]).toEqual([
      7, 8, 7,
    ]);
    totals.invalidate(own.mainAccountId);
    expect(await total(own, {})).toBe(8);
  } finally {
    await app.owner.query(`delete from things where name = 'thing 8'`);
  }
});

test('a failed count fails the call alone, also when the page was read before it', async () => {
  const list = keyedAs('broken', sql`select pg_sleep(0.05), 1 / 0 as total`);
  await expect(list.respond(app, own, { limit: 2 })).rejects.toThrow('division by zero');
});
