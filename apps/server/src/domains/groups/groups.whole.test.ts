import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const GROUPS = '/data_manager/v1/dm/group';
const BINDING = '/data_manager/v1/binding/group';
const NOW = '2026-11-20T12:00:00Z';

const app = useTestApp(NOW);
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let user: Actor;
let firmware: string;
let config: string;
let group: string;
let stays: string;
let leaves: string;
let joins: string;

const fresh = routersNamed('GW');

/** A group of two devices, one device in the default group, and a file of each kind. */
beforeEach(async () => {
  ({ main, own, sibling, admin, user } = await openHome(app));
  // The actor is looked up by its session at each call, so it stands for the account from now on.
  Object.assign(user, { accountId: await app.seeding.account(own, `${newId()}@whole.invalid`, 'user') });
  app.clock.set(NOW);
  group = await app.seeding.group(own, 'North');
  for (const set of [(id: string) => (stays = id), (id: string) => (leaves = id)])
    set((await addDevice(app, own, fresh(), { group })).id);
  joins = (await addDevice(app, own, fresh(), {})).id;
  await app.owner.query(`update devices set model = 'HL' where id = any ($1)`, [[stays, leaves, joins]]);
  firmware = await app.seeding.firmware(main, { model: 'HL', version: '2.0' });
  config = await app.seeding.config(own, { name: 'north.cfg' });
  await app.takeOutbox();
});

const put = (body: object, headers: Record<string, string> = {}, as = admin, key = group) =>
  app.call('PUT', `${GROUPS}/${key}`, { as, body, headers });
const tagOf = async (key = group) => (await app.call('GET', `${GROUPS}/${key}`, { as: admin })).headers['etag'] as string;
const whole = () => ({
  name: 'Renamed',
  description: 'yard',
  tags: ['BD'],
  add: [joins],
  remove: [leaves],
  firmware,
  config,
  schedule: 'immediate',
});

/** Everything stored about groups of the organization, its log and the events that wait to be sent. */
async function stored(): Promise<unknown[]> {
  const tables = [
    'select * from groups where organization_id = $1 order by key',
    'select id, group_key, version from devices where organization_id = $1 order by id',
    'select * from bindings where organization_id = $1 order by id',
    'select * from rollout_targets where organization_id = $1 order by binding_id, device_id',
    'select * from notification_events where organization_id = $1 order by id',
    'select * from audit_entries where chain_id = $1 order by seq',
  ];
  const results = [];
  for (const table of tables) results.push((await app.owner.query(table, [own.organizationId])).rows);
  const outbox = await app.owner.query('select * from outbox order by position');
  return [...results, outbox.rows];
}

/** The log without what differs between two groups and two moments. */
async function entriesSince(seq: number): Promise<object[]> {
  const { rows } = await app.owner.query(
    'select action, actor_email, subject_kind, detail from audit_entries where chain_id = $1 and seq > $2 order by seq',
    [own.organizationId, seq],
  );
  return rows;
}
const lastSeq = async () =>
  Number((await app.owner.query('select seq from audit_heads where chain_id = $1', [own.organizationId])).rows[0].seq);
const bindingsOf = async (key: string) =>
  (await app.owner.query('select id, kind, label, ended_at from bindings where group_key = $1 order by kind', [key])).rows;
const membersOf = async (key: string) =>
  (await app.owner.query<{ id: string }>('select id from devices where group_key = $1 order by id', [key])).rows.map(
    ({ id }) => id,
  );

describe('one save of a group', () => {
  test('GRP-08-partial GRP-10-partial changes texts, devices and both files at once, with the log entries and events of the separate calls', async () => {
    const before = await lastSeq();
    const saved = await put(whole(), { 'if-match': await tagOf() });
    expect([saved.status, saved.headers['etag']]).toEqual([200, await tagOf()]);
    expect(saved.json.result).toMatchObject({
      group,
      groupName: 'Renamed',
      description: 'yard',
      tags: ['BD'],
      deviceCount: 2,
      firmware: '2.0',
      config: 'north.cfg',
      schedule: 'immediate',
    });
    expect(await membersOf(group)).toEqual(sorted([stays, joins]));
    const targets = await app.owner.query('select device_id from rollout_targets t where organization_id = $1', [
      own.organizationId,
    ]);
    expect(sorted(targets.rows.map(({ device_id: id }) => id))).toEqual(sorted([stays, stays, joins, joins]));
    const entries = await entriesSince(before);
    const topics = (await app.takeOutbox()).map(({ topic }) => topic).sort();
    expect(entries).toMatchObject([
      { action: expect.stringContaining('Changed') },
      { action: 'Bound firmware 2.0 to group Renamed', detail: { routers: 2 } },
      { action: 'Bound config file north.cfg to group Renamed', detail: { routers: 2 } },
    ]);

    // Undo it, and do the same by the three calls.
    await put({ name: 'North', description: '', tags: [], add: [leaves], remove: [joins], firmware: '', config: '' });
    expect((await bindingsOf(group)).every(({ ended_at: ended }) => ended !== null)).toBe(true);
    await app.takeOutbox();
    const again = await lastSeq();
    const { firmware: _firmware, config: _config, schedule, ...rest } = whole();
    const calls = [
      await app.call('PATCH', `${GROUPS}/${group}`, { as: admin, body: rest }),
      await app.call('POST', `${BINDING}/firmware`, { as: admin, body: { group, firmware, schedule } }),
      await app.call('POST', `${BINDING}/config`, { as: admin, body: { group, config, schedule } }),
    ];
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await entriesSince(again)).toEqual(entries);
    expect((await app.takeOutbox()).map(({ topic }) => topic).sort()).toEqual(topics);
  });

  test('GRP-08-partial a file left out stays, an empty one is removed, and a save that changes nothing is not logged', async () => {
    await put(whole());
    const [boundConfig] = await bindingsOf(group);
    await put({ description: 'only this' });
    expect((await bindingsOf(group)).map(({ ended_at: ended }) => ended)).toEqual([null, null]);
    await put({ firmware: '' });
    expect((await bindingsOf(group)).map(({ kind, ended_at: ended }) => [kind, ended === null])).toEqual([
      ['config', true],
      ['firmware', false],
    ]);
    expect((await bindingsOf(group))[0]).toEqual(boundConfig);
    const before = await stored();
    expect(
      (await put({ name: 'Renamed', firmware: '', config, schedule: 'immediate', add: [joins], remove: [leaves] })).status,
    ).toBe(200);
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['a config file that does not exist', () => ({ config: newId() }), 404, 'config.not_found', 'config'],
    ['firmware that does not exist', () => ({ firmware: newId() }), 404, 'firmware.not_found', 'firmware'],
    ['a postpone time that has passed', () => ({ schedule: 'bootup', postpone: 1_000_000 }), 400, 'binding.schedule', 'postpone'],
    ['files without a schedule', () => ({ schedule: undefined }), 400, 'request.invalid', 'schedule'],
    ['a schedule without files', () => ({ firmware: '', config: undefined }), 400, 'request.invalid', 'schedule'],
    ['a canary count that is no number', () => ({ canaries: 'many' }), 400, 'request.invalid', 'canaries'],
    ['another confirmed impact', () => ({ confirmed: { config: 'x' } }), 409, 'impact.changed', 'config'],
    ['an unknown device', () => ({ add: [newId()] }), 404, 'not_found', 'add.0'],
    ['a name without text', () => ({ name: ' ' }), 400, 'request.invalid', 'name'],
  ] as const)(
    'GRP-08-partial of a save with %s nothing is stored, and the answer names the field',
    async (_name, part, ...response) => {
      const before = await stored();
      const { status, json } = await put({ ...whole(), ...part() });
      expect([status, json.error.key, json.error.field]).toEqual(response);
      expect(await stored()).toEqual(before);
    },
  );

  test('GRP-10-partial firmware for another model of a device that joins in the same save is rejected, and nothing is stored', async () => {
    await app.owner.query(`update devices set model = 'Other' where id = $1`, [joins]);
    const before = await stored();
    const { status, json } = await put(whole());
    expect([status, json.error.key, json.error.detail]).toEqual([409, 'firmware.wrong_model', { models: ['Other'] }]);
    expect(await stored()).toEqual(before);
    await app.owner.query(`update devices set model = case when id = $1 then 'HL' else 'Other' end where id = any ($2)`, [
      joins,
      [joins, leaves],
    ]);
    expect((await put(whole())).status).toBe(200);
  });

  test('GRP-06-partial the confirmed impact is that of the members after the save', async () => {
    const body = { group, config, add: [joins], remove: [leaves] };
    const { result } = (await app.call('POST', `${BINDING}/impact`, { as: admin, body })).json;
    const save = { ...whole(), confirmed: { config: result.config.confirmation } };
    const rejected = await put({ ...save, add: [] });
    expect([rejected.status, rejected.json.error.key, rejected.json.error.detail.change]).toEqual([409, 'impact.changed', 1]);
    expect((await put(save)).status).toBe(200);
  });

  test('GRP-08-partial files of another organization or main account are not found', async () => {
    const theirs = await app.seeding.config(sibling, { name: 'theirs.cfg' });
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    const foreign = await app.seeding.firmware(foreignUser, { model: 'HL', version: '2.0' });
    const before = await stored();
    expect((await put({ config: theirs, schedule: 'bootup' })).status).toBe(404);
    expect((await put({ firmware: foreign, schedule: 'bootup' })).status).toBe(404);
    expect((await put({ description: 'Mine' }, {}, app.person(sibling, 'admin'))).status).toBe(404);
    expect(await stored()).toEqual(before);
  });

  test('OLD-01-partial a user with Full Control may save texts and devices, but no binding, not even an empty one', async () => {
    expect((await put({ description: 'By a user' }, {}, user)).status).toBe(403);
    const body = { account: user.accountId, control: 'full' };
    expect((await app.call('PATCH', `${GROUPS}/${group}/accounts`, { as: admin, body })).status).toBe(200);
    expect((await put({ description: 'By a user', add: [joins] }, {}, user)).json.result).toMatchObject({
      description: 'By a user',
      deviceCount: 3,
    });
    const before = await stored();
    for (const files of [{ config, schedule: 'bootup' }, { firmware: '' }])
      expect((await put({ description: 'More', ...files }, {}, user)).status).toBe(403);
    expect(await stored()).toEqual(before);
  });
});

describe('a save that is sent again', () => {
  test('GRP-08-partial after a lost answer it succeeds with the old tag: the same state, one rollout of each kind, one set of log entries', async () => {
    const tag = await tagOf();
    expect((await put(whole(), { 'if-match': tag })).status).toBe(200);
    const before = await stored();
    const again = await put(whole(), { 'if-match': tag });
    expect([again.status, again.headers['etag'], again.json.result.groupName]).toEqual([200, await tagOf(), 'Renamed']);
    expect(await stored()).toEqual(before);
  });

  test('GRP-08-partial any other save with the old tag is stale, is answered with the current values and stores nothing', async () => {
    const tag = await tagOf();
    await put(whole(), { 'if-match': tag });
    const before = await stored();
    const others = [
      { ...whole(), description: 'other' },
      { ...whole(), config: '' },
      { ...whole(), schedule: 'bootup' },
      { ...whole(), add: [newId()] },
      { ...whole(), firmware: newId() },
    ];
    for (const other of others) {
      const { status, json } = await put(other, { 'if-match': tag });
      expect([status, json.error.key]).toEqual([412, 'conflict.stale']);
      expect(json.error.detail).toMatchObject({ group, groupName: 'Renamed', config: 'north.cfg' });
    }
    expect(await stored()).toEqual(before);
  });

  test('GRP-10-partial of eight equal saves at once one binds; a rollout cancelled meanwhile is not started again by the old tag', async () => {
    const tag = await tagOf();
    const saves = await Promise.all(Array.from({ length: 8 }, () => put(whole(), { 'if-match': tag })));
    expect(saves.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await bindingsOf(group)).map(({ kind, ended_at: ended }) => [kind, ended])).toEqual([
      ['config', null],
      ['firmware', null],
    ]);
    await app.owner.query(`update bindings set state = 'cancelled' where group_key = $1`, [group]);
    expect((await put(whole(), { 'if-match': tag })).status).toBe(412);
  });
});

describe('creating a group', () => {
  const create = (body: object) => app.call('POST', GROUPS, { as: admin, body });

  test('GRP-06-partial with devices and files is one call', async () => {
    const before = await lastSeq();
    const body = { name: 'South', devices: [joins], firmware, config, schedule: 'bootup', canaries: 1, failureThreshold: 5 };
    const { status, json } = await create(body);
    expect([status, json.result]).toMatchObject([
      200,
      { groupName: 'South', deviceCount: 1, firmware: '2.0', config: 'north.cfg', schedule: 'bootup' },
    ]);
    expect(await membersOf(json.result.group)).toEqual([joins]);
    expect(await entriesSince(before)).toMatchObject([
      { action: 'Created group South' },
      { action: 'Bound firmware 2.0 to group South', detail: { routers: 1, canaries: 1, failureThreshold: 5 } },
      { action: 'Bound config file north.cfg to group South' },
    ]);
    const taken = await create(body);
    expect([taken.status, taken.json.error.key]).toEqual([409, 'group.name_taken']);
  });

  test('GRP-06-partial is undone when a file cannot be bound', async () => {
    const before = await stored();
    const { status, json } = await create({ name: 'South', devices: [joins], firmware, config: newId(), schedule: 'bootup' });
    expect([status, json.error.key, json.error.field]).toEqual([404, 'config.not_found', 'config']);
    expect(await stored()).toEqual(before);
    expect((await create({ name: 'South', devices: [joins] })).status).toBe(200);
  });
});

describe('devices that move', () => {
  const DEFAULT = 'default+group+id';
  const moves: readonly [
    name: string,
    question: () => { group: string },
    move: (confirmed: string) => ReturnType<typeof put>,
    field: string,
  ][] = [
    ['join a group', () => ({ group, add: [joins] }), (joining) => put({ add: [joins], confirmed: { joining } }), 'joining'],
    [
      'leave one',
      () => ({ group: DEFAULT, add: [leaves] }),
      (leaving) => put({ remove: [leaves], confirmed: { leaving } }),
      'leaving',
    ],
    [
      'return from a deleted one',
      () => ({ group: DEFAULT, from: [group] }),
      (confirmed) => app.call('DELETE', GROUPS, { as: admin, body: { groups: [group], confirmed } }),
      'groups',
    ],
    [
      'are given another group',
      () => ({ group, add: [joins] }),
      (confirmed) => app.call('PATCH', '/data_manager/v1/dm/device', { as: admin, body: { device: joins, group, confirmed } }),
      'group',
    ],
  ];

  test.each(moves)(
    'GRP-04-partial GRP-09-partial DEV-07-partial that %s: with a file bound there meanwhile nothing moves, until that is confirmed',
    async (_name, question, move, field) => {
      const before = (await app.call('POST', `${BINDING}/move/impact`, { as: admin, body: question() })).json.result;
      expect([before.firmware, before.config]).toEqual([null, null]);
      await app.call('POST', `${BINDING}/config`, {
        as: admin,
        body: { group: question().group, config, schedule: 'immediate' },
      });
      const unchanged = await stored();
      const { status, json } = await move(before.confirmation);
      expect([status, json.error.key, json.error.field]).toEqual([409, 'impact.changed', field]);
      expect(json.error.detail.config).toMatchObject({ name: 'north.cfg', routers: field === 'groups' ? 2 : 1 });
      expect(await stored()).toEqual(unchanged);
      expect((await move(json.error.detail.confirmation)).status).toBe(200);
    },
  );
});
