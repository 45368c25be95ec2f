import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { send, until } from '../../testing/call.ts';
import { newId } from '../../ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../scope.ts';
import { openRemoteWorld, type RemoteWorld } from '../../testing/remote-world.ts';
import { openRooms, sorted, type Rooms } from '../../testing/rooms.ts';

const COMMANDS = '/data_manager/v1/dm/commands';

describe('OLD-03-partial commands of an organization', () => {
  let rooms: Rooms;
  let main: MainScope;
  let own: OrganizationScope;
  let admin: Actor;
  let user: Actor;

  beforeAll(async () => {
    rooms = await openRooms();
    main = (await rooms.seeding.mainAccount('Home')).scope;
  });
  beforeEach(async () => {
    own = await rooms.seeding.organization(main, `Own ${newId()}`);
    admin = rooms.person(own, 'admin');
    user = rooms.person(own, 'user');
    await rooms.takeOutbox();
  });
  afterAll(() => rooms.close());

  const add = (body: object, as = admin) => rooms.call('POST', COMMANDS, { as, body });
  const save = (id: string, body: object, as = admin) => rooms.call('PATCH', `${COMMANDS}/${id}`, { as, body });
  const listed = async (as = user) => (await rooms.call('GET', COMMANDS, { as })).json.result;
  const reboot = { name: 'Reboot', kind: 'reboot' };

  test('an admin defines, changes and deletes them, everybody sees them by name, and the log tells each change', async () => {
    const { id, ...made } = (await add({ name: 'Find it', kind: 'identify', argument: '30' })).json.result;
    expect(made).toEqual({ name: 'Find it', kind: 'identify', argument: '30', pinned: false });
    await add(reboot);
    const saved = (await save(id, { name: 'Where are you', argument: '60', pinned: true })).json.result;
    expect(saved).toEqual({ id, name: 'Where are you', kind: 'identify', argument: '60', pinned: true });
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['Reboot', 'Where are you']);
    expect((await rooms.call('DELETE', `${COMMANDS}/${id}`, { as: admin, body: {} })).json.result).toEqual({ deleted: 1 });
    expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['Reboot']);
    expect(await rooms.logOf(own.organizationId)).toEqual(
      expect.arrayContaining(['Added command Find it', 'Changed command Find it', 'Deleted command Where are you']),
    );
    expect((await rooms.takeOutbox()).map(({ topic }) => topic)).toEqual(['commands', 'commands', 'commands', 'commands']);
  });

  test('at most two are pinned, also when two people pin at one moment', async () => {
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.push((await add({ ...reboot, name })).json.result.id);
    await save(ids[0]!, { pinned: true });
    const both = await rooms.collide(
      `select from organizations where id = '${own.organizationId}' for update`,
      () => save(ids[1]!, { pinned: true }),
      () => save(ids[2]!, { pinned: true }),
    );
    expect(sorted(both.map(({ status }) => status))).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.json.error.key).toBe('command.too_many_pinned');
    expect((await add({ ...reboot, name: 'D', pinned: true })).json.error.key).toBe('command.too_many_pinned');
    await save(ids[0]!, { pinned: false });
    expect((await add({ ...reboot, name: 'D', pinned: true })).status).toBe(200);
    expect((await listed()).filter(({ pinned }: { pinned: boolean }) => pinned)).toHaveLength(2);
  });

  test.each([
    ['a kind outside the fixed set', { name: 'X', kind: 'shell', argument: 'rm -rf /' }, 'kind'],
    ['seconds out of bounds', { name: 'X', kind: 'identify', argument: '301' }, 'argument'],
    ['an argument where none is taken', { name: 'X', kind: 'reboot', argument: '1' }, 'argument'],
    ['a zone that is none', { name: 'X', kind: 'zone', argument: 'UTC0; reboot' }, 'argument'],
    ['neither yes nor no', { name: 'X', kind: 'roaming', argument: 'maybe' }, 'argument'],
    ['no name', { name: ' ', kind: 'reboot' }, 'name'],
  ])('refuses %s', async (_, body, field) => {
    expect((await add(body)).json.error).toMatchObject({ key: 'request.invalid', field });
    expect(await listed()).toEqual([]);
  });

  test('refuses a name that is taken, a 33rd command, and whoever is no admin', async () => {
    await add(reboot);
    expect((await add(reboot)).json.error.key).toBe('command.name_taken');
    expect((await add(reboot, user)).json.error.key).toBe('permission.denied');
    for (let count = 1; count < 32; count += 1) await add({ ...reboot, name: `Reboot ${count}` });
    expect((await add({ ...reboot, name: 'One more' })).json.error.key).toBe('command.too_many');
    expect(await listed()).toHaveLength(32);
  });
});

describe('OLD-03-partial running a command', () => {
  let world: RemoteWorld;
  beforeAll(async () => {
    world = await openRemoteWorld();
  });
  afterAll(() => world.close());

  const post = (path: string, body: object, bearer = world.bearer) =>
    send(`${world.server.url}${COMMANDS}${path}`, { bearer, body: { org: world.scope.organizationId, ...body } });
  let defined = 0;
  const define = async (kind: string, argument = '') => {
    defined += 1;
    const made = await post('', { name: `${kind} ${defined}`, kind, argument });
    return made.json<{ result: { id: string } }>().result.id;
  };
  const run = (command: string, device: { id: string }, as?: string) => post(`/${command}/run`, { device: device.id }, as);
  const runs = async (device: { id: string }) => {
    const { rows } = await world.server.owner.query<{ detail: { outcome: string } }>(
      "select detail from audit_entries where subject_id = $1 and action like 'Ran command %' order by seq",
      [device.id],
    );
    return rows.map(({ detail }) => detail.outcome);
  };
  const done = { outcome: 'done', message: '', code: null };

  test('a real router does each of the set, and its answer is told and in the log', async () => {
    const device = await world.device();
    for (const [kind, argument] of [
      ['identify', '30'],
      ['report'],
      ['roaming', 'true'],
      ['name', 'Bus 7'],
      ['zone', 'CST6CDT'],
      ['reboot'],
    ])
      expect([kind, (await run(await define(kind!, argument), device)).json()]).toEqual([kind, { result: done }]);
    expect(await runs(device)).toEqual(Array(6).fill('done'));
  });

  test("what a router refuses is told in the router's own words, made harmless", async () => {
    const device = await world.scripted({ onOrder: () => ({ message: 'not now\u202e\u0000, <b>later</b>' }) });
    const answer = await run(await define('identify', '30'), device);
    expect(answer.json()).toEqual({ result: { outcome: 'refused', message: 'not now , <b>later</b>', code: 7022 } });
    expect(await runs(device)).toEqual(['refused']);
  });

  test('to a router that is not connected nothing is sent, and nothing is logged', async () => {
    const device = await world.scripted();
    await device.router.stop();
    await until(async () => {
      const { rows } = await world.server.owner.query('select presence from devices where id = $1', [device.id]);
      return rows[0].presence === 'offline';
    });
    const command = await define('reboot');
    const { error } = (await run(command, device)).json<{ error: { key: string } }>();
    expect(error.key).toBe('command.offline');
    expect(await runs(device)).toEqual([]);
  });

  test('a command that does not exist, and a device of somebody else, are not found', async () => {
    const device = await world.scripted();
    const command = await define('reboot');
    const statuses = [await run('nonsense', device), await run(newId(), device), await run(command, { id: newId() })];
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(device.router.ordered).toEqual([]);
  });
});
