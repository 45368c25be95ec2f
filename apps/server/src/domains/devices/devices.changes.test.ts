import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';
import { purgeArchivedDevices } from './index.ts';

const DEVICES = '/data_manager/v1/dm/devices';
const DEVICE = '/data_manager/v1/dm/device';

const app = useTestApp();
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let user: Actor;

beforeEach(async () => {
  ({ own, sibling, mainPerson, admin, user } = await openHome(app));
  app.clock.set('2026-11-20T12:00:00Z');
});

const fresh = routersNamed('CH');
async function device(scope = own) {
  const added = await addDevice(app, scope, fresh());
  await app.takeOutbox();
  app.disconnected.length = 0;
  return added;
}

const remove = (as: Actor, ids: readonly string[]) => app.call('DELETE', DEVICES, { as, body: { devices: ids } });
const living = async (ids: readonly string[]) => {
  const { rows } = await app.owner.query<{ id: string }>(
    'select id from devices where id = any($1::uuid[]) and archived_at is null',
    [ids],
  );
  return sorted(rows.map(({ id }) => id));
};
const routerRow = async (id: string) =>
  (await app.owner.query('select organization_id, device_id, secret_hash from routers where id = $1', [id])).rows[0];

describe('deleting devices', () => {
  test('DEV-04-partial a deleted device leaves the list, its router is free, its socket closed, and the log keeps it', async () => {
    const [gone, stays] = [await device(), await device()];
    const before = await routerRow(gone.routerId);
    const response = await remove(admin, [gone.id]);
    expect([response.status, response.json.result]).toEqual([200, { deleted: 1 }]);
    expect(await living([gone.id, stays.id])).toEqual([stays.id]);
    expect(await routerRow(gone.routerId)).toEqual({ organization_id: null, device_id: null, secret_hash: before.secret_hash });
    expect(app.disconnected).toEqual([gone.routerId]);
    expect((await app.logOf(own.organizationId)).at(-1)).toBe(`Deleted device ${gone.serial}`);
    expect((await app.takeOutbox()).map(({ topic }) => topic)).toEqual(['devices', 'groups', 'organizations', 'inventory']);
    const { json } = await app.call('GET', DEVICES, { as: admin, query: { limit: 10 } });
    expect(json).toMatchObject({ total: 1, result: [{ device: stays.id }] });
  });

  test('DEV-04-partial a freed router can be added again, and its old device does not come back', async () => {
    const first = await device();
    await remove(admin, [first.id]);
    const [second] = await app.seeding.devices(sibling, [first]);
    expect(await living([first.id, second!])).toEqual([second]);
    expect(await routerRow(first.routerId)).toMatchObject({ organization_id: sibling.organizationId, device_id: second });
  });

  test.each([
    ["another organization's", async () => (await device(sibling)).id],
    [
      "another main account's",
      async () => (await device(await app.seeding.organization((await app.seeding.mainAccount('Abroad')).scope, 'Far'))).id,
    ],
    ['an unknown', async () => newId()],
    ['a malformed', async () => "x' or true --"],
  ])('DEV-04-partial with %s id among the ids the call is a 404 and nothing is deleted', async (_, foreign) => {
    const mine = await device();
    const other = await foreign();
    const response = await remove(admin, [mine.id, other]);
    expect([response.status, response.json.error.key]).toEqual([404, 'not_found']);
    expect(await living([mine.id])).toEqual([mine.id]);
    expect(app.disconnected).toEqual([]);
    expect(await app.takeOutbox()).toEqual([]);
  });

  test('DEV-04-partial deleting again succeeds without effect, and ids named twice count once', async () => {
    const { id } = await device();
    expect((await remove(admin, [id, id.toUpperCase()])).json.result).toEqual({ deleted: 1 });
    app.disconnected.length = 0;
    expect((await remove(admin, [id])).json.result).toEqual({ deleted: 0 });
    expect(app.disconnected).toEqual([]);
  });

  test('DEV-04-partial a user may not delete', async () => {
    const { id } = await device();
    expect((await remove(user, [id])).status).toBe(403);
    expect(await living([id])).toEqual([id]);
  });

  test('DEV-04-partial the main account deletes in several organizations at once; the log of each has its own entry', async () => {
    const [a, b] = [await device(own), await device(sibling)];
    expect((await remove(mainPerson, [a.id, b.id])).json.result).toEqual({ deleted: 2 });
    expect((await app.logOf(own.organizationId)).at(-1)).toBe(`Deleted device ${a.serial}`);
    expect((await app.logOf(sibling.organizationId)).at(-1)).toBe(`Deleted device ${b.serial}`);
  });

  test('DEV-04-partial two concurrent deletions of one device archive it once', async () => {
    const { id } = await device();
    const responses = await Promise.all([remove(admin, [id]), remove(mainPerson, [id])]);
    expect(sorted(responses.map(({ json }) => json.result.deleted as number))).toEqual([0, 1]);
    expect((await app.logOf(own.organizationId)).filter((action) => action.startsWith('Deleted'))).toHaveLength(1);
  });

  test('DEV-04-partial after 30 days an archived device is deleted for good, and not a day before', async () => {
    await purgeArchivedDevices(app.database, new Date('2030-01-01'));
    const [old, recent, alive] = [await device(), await device(), await device()];
    await remove(admin, [old.id]);
    app.clock.set('2026-11-25T12:00:00Z');
    await remove(admin, [recent.id]);
    expect(await purgeArchivedDevices(app.database, new Date('2026-12-20T11:59:59Z'))).toBe(0);
    expect(await purgeArchivedDevices(app.database, new Date('2026-12-20T12:00:01Z'))).toBe(1);
    const { rows } = await app.owner.query<{ id: string }>(
      'select id from devices where organization_id = $1 union select device_id from router_ownership where organization_id = $1',
      [own.organizationId],
    );
    expect(sorted(rows.map(({ id }) => id))).toEqual(sorted([recent.id, alive.id]));
    expect((await remove(admin, [old.id])).status).toBe(404);
  });
});

describe('saving a device', () => {
  const save = (as: Actor, body: object, headers: Record<string, string> = {}) =>
    app.call('PATCH', DEVICE, { as, body, headers });
  const get = (as: Actor, id: string) => app.call('GET', DEVICE, { as, query: { device: id } });

  test('DEV-07-partial vehicle number, note and group are saved, counted, logged and announced', async () => {
    const { id, serial } = await device();
    const group = await app.seeding.group(own, 'North depot');
    await app.takeOutbox();
    const response = await save(admin, { device: id, vehicleNumber: ' Bus 7 ', note: 'Two\nlines', group });
    expect(response.status).toBe(200);
    expect(response.json.result).toMatchObject({
      vehicle_number: 'Bus 7',
      vehicleNumber: 'Bus 7',
      note: 'Two\nlines',
      group,
      group_name: 'North depot',
      device_name: 'Bus 7',
    });
    expect(response.headers['etag']).toBe('"2"');
    expect((await app.logOf(own.organizationId)).at(-1)).toBe(`Changed vehicle number, note, group of device ${serial}`);
    expect(await app.takeOutbox()).toMatchObject([
      { topic: 'devices', ids: [id] },
      { topic: 'groups', ids: [] },
    ]);
    const { rows } = await app.owner.query('select detail from audit_entries where chain_id = $1 order by seq desc limit 1', [
      own.organizationId,
    ]);
    expect(rows[0].detail).toMatchObject({
      before: { 'vehicle number': '', group: 'default+group+id' },
      after: { 'vehicle number': 'Bus 7', group },
    });
  });

  test('DEV-07-partial a save that changes nothing leaves no entry, no event and no new version', async () => {
    const { id } = await device();
    const before = await app.logOf(own.organizationId);
    const response = await save(admin, { device: id, vehicleNumber: '', note: '', group: 'default group id' });
    expect([response.status, response.headers['etag']]).toEqual([200, '"1"']);
    expect(await app.logOf(own.organizationId)).toEqual(before);
    expect(await app.takeOutbox()).toEqual([]);
  });

  test('DEV-07-partial a save over an outdated version is 412 with the current values, and changes nothing', async () => {
    const { id } = await device();
    const tag = (await get(admin, id)).headers['etag'] as string;
    expect((await save(admin, { device: id, note: 'first' }, { 'if-match': tag })).status).toBe(200);
    const stale = await save(admin, { device: id, note: 'second' }, { 'if-match': tag });
    expect([stale.status, stale.json.error.key]).toEqual([412, 'conflict.stale']);
    expect(stale.json.error.detail).toMatchObject({ device: id, note: 'first' });
    const current = await get(admin, id);
    expect(current.json.result.note).toBe('first');
    expect((await save(admin, { device: id, note: 'second' }, { 'if-match': current.headers['etag'] as string })).status).toBe(
      200,
    );
    expect((await save(admin, { device: id, note: 'third' })).json.result.note).toBe('third');
  });

  test('DEV-07-partial of two concurrent saves of one version exactly one succeeds', async () => {
    const { id } = await device();
    const responses = await Promise.all(['a', 'b', 'c'].map((note) => save(admin, { device: id, note }, { 'if-match': '"1"' })));
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 412, 412]);
  });

  test('DEV-07-partial reports of a router make no save stale', async () => {
    const { id } = await device();
    await app.owner.query("update devices set presence = 'online', booted_at = now() where id = $1", [id]);
    expect((await save(admin, { device: id, note: 'x' }, { 'if-match': '"1"' })).status).toBe(200);
  });

  test.each([
    ["another organization's device", async () => ({ device: (await device(sibling)).id }), 'not_found'],
    [
      'a deleted device',
      async () => {
        const { id } = await device();
        await remove(admin, [id]);
        return { device: id };
      },
      'not_found',
    ],
    ['a malformed id', async () => ({ device: '1; drop table devices' }), 'not_found'],
    [
      "another organization's group",
      async () => ({ device: (await device()).id, group: await app.seeding.group(sibling, 'Theirs') }),
      'group.not_found',
    ],
  ])('DEV-07-partial %s is 404 and nothing is saved', async (_, make, key) => {
    const body = await make();
    const response = await save(admin, { ...body, note: 'must not stand' });
    expect([response.status, response.json.error.key]).toEqual([404, key]);
    const { rows } = await app.owner.query("select id from devices where note = 'must not stand'");
    expect(rows).toEqual([]);
  });

  test('DEV-07-partial neither a user nor the main account saves devices', async () => {
    const { id } = await device();
    expect((await save(user, { device: id, note: 'x' })).status).toBe(403);
    expect((await save(mainPerson, { device: id, note: 'x' })).status).toBe(403);
  });

  test.each([
    '<script>alert(1)</script>',
    '=HYPERLINK("http://evil.test")',
    '🚌🚏 👩🏽\u200d🚀',
    "Robert'); drop table devices;--",
  ])('DEV-07-partial the name %j is stored unchanged, found again, and safe in a CSV', async (name) => {
    const { id } = await device();
    const saved = await save(admin, { device: id, vehicleNumber: name, note: name });
    expect(saved.json.result).toMatchObject({ vehicle_number: name, note: name });
    const found = await app.call('GET', DEVICES, { as: admin, query: { limit: 5, search: name, field: 'vehicle' } });
    expect(found.json.result.map((row: { device: string }) => row.device)).toEqual([id]);
    const csv = await app.call('GET', `${DEVICES}/export`, { as: admin });
    // After the semicolon another spreadsheet begins a cell, so its dashes get an apostrophe too.
    const cell = name.startsWith('=') ? `'${name}` : name.replace(';--', ";'--");
    expect(csv.text).toContain(cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell);
  });

  test('DEV-07-partial a name of 10,000 characters or with control characters is rejected at its field', async () => {
    const { id } = await device();
    for (const vehicleNumber of ['x'.repeat(10_000), 'a\u0007b', '\u202egnp.exe', 'Bus\u200b 7'])
      expect((await save(admin, { device: id, vehicleNumber })).json.error).toMatchObject({
        key: 'request.invalid',
        field: 'vehicleNumber',
      });
  });
});
