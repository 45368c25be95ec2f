import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { createLog } from '../../platform/process/log.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type DeviceFacts } from '../../testing/home.ts';
import { silentLog } from '../../testing/log.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';
import { createNode } from '../../platform/nodes/index.ts';
import { createPresence } from '../router-state/index.ts';

const GROUPS = '/data_manager/v1/dm/group';
const DEFAULT = 'default+group+id';

const app = useTestApp('2026-11-20T12:00:00Z');
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let group: string;

beforeEach(async () => {
  ({ main, own, sibling, admin } = await openHome(app));
  group = await app.seeding.group(own, 'Group');
});

const fresh = routersNamed('GM');
async function device(dates: DeviceFacts = {}, scope = own) {
  const added = await addDevice(app, scope, fresh(), dates);
  await app.takeOutbox();
  return added;
}

const save = (key: string, body: Record<string, unknown>) =>
  app.call('PATCH', `${GROUPS}/${encodeURIComponent(key)}`, { as: admin, body });
const members = (key: string, query: Record<string, string | number> = { limit: 50 }, as = admin) =>
  app.call('GET', `${GROUPS}/${encodeURIComponent(key)}/devices`, { as, query });
const serials = async (key: string, query: Record<string, string | number> = { limit: 50 }): Promise<string[]> =>
  (await members(key, query)).json.result.map((row: { serial_number: string }) => row.serial_number);
const state = async (id: string) => (await app.owner.query('select group_key, version from devices where id = $1', [id])).rows[0];
const entries = async () => (await app.logOf(own.organizationId)).length;

/** Many devices of a group, in two statements. */
async function fill(key: string, prefix: string, most: number): Promise<string[]> {
  await app.owner.query(
    `insert into routers (id, main_account_id, serial, mac, endpoint_id, secret_hash, organization_id, device_id)
     select gen_random_uuid(), $1, $3 || lpad(i::text, 6, '0'), $3 || i, $3 || i, sha256(($3 || i)::bytea), $2, gen_random_uuid()
     from generate_series(1, $4::int) i`,
    [own.mainAccountId, own.organizationId, prefix, most],
  );
  const { rows } = await app.owner.query<{ id: string }>(
    `insert into devices (organization_id, id, main_account_id, router_id, serial, mac, group_key, vehicle_number, started_on, expires_on)
     select organization_id, device_id, main_account_id, id, serial, mac, $2, 'Bus ' || right(serial, 3), '2026-01-01', '2027-12-31'
     from routers where organization_id = $1 and serial like $3 || '%' returning id`,
    [own.organizationId, key, prefix],
  );
  return rows.map(({ id }) => id);
}

describe('the move dialog', () => {
  test('GRP-09-partial a device may move unless its subscription has not begun or has ended', async () => {
    const subscribed = await device();
    const expiring = await device({ expired: '11/20/2026' });
    const ended = await device({ expired: '11/19/2026' });
    const later = await device({ started: '11/21/2026' });
    const never = await device();
    await app.owner.query('update devices set started_on = null, expires_on = null, presence = $2, model = $3 where id = $1', [
      never.id,
      'online',
      'HL-R520 5G',
    ]);
    const { json } = await members(DEFAULT);
    expect(json.total).toBe(5);
    expect(
      json.result.map((row: Record<string, unknown>) => [row['serial_number'], row['subscription_status'], row['movable']]),
    ).toEqual([
      [subscribed.serial, 'In Warranty', true],
      [expiring.serial, 'Expiring', true],
      [ended.serial, 'Not subscribed', false],
      [later.serial, 'Not subscribed', false],
      [never.serial, 'Not subscribed', false],
    ]);
    expect(json.result[4]).toEqual({
      device: never.id,
      serial_number: never.serial,
      vehicle_number: '',
      model: 'HL-R520 5G',
      presence: 'online',
      presence_since: null,
      offline_expected: null,
      subscription_status: 'Not subscribed',
      movable: false,
    });
    for (const { id, serial } of [ended, later, never]) {
      const response = await save(group, { add: [subscribed.id, id] });
      expect([response.status, response.json.error.key]).toEqual([409, 'group.not_movable']);
      expect(response.json.error.detail).toEqual({ count: 1, serials: [serial] });
    }
    expect(await serials(group)).toEqual([]);
    expect((await save(group, { add: [subscribed.id, expiring.id] })).json.result.deviceCount).toBe(2);
  });

  test('GRP-09-partial devices are paged by key, searched by serial or vehicle number and sorted both ways', async () => {
    await fill(group, 'PAGE', 2_345);
    const first = await members(group, { limit: 50 });
    expect([first.json.total, first.json.result.length, first.json.previous]).toEqual([2_345, 50, null]);
    let { next } = first.json;
    const seen = [...first.json.result];
    while (next !== null) {
      const { json } = await members(group, { limit: 200, cursor: next });
      seen.push(...json.result);
      ({ next } = json);
    }
    const all = seen.map((row) => row.serial_number);
    expect(all).toEqual(Array.from({ length: 2_345 }, (_, i) => `PAGE${String(i + 1).padStart(6, '0')}`));
    expect(await serials(group, {})).toEqual(all);
    expect(await serials(group, { limit: 2, offset: 2_343 })).toEqual(['PAGE002344', 'PAGE002345']);
    expect(await serials(group, { limit: 2, sort: '-serial' })).toEqual(['PAGE002345', 'PAGE002344']);
    expect(await serials(group, { limit: 3, sort: 'vehicle' })).toEqual(['PAGE001000', 'PAGE002000', 'PAGE000001']);
    const found = await members(group, { limit: 50, search: 'Bus 34', field: 'vehicle', sort: '-vehicle' });
    expect([found.json.total, found.json.result.length]).toEqual([26, 26]);
    expect(await serials(group, { limit: 50, search: '0234' })).toEqual([
      'PAGE000234',
      ...Array.from({ length: 6 }, (_, i) => `PAGE00234${i}`),
    ]);
    expect(await serials(group, { limit: 5, search: 'page' })).toEqual([]);
    expect(await serials(group, { limit: 5, search: '%' })).toEqual([]);
  });

  test('GRP-09-partial their connection is said as everywhere: never connected and parked are not offline', async () => {
    const since = 1_795_425_000;
    const [never, parked, offline] = [await device({ group }), await device({ group }), await device({ group })];
    for (const [{ id }, ignition] of [
      [parked, 'off'],
      [offline, 'on'],
    ] as const)
      await app.owner.query(
        `update devices set presence = 'offline', presence_since = to_timestamp($2), ignition = $3 where id = $1`,
        [id, since + 0.5, ignition],
      );
    const { result } = (await members(group)).json;
    const shown = ({ presence, presence_since, offline_expected }: Record<string, unknown>) => [
      presence,
      presence_since,
      offline_expected,
    ];
    expect(result.map(({ device: id }: { device: string }) => id)).toEqual([never.id, parked.id, offline.id]);
    expect(result.map(shown)).toEqual([
      ['offline', null, null],
      ['offline', since, 'parked'],
      ['offline', since, null],
    ]);
  });

  test('GRP-09-partial Bus 2 stands before Bus 10', async () => {
    const added = [await device({ group }), await device({ group }), await device({ group })];
    for (const [index, name] of ['Bus 10', 'bus 9', 'Bus 2'].entries())
      await app.owner.query('update devices set vehicle_number = $2 where id = $1', [added[index]!.id, name]);
    const named = async (sort: string) =>
      (await members(group, { limit: 2, sort })).json.result.map((row: { vehicle_number: string }) => row.vehicle_number);
    expect(await named('vehicle')).toEqual(['Bus 2', 'bus 9']);
    expect(await named('-vehicle')).toEqual(['Bus 10', 'bus 9']);
  });

  test('GRP-09-partial every account of the organization sees the devices of a group, and no other does', async () => {
    const one = await device({ group });
    for (const as of [app.person(own, 'user'), admin]) expect((await members(group, { limit: 5 }, as)).json.total).toBe(1);
    const mainPerson = app.person(main, 'main');
    expect((await members(group, { limit: 5, org: own.organizationId }, mainPerson)).json.result[0].device).toBe(one.id);
    expect((await members(group, { limit: 5 }, app.person(sibling, 'admin'))).status).toBe(404);
    for (const key of [newId(), 'x']) expect((await members(key)).json.error.key).toBe('group.not_found');
    for (const query of [{ sort: 'model' }, { field: 'model', search: 'x' }, { limit: 5, cursor: 'x' }, { limit: 0 }])
      expect((await members(group, query as Record<string, string>)).status).toBe(400);
  });
});

describe('moving devices', () => {
  test('GRP-09-partial devices come from the default group and return to it, each with a new version, announced and logged once', async () => {
    const [one, two, three] = [await device(), await device(), await device({ group })];
    const response = await save(group, { add: [one.id, two.serial.toLowerCase()], remove: [three.serial.toLowerCase()] });
    expect(response.json.result).toMatchObject({ deviceCount: 2 });
    expect(await serials(group)).toEqual([one.serial, two.serial]);
    expect(await serials(DEFAULT)).toEqual([three.serial]);
    for (const { id } of [one, two, three]) expect(await state(id)).toMatchObject({ version: 2 });
    const events = await app.takeOutbox();
    expect(events.map(({ topic, ids }) => [topic, sorted(ids)])).toEqual([
      ['groups', sorted([group, DEFAULT])],
      ['devices', sorted([one.id, two.id, three.id])],
    ]);
    const { rows } = await app.owner.query('select action, detail from audit_entries where chain_id = $1 order by seq desc', [
      own.organizationId,
    ]);
    expect(rows[0]).toMatchObject({
      action: 'Changed devices of group Group',
      detail: { added: { count: 2, serials: [one.serial, two.serial] }, removed: { count: 1, serials: [three.serial] } },
    });
  });

  test('GRP-09-partial a device that is already there stays, a device of another group is not moved', async () => {
    const other = await app.seeding.group(own, 'Other');
    const [mine, loose, theirs] = [await device({ group }), await device(), await device({ group: other })];
    const before = await entries();
    const response = await save(group, { add: [mine.id, mine.serial, mine.id.toUpperCase()], remove: [loose.id, theirs.id] });
    expect([response.status, response.json.result.deviceCount]).toEqual([200, 1]);
    for (const { id } of [mine, loose, theirs]) expect(await state(id)).toMatchObject({ version: 1 });
    expect(await entries()).toBe(before);
  });

  test('GRP-08-partial `devices` is the whole membership: a device that is not listed returns to the default group', async () => {
    const [stays, goes, comes] = [await device({ group }), await device({ group }), await device()];
    expect((await save(group, { devices: [stays.serial, comes.serial] })).json.result.deviceCount).toBe(2);
    expect(await serials(group)).toEqual([stays.serial, comes.serial]);
    expect([await state(stays.id), await state(goes.id)]).toEqual([
      { group_key: group, version: 1 },
      { group_key: DEFAULT, version: 2 },
    ]);
    expect((await save(group, { devices: [] })).json.result.deviceCount).toBe(0);
    expect(await serials(DEFAULT)).toEqual([stays.serial, goes.serial, comes.serial]);
  });

  test('GRP-09-partial a device whose subscription ended may stay in its group and leave it', async () => {
    const ended = await device({ group, expired: '11/19/2026' });
    expect((await save(group, { devices: [ended.id], description: 'x' })).status).toBe(200);
    expect((await save(group, { remove: [ended.id] })).status).toBe(200);
    expect((await save(group, { add: [ended.id] })).status).toBe(409);
  });

  test.each([
    ["another group's", async () => (await device({ group: await app.seeding.group(own, 'Other') })).serial, 409],
    ["another organization's", async () => (await device({}, sibling)).id, 404],
    ["another organization's by serial", async () => (await device({}, sibling)).serial, 404],
    ['an archived one', () => archived(), 404],
    ['an unknown device', () => newId(), 404],
    ['an invalid serial number', () => "'; drop table devices; --", 404],
  ])('GRP-09-partial with %s in the list, no device is moved, and no group is created', async (_, other, status) => {
    const [mine, strange] = [await device(), await other()];
    for (const response of [
      await save(group, { add: [mine.id, strange] }),
      await save(group, { devices: [mine.id, strange] }),
      await app.call('POST', GROUPS, { as: admin, body: { name: 'New', devices: [mine.serial, strange] } }),
    ]) {
      expect([response.status, response.json.error.key]).toEqual([status, status === 409 ? 'group.not_movable' : 'not_found']);
      if (status === 409) expect(response.json.error.detail).toEqual({ count: 1, serials: [strange] });
    }
    expect(await state(mine.id)).toEqual({ group_key: DEFAULT, version: 1 });
    const names = (await app.call('GET', GROUPS, { as: admin, query: { limit: 9 } })).json.result;
    expect(names.map((row: { groupName: string }) => row.groupName)).not.toContain('New');
  });

  async function archived() {
    const gone = await device();
    await app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [gone.id] } });
    return gone.id;
  }

  test('GRP-09-partial a device named in both lists is rejected', async () => {
    const one = await device();
    expect((await save(group, { add: [one.id], remove: [one.serial] })).json.error.field).toBe('remove');
    expect(await state(one.id)).toMatchObject({ version: 1 });
  });

  test('GRP-09-partial of two groups that take one device at once, one gets it and the other gets an error', async () => {
    const other = await app.seeding.group(own, 'Other');
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await device(), await device()];
      const responses = await Promise.all([save(group, { add: [one.id, two.id] }), save(other, { add: [two.id, one.id] })]);
      expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409]);
      const [home] = new Set([(await state(one.id)).group_key, (await state(two.id)).group_key]);
      expect(home).toBe(responses[0].status === 200 ? group : other);
      expect(await state(one.id)).toMatchObject({ version: 2 });
    }
  });

  test('GRP-09-partial concurrent moves, saves and deletions of the same devices never deadlock', async () => {
    const devices = await Promise.all(Array.from({ length: 6 }, async () => (await device()).id));
    const other = await app.seeding.group(own, 'Other');
    const one = (id: string, key: string) =>
      app.call('PATCH', '/data_manager/v1/dm/device', { as: admin, body: { device: id, group: key } });
    // There are more calls than connections: on a slow machine one is answered `server.busy`, and is repeated. A deadlock answers 500.
    const patiently = async (call: () => ReturnType<typeof save>) => {
      for (;;) {
        const response = await call();
        if (response.status !== 503 || response.json.error.key !== 'server.busy') return response;
      }
    };
    for (let round = 0; round < 8; round++) {
      const responses = await Promise.all([
        patiently(() => save(group, { devices })),
        patiently(() => save(other, { add: devices.toReversed() })),
        patiently(() => save(group, { remove: devices.slice(2) })),
        ...devices.map((id, index) => patiently(() => one(id, [group, other, DEFAULT][(index + round) % 3]!))),
      ]);
      for (const { status, text } of responses) expect([200, 409], text).toContain(status);
    }
    const all = [...(await serials(group)), ...(await serials(other)), ...(await serials(DEFAULT))];
    expect(new Set(all).size).toBe(6);
    expect(all).toHaveLength(6);
  });

  test('GRP-09-partial devices move while their routers connect, disconnect and report, without a deadlock', async () => {
    const ids = await fill(DEFAULT, 'LIVE', 2_000);
    const { rows } = await app.owner.query<{ router_id: string }>('select router_id from devices where id = any($1::uuid[])', [
      ids,
    ]);
    const routers = rows.map(({ router_id }) => router_id);
    const presence = createPresence({
      database: app.database,
      clock: app.clock,
      log: createLog('silent'),
      node: createNode({
        database: app.database,
        log: silentLog,
        shared: { bus: true, files: true },
        name: 'test',
        host: 'test',
        version: 'test',
      }),
    });
    const waves = Array.from({ length: 6 }, async (_, wave) => {
      for (const id of wave % 2 === 0 ? routers : routers.toReversed())
        if (wave % 3 === 0) presence.connected(id, wave + 1);
        else presence.disconnected(id, 'connection-lost', app.clock.now());
      await presence.flush();
    });
    const moves = [save(group, { add: ids }), save(group, { add: ids.toReversed(), description: 'x' })];
    const [responses] = await Promise.all([Promise.all([...moves, save(group, { devices: [] })]), ...waves]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    await presence.stop();
  });

  test('GRP-09-partial 5,000 devices move in one call, or none; a call may name 50,000, and one more is rejected', async () => {
    const ids = await fill(DEFAULT, 'MASS', 5_000);
    const stuck = await device({ expired: '01/02/2026' });
    const serials = Array.from({ length: 4_999 }, (_, index) => `MASS${String(index + 1).padStart(6, '0')}`);
    const rejected = await save(group, { add: [...serials, stuck.serial] });
    expect([rejected.status, rejected.json.error.detail]).toEqual([409, { count: 1, serials: [stuck.serial] }]);
    const unknown = Array.from({ length: 50_001 }, () => newId());
    expect((await save(group, { add: unknown.slice(1) })).status).toBe(404);
    expect((await save(group, { add: unknown })).status).toBe(400);
    const response = await save(group, { add: ids });
    expect([response.status, response.json.result.deviceCount]).toEqual([200, 5_000]);
    const { rows } = await app.owner.query('select detail from audit_entries where chain_id = $1 order by seq desc limit 1', [
      own.organizationId,
    ]);
    expect(rows[0].detail.added).toMatchObject({ count: 5_000, serials: { length: 100 } });
  });
});
