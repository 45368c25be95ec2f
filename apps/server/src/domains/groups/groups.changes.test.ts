import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createBinding } from '../../testing/bindings.ts';
import { addDevice, openHome, routersNamed, type DeviceFacts } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const GROUPS = '/data_manager/v1/dm/group';
const DEFAULT = 'default+group+id';

const app = useTestApp('2026-11-20T12:00:00Z');
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let user: Actor;

beforeEach(async () => {
  ({ main, own, sibling, admin, user } = await openHome(app));
  app.clock.set('2026-11-20T12:00:00Z');
});

const fresh = routersNamed('GC');
async function device(dates: DeviceFacts = {}, scope = own) {
  const added = await addDevice(app, scope, fresh(), dates);
  await app.takeOutbox();
  return added;
}

const create = (body: Record<string, unknown>, as = admin) => app.call('POST', GROUPS, { as, body });
const save = (key: string, body: Record<string, unknown>, headers: Record<string, string> = {}, as = admin) =>
  app.call('PATCH', `${GROUPS}/${encodeURIComponent(key)}`, { as, body, headers });
const remove = (groups: readonly string[], as = admin) => app.call('DELETE', GROUPS, { as, body: { groups } });
const get = (key: string, as = admin) => app.call('GET', `${GROUPS}/${encodeURIComponent(key)}`, { as });
const state = async (id: string) => (await app.owner.query('select group_key, version from devices where id = $1', [id])).rows[0];
const groupsOf = async ({ organizationId }: OrganizationScope) => {
  const { rows } = await app.owner.query<{ name: string }>('select name from groups where organization_id = $1', [
    organizationId,
  ]);
  return sorted(rows.map(({ name }) => name));
};
const lastEntry = async ({ organizationId }: OrganizationScope) =>
  (await app.owner.query('select * from audit_entries where chain_id = $1 order by seq desc limit 1', [organizationId])).rows[0];
/** The texts of the last entries of a log. */
const lastEntries = async ({ organizationId }: OrganizationScope, most: number) =>
  (
    await app.owner.query(
      'select * from (select * from audit_entries where chain_id = $1 order by seq desc limit $2) last order by action',
      [organizationId, most],
    )
  ).rows;

const strange = [
  ['an emoji', '🚌 Linie 1'],
  ['Chinese', '北區車庫'],
  ['Arabic', 'مستودع الشمال'],
  ['Hebrew', 'מרכז'],
  ['markup', '<script>alert(1)</script>'],
  ['a formula', '=HYPERLINK("http://evil.test")'],
  ['quotes and a backslash', `O'Hare "T5" \\`],
  ['100 characters', 'x'.repeat(100)],
] as const;

describe('tags of a group', () => {
  const tagsOf = async (key: string) => (await get(key)).json.result.tags as string[];

  test('RPT-03-partial a group takes up to 20 tags of 32 characters on creation and on save, each once, and the log has them', async () => {
    const { json } = await create({ name: 'Tagged', tags: ['BD', ' west ', 'BD'] });
    const key = json.result.group as string;
    expect(await tagsOf(key)).toEqual(['BD', 'west']);
    const twenty = Array.from({ length: 20 }, (_, index) => `${String(index).padStart(2, '0')}${'x'.repeat(30)}`);
    expect((await save(key, { tags: twenty })).status).toBe(200);
    expect(await tagsOf(key)).toEqual(twenty);
    expect(await lastEntry(own)).toMatchObject({
      action: 'Changed tags of group Tagged',
      detail: { before: { tags: ['BD', 'west'] } },
    });
    for (const tags of [[...twenty, 'more'], ['x'.repeat(33)], [''], ['a\u0007b'], 'BD'])
      expect((await save(key, { tags })).status, JSON.stringify(tags)).toBe(400);
    expect(await tagsOf(key)).toEqual(twenty);
    expect((await save(key, { tags: [] })).json.result.tags).toEqual([]);
    expect((await get(DEFAULT)).json.result.tags).toEqual([]);
    expect((await save(DEFAULT, { tags: ['BD'] })).json.result.tags).toEqual(['BD']);
  });
});

describe('the report interval of a group', () => {
  const secondsOf = async (key: string) => (await get(key)).json.result.reportSeconds as number | null;

  test('NOD-05-partial is between 10 seconds and a day, or null for that of the installation, and the log has it', async () => {
    const { json } = await create({ name: 'Depot at the lake', reportSeconds: 900 });
    const key = json.result.group as string;
    expect(await secondsOf(key)).toBe(900);
    expect((await save(key, { reportSeconds: 300 })).json.result.reportSeconds).toBe(300);
    expect(await lastEntry(own)).toMatchObject({
      action: 'Changed report interval of group Depot at the lake',
      detail: { before: { report_seconds: 900 }, after: { report_seconds: 300 } },
    });
    for (const reportSeconds of [9, 86_401, 60.5, '60', true])
      expect((await save(key, { reportSeconds })).status, String(reportSeconds)).toBe(400);
    expect(await secondsOf(key)).toBe(300);
    await save(key, { description: 'without it' });
    expect(await secondsOf(key)).toBe(300);
    expect((await save(key, { reportSeconds: null })).json.result.reportSeconds).toBeNull();
    expect(await secondsOf(DEFAULT)).toBeNull();
  });
});

describe('creating a group', () => {
  test('GRP-06-partial a group takes devices of the default group by id or serial number, and an event is sent to all consoles', async () => {
    const [one, two, stays] = [await device(), await device(), await device()];
    const response = await create({ name: '  North depot ', description: 'First line\nsecond', devices: [one.id, two.serial] });
    expect(response.status).toBe(200);
    const key = response.json.result.group as string;
    expect(response.json.result).toMatchObject({
      groupName: 'North depot',
      description: 'First line\nsecond',
      deviceCount: 2,
      number: 2,
      firmware: '',
      config: '',
      schedule: 'immediate',
      tags: [],
    });
    expect(response.headers['etag']).toBe((await get(key)).headers['etag']);
    expect([await state(one.id), await state(two.id)]).toEqual([
      { group_key: key, version: 2 },
      { group_key: key, version: 2 },
    ]);
    expect(await state(stays.id)).toEqual({ group_key: DEFAULT, version: 1 });
    expect(await lastEntry(own)).toMatchObject({
      action: 'Created group North depot',
      subject_kind: 'group',
      subject_id: key,
      actor_email: admin.email,
      detail: { name: 'North depot', devices: { count: 2, serials: [one.serial, two.serial] } },
    });
    const events = await app.takeOutbox();
    expect(events.map(({ topic, ids }) => [topic, sorted(ids)])).toEqual([
      ['groups', sorted([key, DEFAULT])],
      ['devices', sorted([one.id, two.id])],
    ]);
  });

  test('GRP-06-partial the number of a new group is one more than there are groups', async () => {
    for (const number of [2, 3, 4]) {
      app.clock.set(`2026-11-20T12:00:0${number}Z`);
      expect((await create({ name: `Group ${number}` })).json.result.number).toBe(number);
    }
  });

  test.each([
    ['none', undefined],
    ['an empty one', ''],
    ['blanks', '  \t '],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['a control character', 'North\u0007depot'],
    ['NUL', 'North\u0000depot'],
    ['half a character', '\ud83d'],
    ['a number', 7],
  ])('GRP-06-partial a name is required: %s is rejected', async (_, name) => {
    expect((await create({ name })).status).toBe(400);
    expect(await groupsOf(own)).toEqual(['default']);
  });

  test.each(strange)('GRP-06-partial a name in %s is returned as it was typed', async (_, name) => {
    const { json } = await create({ name, description: name.repeat(3) });
    expect(json.result).toMatchObject({ groupName: name, group_name: name, description: name.repeat(3) });
    const found = await app.call('GET', GROUPS, { as: user, query: { limit: 5, search: name } });
    expect(found.json.result.map((row: { id: string }) => row.id)).toEqual([json.result.id]);
  });

  test('GRP-06-partial a name is unique in an organization, and free in the next', async () => {
    expect((await create({ name: 'North' })).status).toBe(200);
    for (const name of ['North', ' North ', 'north', 'default']) {
      const { status, json } = await create({ name });
      expect([status, json.error.key, json.error.field]).toEqual([409, 'group.name_taken', 'name']);
    }
    expect((await create({ name: 'North' }, app.person(sibling, 'admin'))).status).toBe(200);
  });

  test('GRP-06-partial of eight users who create one name at once, one succeeds', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'Race' })));
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    expect(await groupsOf(own)).toEqual(['Race', 'default']);
  });

  test('GRP-03-partial only an admin of the organization adds, changes and deletes; a user and the main account may not', async () => {
    const group = await app.seeding.group(own, 'Group');
    for (const as of [user, app.person(main, 'main')]) {
      const org = { org: own.organizationId };
      for (const response of [
        await create({ ...org, name: 'Theirs' }, as),
        await save(group, { ...org, name: 'Theirs' }, {}, as),
        await app.call('DELETE', GROUPS, { as, body: { ...org, groups: [group] } }),
      ])
        expect([response.status, response.json.error.message]).toEqual([403, 'Permission denied']);
    }
    expect(await groupsOf(own)).toEqual(['Group', 'default']);
  });
});

describe('saving a group', () => {
  test('GRP-08-partial only what changed is written, announced and logged', async () => {
    const group = await app.seeding.group(own, 'Before');
    await app.takeOutbox();
    const response = await save(group, { group, is_postpone: false, name: 'After' });
    expect(response.json.result).toMatchObject({ groupName: 'After', description: '' });
    expect(await lastEntry(own)).toMatchObject({
      action: 'Changed name of group Before',
      detail: { name: 'Before', before: { name: 'Before' }, after: { name: 'After' } },
    });
    expect((await app.takeOutbox()).map(({ topic, ids }) => [topic, ids])).toEqual([['groups', [group]]]);
    expect((await save(group, { description: 'Text', name: 'After' })).json.result.description).toBe('Text');
    expect(await lastEntry(own)).toMatchObject({ action: 'Changed description of group After' });
    expect((await save(group, { description: '' })).json.result.description).toBe('');
  });

  test('GRP-08-partial a save that changes nothing is not logged and keeps the entity tag', async () => {
    const one = await device();
    const { json, headers } = await create({ name: 'Same', description: 'Text', devices: [one.id] });
    const { group } = json.result;
    await app.takeOutbox();
    const entries = (await app.logOf(own.organizationId)).length;
    const bodies = [{}, { name: 'Same', description: 'Text' }, { devices: [one.serial] }, { add: [one.id], remove: [] }];
    for (const body of bodies) {
      const response = await save(group, body);
      expect([response.status, response.headers['etag']]).toEqual([200, headers['etag']]);
    }
    expect(await app.takeOutbox()).toEqual([]);
    expect(await app.logOf(own.organizationId)).toHaveLength(entries);
    expect(await state(one.id)).toMatchObject({ version: 2 });
  });

  test.each(strange)('GRP-08-partial a group is renamed to %s', async (_, name) => {
    const group = await app.seeding.group(own, 'Before');
    expect((await save(group, { name })).json.result.groupName).toBe(name);
  });

  test.each([
    ['an empty name', { name: ' ' }, 400, 'request.invalid'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 400, 'request.invalid'],
    ['a description of 10,000 characters', { description: 'x'.repeat(10_000) }, 400, 'request.invalid'],
    ["another group's name", { name: 'Other' }, 409, 'group.name_taken'],
    ['the name of the default group', { name: 'default' }, 409, 'group.name_taken'],
    ['another group than the URL names', { group: DEFAULT, name: 'New' }, 400, 'request.invalid'],
    ['members both ways', { devices: [], add: ['x'] }, 400, 'request.invalid'],
  ])('GRP-08-partial %s is rejected and changes nothing', async (_, body, status, key) => {
    await app.seeding.group(own, 'Other');
    const group = await app.seeding.group(own, 'Group');
    const response = await save(group, body);
    expect([response.status, response.json.error.key]).toEqual([status, key]);
    expect(await groupsOf(own)).toEqual(['Group', 'Other', 'default']);
  });

  test('GRP-08-partial the default group keeps its name and its devices; its description may be changed', async () => {
    const [loose, grouped] = [await device(), await device({ group: await app.seeding.group(own, 'Group') })];
    for (const key of [DEFAULT, 'default group id']) {
      for (const body of [
        { name: 'Main' },
        { devices: [] },
        { remove: [loose.id] },
        { add: [grouped.id] },
        { devices: [loose.id, grouped.id] },
      ]) {
        const { status, json } = await save(key, body);
        expect([status, json.error.key], JSON.stringify(body)).toEqual([400, 'group.is_default']);
      }
      const response = await save(key, { name: 'default', description: `As ${key}`, devices: [loose.serial] });
      expect(response.json.result).toMatchObject({ groupName: 'default', description: `As ${key}`, number: 1 });
    }
    expect(await state(loose.id)).toEqual({ group_key: DEFAULT, version: 1 });
  });

  test("GRP-08-partial another organization's group is not found, and neither is a deleted one", async () => {
    const [theirs, gone] = [await app.seeding.group(sibling, 'Theirs'), await app.seeding.group(own, 'Gone')];
    await remove([gone]);
    for (const key of [theirs, gone, newId(), 'x']) {
      const { status, json } = await save(key, { description: 'Mine' });
      expect([status, json.error.key]).toEqual([404, 'group.not_found']);
    }
    expect((await get(theirs, app.person(sibling, 'user'))).json.result.description).toBe('');
  });
});

describe('two users at one group', () => {
  test('GRP-08-partial the second save is stale: it overwrites nothing and is answered with the current values', async () => {
    const group = await app.seeding.group(own, 'Group');
    const tag = (await get(group)).headers['etag'] as string;
    const first = await save(group, { description: 'First' }, { 'if-match': tag });
    const second = await save(group, { description: 'Second' }, { 'if-match': tag });
    expect([first.status, second.status, second.json.error.key]).toEqual([200, 412, 'conflict.stale']);
    expect(second.json.error.detail).toMatchObject({ group, description: 'First', groupName: 'Group' });
    const again = await save(group, { description: 'Second' }, { 'if-match': first.headers['etag'] as string });
    expect([again.status, again.json.result.description]).toEqual([200, 'Second']);
  });

  test('GRP-08-partial of eight saves at once with one tag, one succeeds; without a tag all pass', async () => {
    const group = await app.seeding.group(own, 'Group');
    const tag = (await get(group)).headers['etag'] as string;
    const tagged = Array.from({ length: 8 }, (_, n) => save(group, { description: `Tag ${n}` }, { 'if-match': tag }));
    const statuses = (await Promise.all(tagged)).map(({ status }) => status);
    expect(sorted(statuses)).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
    const kept = (await get(group)).json.result.description;
    expect(kept).toBe(`Tag ${statuses.indexOf(200)}`);
    const free = await Promise.all(Array.from({ length: 8 }, (_, n) => save(group, { description: `Free ${n}` })));
    expect(free.every(({ status }) => status === 200)).toBe(true);
  });

  test('GRP-08-partial a binding made meanwhile makes a save stale as well; progress of routers does not', async () => {
    const one = await device();
    const group = (await create({ name: 'Group', devices: [one.id] })).json.result.group as string;
    const before = (await get(group)).headers['etag'] as string;
    await createBinding(app.owner, own, { group, kind: 'firmware', label: newId() });
    expect((await save(group, { name: 'New' }, { 'if-match': before })).status).toBe(412);
    const bound = (await get(group)).headers['etag'] as string;
    await app.owner.query(`update rollout_targets set state = 'successful' where device_id = $1`, [one.id]);
    expect((await save(group, { name: 'New' }, { 'if-match': bound })).status).toBe(200);
  });
});

describe('deleting groups', () => {
  test('GRP-04-partial the devices of a deleted group return to the default group, and the log names each group', async () => {
    const [north, south] = [await app.seeding.group(own, 'North'), await app.seeding.group(own, 'South')];
    const [one, two] = [await device({ group: north }), await device({ group: north })];
    const stays = await device({ group: south, expired: '01/02/2026' });
    const archived = await device({ group: north });
    await app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [archived.id] } });
    await app.takeOutbox();
    const response = await remove([north, south]);
    expect([response.status, response.json.result]).toEqual([200, { deleted: 2 }]);
    expect(await groupsOf(own)).toEqual(['default']);
    for (const { id } of [one, two, stays]) expect(await state(id)).toEqual({ group_key: DEFAULT, version: 2 });
    const logged = await lastEntries(own, 2);
    expect(logged.map(({ action }) => action)).toEqual(['Deleted group North', 'Deleted group South']);
    expect(logged.map(({ detail }) => detail.devices.serials)).toEqual([[one.serial, two.serial], [stays.serial]]);
    const events = await app.takeOutbox();
    expect(events.slice(0, 2).map(({ topic, ids }) => [topic, sorted(ids)])).toEqual([
      ['groups', sorted([north, south, DEFAULT])],
      ['devices', sorted([one.id, two.id, stays.id])],
    ]);
  });

  test('GRP-04-partial a group is deleted in the middle of a rollout, and the rollout with it', async () => {
    const one = await device();
    const group = (await create({ name: 'Group', devices: [one.id] })).json.result.group as string;
    const { id } = await createBinding(app.owner, own, { group, kind: 'config', label: 'a.cfg', state: 'downloading' });
    expect((await remove([group])).status).toBe(200);
    const targets = await app.owner.query('select 1 from rollout_targets where binding_id = $1', [id]);
    const bindings = await app.owner.query('select 1 from bindings where id = $1 and ended_at is null', [id]);
    expect([targets.rowCount, bindings.rowCount]).toEqual([0, 0]);
    expect(await state(one.id)).toMatchObject({ group_key: DEFAULT });
  });

  test.each([
    ['the default group', () => DEFAULT, 400, 'group.is_default'],
    ['the default group with blanks', () => 'default group id', 400, 'group.is_default'],
    ["another organization's", () => app.seeding.group(sibling, 'Theirs'), 404, 'group.not_found'],
    ['what is no group', () => newId(), 404, 'group.not_found'],
    ['what is no key', () => 'x', 404, 'group.not_found'],
  ])('GRP-04-partial with %s in the list, no group is deleted', async (_, other, status, key) => {
    const group = await app.seeding.group(own, 'Group');
    const response = await remove([group, await other()]);
    expect([response.status, response.json.error.key]).toEqual([status, key]);
    expect(await groupsOf(own)).toEqual(['Group', 'default']);
  });

  test('GRP-04-partial a key given twice counts once, an empty list is rejected', async () => {
    const group = await app.seeding.group(own, 'Group');
    expect((await remove([])).status).toBe(400);
    expect((await remove([group, group])).json.result).toEqual({ deleted: 1 });
  });

  test('GRP-04-partial a device that moves in while its group is deleted ends in the default group or is rejected', async () => {
    for (let round = 0; round < 5; round++) {
      const one = await device();
      const group = await app.seeding.group(own, `Group ${round}`);
      const moves = [
        app.call('PATCH', '/data_manager/v1/dm/device', { as: admin, body: { device: one.id, group } }),
        save(group, { add: [one.id] }),
        remove([group]),
      ];
      const statuses = (await Promise.all(moves)).map(({ status }) => status);
      expect(statuses[2]).toBe(200);
      for (const status of statuses) expect([200, 404, 409]).toContain(status);
      expect(await state(one.id)).toMatchObject({ group_key: DEFAULT });
    }
  });
});

test('OVW-02-partial the overview counts the groups', async () => {
  const groups = async () =>
    (await app.call('GET', '/data_manager/v1/dm/statistics', { as: user, query: { org: own.organizationId } })).json.result.group;
  expect(await groups()).toBe(1);
  const { json } = await create({ name: 'Group' });
  app.clock.set('2026-11-20T12:00:05Z');
  expect(await groups()).toBe(2);
  await remove([json.result.group]);
  app.clock.set('2026-11-20T12:00:10Z');
  expect(await groups()).toBe(1);
});
