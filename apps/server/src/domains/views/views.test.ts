import { views as contract, type views } from '@highline/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { devicesOfView } from './index.ts';

const VIEWS = '/data_manager/v1/dm/views';

const app = useTestApp();
const fresh = routersNamed('VW');
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let user: Actor;

/** A signed-in person with a row in the database, which views refer to. */
async function member(scope: Parameters<typeof app.person>[0], role: 'main' | 'admin' | 'user'): Promise<Actor> {
  const accountId = await app.seeding.account(scope, `${newId()}@views.example`, role);
  return Object.assign(app.person(scope, role), { accountId });
}

beforeEach(async () => {
  const home = await openHome(app);
  ({ own, sibling } = home);
  admin = await member(own, 'admin');
  user = await member(own, 'user');
  mainPerson = await member(home.main, 'main');
});

const content = {
  search: { presence: 'offline', sort: '-vehicle' },
  layout: { columns: { imei: true }, order: ['serial', 'imei'], widths: { imei: 180 }, wrap: true },
};
const add = (as: Actor, more: object = {}) =>
  app.call('POST', VIEWS, { as, body: { list: 'devices', name: 'Offline', content, ...more } });
const added = async (as: Actor, more: object = {}): Promise<views.SavedView> => {
  const { status, json, text } = await add(as, more);
  expect(status, text).toBe(200);
  return json.result;
};
const save = (as: Actor, { id }: { id: string }, body: object, headers = {}) =>
  app.call('PATCH', `${VIEWS}/${id}`, { as, body, headers });
const remove = (as: Actor, { id }: { id: string }) => app.call('DELETE', `${VIEWS}/${id}`, { as });
const listOf = async (as: Actor): Promise<views.SavedView[]> => (await app.call('GET', VIEWS, { as })).json.result;
const namesOf = async (as: Actor) => (await listOf(as)).map(({ name }) => name);
const errorOf = async (call: ReturnType<typeof add>) => {
  const { status, json } = await call;
  return `${status} ${json.error?.key}`;
};

describe('BLK-03-partial views of a person', () => {
  test('keep filters, sort and columns, and belong to the person who made them', async () => {
    const view = await added(admin);
    const plain = { list: 'devices', name: 'Offline', shared: false, own: true, editable: true, isDefault: false, missing: [] };
    expect(view).toMatchObject(plain);
    expect(view.content).toEqual(content);
    expect(await namesOf(admin)).toEqual(['Offline']);
    expect(await namesOf(user)).toEqual([]);
    expect(await errorOf(save(user, view, { name: 'Mine' }))).toBe('404 view.not_found');
    expect(await errorOf(remove(user, view))).toBe('404 view.not_found');
    expect((await app.logOf(own.organizationId)).at(-1)).toBe('Saved view Offline');
  });

  test('are renamed, changed and deleted, each with an entry in the log; a save that is late is rejected', async () => {
    const view = await added(admin);
    const next = { ...content, search: { group: 'x' } };
    const response = await save(admin, view, { name: 'Renamed', content: next });
    expect(response.json.result).toMatchObject({ name: 'Renamed', content: next, version: 2 });
    expect(await errorOf(save(admin, view, { name: 'Late' }, { 'if-match': '"1"' }))).toBe('412 conflict.stale');
    expect((await save(admin, view, { name: 'Renamed' })).json.result.version).toBe(2);
    // Fields are stored in an order of their own.
    const same = { ...content, search: { sort: '-vehicle', presence: 'offline' } };
    await save(admin, view, { content });
    expect((await save(admin, view, { content: same })).json.result.version).toBe(3);
    await save(admin, view, { content: next });
    await remove(admin, view);
    expect(await namesOf(admin)).toEqual([]);
    const log = ['Saved view Offline', ...Array.from({ length: 3 }, () => 'Changed view Renamed'), 'Deleted view Renamed'];
    expect((await app.logOf(own.organizationId)).slice(-5)).toEqual(log);
  });

  test('one is the default of a list, for this person alone', async () => {
    const [first, second] = [await added(admin, { shared: true }), await added(admin, { name: 'Second' })];
    await save(admin, first, { isDefault: true });
    await save(user, first, { isDefault: true });
    await save(admin, second, { isDefault: true });
    const defaults = async (as: Actor) => (await listOf(as)).flatMap(({ name, isDefault }) => (isDefault ? [name] : []));
    expect(await defaults(admin)).toEqual(['Second']);
    expect(await defaults(user)).toEqual(['Offline']);
    // What is no longer shared is no longer the default of others.
    await save(admin, first, { shared: false });
    await save(admin, first, { shared: true });
    expect(await defaults(user)).toEqual([]);
    await save(admin, second, { isDefault: false });
    expect(await defaults(admin)).toEqual([]);
  });
});

test('BLK-03-partial shared views are seen by everyone of the organization, changed by admins, and stay when their maker is deleted', async () => {
  const view = await added(admin, { shared: true });
  expect(await listOf(user)).toMatchObject([{ name: 'Offline', shared: true, own: false, editable: false }]);
  expect(await errorOf(save(user, view, { name: 'Mine' }))).toBe('403 permission.denied');
  expect(await errorOf(remove(user, view))).toBe('403 permission.denied');
  expect(await errorOf(add(user, { name: 'Everyone', shared: true }))).toBe('403 permission.denied');
  const mine = await added(user, { name: 'Mine' });
  expect(await errorOf(save(user, mine, { shared: true }))).toBe('403 permission.denied');
  await added(admin, { name: 'Private' });
  await app.owner.query('delete from accounts where id = $1', [admin.accountId]);
  expect(await namesOf(user)).toEqual(['Mine', 'Offline']);
  const stored = 'select name from saved_views where organization_id = $1 order by name';
  const { rows } = await app.owner.query(stored, [own.organizationId]);
  expect(rows.map(({ name }) => name)).toEqual(['Mine', 'Offline']);
  const other = await member(own, 'admin');
  expect((await save(other, view, { name: 'Taken over' })).status).toBe(200);
});

test('BLK-03-partial IAM-03-partial IAM-04-partial a shared view is not changed by its maker who may share no more', async () => {
  const { accountId } = admin;
  const { organizationId } = own;
  const view = await added(admin, { shared: true });
  const lost: [string, Partial<Actor>][] = [
    ['a role', { role: 'user' }],
    ['an own role', { ownRole: { id: newId(), name: 'Planner', rights: ['devices.write'] } }],
    ['a limit', { limit: { accountId, organizationId, groups: [], tags: [] } }],
  ];
  for (const [by, rights] of lost) {
    const former = await member(own, 'admin');
    Object.assign(former, { accountId }, rights);
    expect(await listOf(former), by).toMatchObject([{ name: 'Offline', own: true, editable: false }]);
    for (const change of [{ content: { search: {}, layout: {} } }, { shared: false }, { name: 'Mine' }])
      expect(await errorOf(save(former, view, change)), by).toBe('403 permission.denied');
    expect(await errorOf(remove(former, view)), by).toBe('403 permission.denied');
    expect(await errorOf(add(former, { name: 'Everyone', shared: true })), by).toBe('403 permission.denied');
    expect((await save(former, view, { isDefault: true })).status, by).toBe(200);
    const copy = await added(former, { name: `Copy with ${by}` });
    expect((await save(former, copy, { name: `Mine with ${by}` })).status, by).toBe(200);
    expect((await remove(former, copy)).status, by).toBe(200);
  }
  expect((await save(admin, view, { name: 'Changed' })).status).toBe(200);
});

test('BLK-03-partial no other tenant sees, changes or opens a view; the main account has views of its own', async () => {
  const view = await added(admin, { shared: true });
  const sideways = await member(sibling, 'admin');
  const elsewhere = await openHome(app);
  for (const as of [sideways, mainPerson, await member(elsewhere.own, 'admin')]) {
    expect(await namesOf(as)).toEqual([]);
    expect(await errorOf(save(as, view, { name: 'Mine' }))).toBe('404 view.not_found');
    expect(await errorOf(save(as, view, { isDefault: true }))).toBe('404 view.not_found');
    expect(await errorOf(remove(as, view))).toBe('404 view.not_found');
  }
  await added(mainPerson, { list: 'org-devices', shared: true });
  expect(await namesOf(mainPerson)).toEqual(['Offline']);
  expect(await listOf(admin)).toHaveLength(1);
  expect((await app.logOf(own.mainAccountId)).at(-1)).toBe('Saved view Offline');
});

test('BLK-03-partial a view says which of its filters name something that is gone', async () => {
  const group = await app.seeding.group(own, 'Depot');
  await added(admin, { name: 'Group', content: { search: { group, tag: 'winter' }, layout: {} } });
  expect((await listOf(admin))[0]!.missing).toEqual(['tag']);
  await app.owner.query('delete from groups where key = $1', [group]);
  expect((await listOf(admin))[0]!.missing).toEqual(['group', 'tag']);
  await added(mainPerson, { list: 'org-devices', content: { search: { org: newId() }, layout: {} } });
  expect((await listOf(mainPerson))[0]!.missing).toEqual(['org']);
});

test('BLK-03-partial names are unique within a list, the number of views is limited, and what no list has is rejected', async () => {
  await added(admin);
  expect(await errorOf(add(admin))).toBe('409 view.name_taken');
  expect((await add(admin, { list: 'groups', content: { search: {}, layout: {} } })).status).toBe(200);
  expect((await add(user)).status).toBe(200);
  for (const more of [
    { list: 'unknown' },
    { name: '' },
    { name: 'x'.repeat(61) },
    { content: { search: { presence: 'gone' }, layout: {} } },
    { content: { search: { colour: 'red' }, layout: {} } },
    { content: { search: {}, layout: { widths: { imei: 5 } } } },
    { content: { search: {}, layout: {}, more: 1 } },
    { content: { search: { presence: { a: 1 } }, layout: {} } },
  ])
    expect((await add(admin, { name: 'Other', ...more })).status, JSON.stringify(more)).toBe(400);
  await app.owner.query(
    `insert into saved_views (id, main_account_id, organization_id, account_id, list, name, content)
     select gen_random_uuid(), $1, $2, $3, 'devices', 'View ' || i, '{"search":{},"layout":{}}' from generate_series(1, $4::int) i`,
    [own.mainAccountId, own.organizationId, admin.accountId, contract.MOST_VIEWS - 2],
  );
  expect(await errorOf(add(admin, { name: 'One too many' }))).toBe('409 view.too_many');
});

test('BLK-03-partial the devices of a view are the target of others, within the scope and for those who see the view', async () => {
  const gone = { columns: { presence: 'offline', presence_since: new Date() } };
  const offline = await addDevice(app, own, fresh(), gone);
  await addDevice(app, own, fresh(), { columns: { presence: 'online' } });
  const others = await addDevice(app, sibling, fresh(), gone);
  const view = await added(admin);
  const idsOf = async (scope: Scope, as: Actor, { id }: { id: string }) => {
    const matching = await devicesOfView(app, scope, as, id, { expiringDays: 30, at: new Date() });
    return (await app.reader.rows<{ id: string }>(sql`select d.id from devices d where ${matching} order by d.serial`)).map(
      (row) => row.id,
    );
  };
  expect(await idsOf(own, admin, view)).toEqual([offline.id]);
  await expect(idsOf(own, user, view)).rejects.toMatchObject({ key: 'view.not_found' });
  await expect(idsOf(sibling, admin, view)).rejects.toMatchObject({ key: 'view.not_found' });
  const groups = await added(admin, { list: 'groups', content: { search: {}, layout: {} } });
  await expect(idsOf(own, admin, groups)).rejects.toMatchObject({ key: 'view.not_found' });
  const main = { kind: 'main' as const, mainAccountId: own.mainAccountId };
  const search = { presence: 'offline' };
  const all = await added(mainPerson, { name: 'All', list: 'org-devices', content: { search, layout: {} } });
  expect(await idsOf(main, mainPerson, all)).toEqual([offline.id, others.id]);
  const one = { search: { ...search, org: own.organizationId }, layout: {} };
  expect(await idsOf(main, mainPerson, await added(mainPerson, { list: 'org-devices', content: one }))).toEqual([offline.id]);
});
