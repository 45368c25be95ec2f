import { normalizeGroupKey } from '@highline/contract';
import { makeMac } from '@highline/usp';
import { beforeAll, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';
import { createGroup, getGroup } from './index.ts';

const GROUPS = '/data_manager/v1/dm/group';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  user = app.person(own, 'user');
  const depot = await app.seeding.group(own, 'North depot');
  await app.seeding.group(own, 'Airport line');
  await app.seeding.group(sibling, 'Theirs');
  const routers = [1, 2, 3].map((n) => ({ serial: `GR${n}`, mac: makeMac(n) }));
  await app.seeding.routers(main, routers);
  await app.seeding.devices(own, [{ ...routers[0]!, group: depot }, { ...routers[1]!, group: depot }, routers[2]!]);
});

const list = (as: Actor, query: Record<string, string | number> = {}) => app.call('GET', GROUPS, { as, query });
const names = (response: { json: { result: { groupName: string }[] } }) => response.json.result.map((row) => row.groupName);

test('DEV-02-partial the groups of an organization, the default one first, with the number of their devices', async () => {
  const response = await list(user);
  expect(response.json.total).toBe(3);
  expect(
    response.json.result.map(({ group_name, deviceCount, org }: Record<string, unknown>) => [group_name, deviceCount, org]),
  ).toEqual([
    ['default', 1, own.organizationId],
    ['Airport line', 0, own.organizationId],
    ['North depot', 2, own.organizationId],
  ]);
  expect(response.json.result[0]).toMatchObject({
    id: 'default+group+id',
    group: 'default+group+id',
    created: '2026-11-20T12:00:00.000Z',
  });
});

test('DEV-02-partial groups are searched, sorted and paged', async () => {
  expect(names(await list(user, { limit: 5, search: 'o' }))).toEqual(['Airport line', 'North depot']);
  expect(names(await list(user, { limit: 5, search: 'North' }))).toEqual(['North depot']);
  expect(names(await list(user, { limit: 5, sort: '-devices' }))).toEqual(['North depot', 'default', 'Airport line']);
  expect(names(await list(user, { limit: 5, sort: '-name' }))).toEqual(['North depot', 'default', 'Airport line']);
  const page = await list(user, { limit: 1, offset: 1 });
  expect([names(page), page.json.total]).toEqual([['Airport line'], 3]);
  for (const query of [{ sort: 'x' }, { search: 'x', field: 'x' }, { limit: 5, cursor: 'x' }])
    expect((await list(user, query)).status).toBe(400);
});

test("DEV-02-partial another organization's groups are not listed; the main account sees all of its own", async () => {
  expect((await list(user, { org: sibling.organizationId })).status).toBe(404);
  expect(names(await list(app.person(sibling, 'user')))).toEqual(['default', 'Theirs']);
  expect(sorted(names(await list(app.person(main, 'main'))))).toEqual([
    'Airport line',
    'North depot',
    'Theirs',
    'default',
    'default',
  ]);
  const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
  expect(names(await list(app.person(foreignUser, 'main')))).toEqual([]);
});

test('DEV-05-partial a group is found by its key, the default one also with blanks for its plus signs', async () => {
  expect(normalizeGroupKey('default group id')).toBe('default+group+id');
  expect(await getGroup(app.database.read, own, 'default group id')).toMatchObject({
    key: 'default+group+id',
    name: 'default',
  });
  const theirs = await app.seeding.group(sibling, 'More of theirs');
  for (const key of [theirs, 'x', 'a\0b', ''])
    await expect(getGroup(app.database.read, own, key)).rejects.toMatchObject({ key: 'group.not_found' });
});

test('GRP-06-partial a group without a name is rejected', async () => {
  await expect(app.database.write((tx) => createGroup(tx, own, { name: ' ' }, app.clock.now()))).rejects.toMatchObject({
    key: 'request.invalid',
  });
});
