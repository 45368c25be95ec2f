import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeEid } from '@highline/usp';
import { newId } from '../../kernel/ids.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type DeviceFacts } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const BASE = '/data_manager/v1/dm';
const at = (text: string) => Date.parse(text) / 1_000;

const app = useTestApp();
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let user: Actor;
let unrelated: Actor;

beforeAll(async () => {
  await app.owner.query("select ensure_partitions('2026-11-01', '2026-12-31')");
});

beforeEach(async () => {
  app.clock.set('2026-11-20T12:00:00Z');
  ({ own, sibling, mainPerson, admin, user } = await openHome(app));
  unrelated = app.person(sibling, 'admin');
});

const fresh = routersNamed('SC');
const device = (scope = own, more: DeviceFacts = {}) => addDevice(app, scope, fresh(), more);

describe('one device', () => {
  const get = (as: Actor, id: string, path = 'device') => app.call('GET', `${BASE}/${path}`, { as, query: { device: id } });

  test('DEV-07-partial a router that never connected shows its ready configuration, without its secret', async () => {
    const { id, serial, routerId } = await device();
    const response = await get(user, id);
    expect(response.headers['etag']).toBe('"1"');
    expect(response.json.result.agent).toEqual({
      url: `wss://cloud.test/usp/<secret>?eid=os%3A%3A00B2D0-${serial}`,
      endpointId: `os::00B2D0-${serial}`,
      controllerId: 'self::highline',
    });
    await app.owner.query('update routers set clock_skew_ms = -1500 where id = $1', [routerId]);
    await app.owner.query('insert into router_contacts values ($1, now())', [routerId]);
    expect((await get(user, id)).json.result).toMatchObject({ agent: null, clock_skew: -1_500 });
  });

  test('DEV-07-partial an organization sees the events from the time it owned the router, and none from before or after', async () => {
    const first = await device();
    const happen = (day: string, kind: string) =>
      app.owner.query('insert into connectivity values ($1, $2, $3, $4)', [
        first.routerId,
        `${day}T11:00:00Z`,
        kind,
        `on ${day}`,
      ]);
    await happen('2026-11-18', 'online');
    await happen('2026-11-21', 'offline');
    app.clock.set('2026-11-22T12:00:00Z');
    await app.call('DELETE', `${BASE}/devices`, { as: admin, body: { devices: [first.id] } });
    await happen('2026-11-23', 'boot');
    app.clock.set('2026-11-24T12:00:00Z');
    const [second] = await app.seeding.devices(sibling, [first]);
    await happen('2026-11-25', 'online');
    app.clock.set('2026-11-26T12:00:00Z');
    const happened = async (as: typeof unrelated) =>
      (await app.call('GET', `${BASE}/device/timeline`, { as, query: { device: second!, kind: 'connection' } })).json.result;
    expect(await happened(unrelated)).toMatchObject([
      { at: at('2026-11-25T11:00:00Z'), event: 'online', reason: 'on 2026-11-25' },
    ]);
    expect((await get(admin, first.id)).status).toBe(404);
    expect((await get(admin, second!)).status).toBe(404);
    expect(await happened(mainPerson)).toHaveLength(1);
  });

  test.each(['device', 'device/readings'])(
    'DEV-07-partial %s of another organization, unknown or with an invalid id is not found',
    async (path) => {
      const theirs = await device(sibling);
      for (const id of [theirs.id, newId(), 'x', '']) expect((await get(admin, id, path)).status).toBe(404);
      expect((await get(unrelated, theirs.id, path)).status).toBe(200);
    },
  );
});

describe('counts of the overview', () => {
  const statistics = async (as: Actor, query: Record<string, string> = {}) =>
    (await app.call('GET', `${BASE}/statistics`, { as, query })).json.result;

  test('OVW-01-partial devices are counted online, offline and expiring, groups and log entries with them', async () => {
    await app.seeding.group(own, 'North depot');
    await device(own, { columns: { presence: 'online', carrier: 'Verizon' } });
    await device(own, { expired: '11/25/2026', columns: { presence: 'online', carrier: 'AT&T' } });
    await device(own, {
      expired: '11/25/2026',
      columns: { presence: 'offline', presence_since: '2026-11-20T10:00:00Z', carrier: 'Verizon' },
    });
    await device(own, { expired: '11/19/2026', columns: { presence: 'unknown', carrier: 'Verizon' } });
    await device(own);
    await device(sibling, { columns: { presence: 'online', carrier: 'Verizon' } });
    const none = { online: 0, offline: 0, unknown: 0, never: 0, parked: 0, planned: 0 };
    expect(await statistics(user)).toEqual({
      online: 2,
      offline: 1,
      unknown: 1,
      never: 1,
      parked: 0,
      planned: 0,
      expired: 2,
      devices: 5,
      group: 2,
      logs: 6,
      logsToday: 6,
      carriers: [
        { carrier: 'Verizon', color: 2, total: 3, ...none, online: 1, offline: 1, unknown: 1 },
        { carrier: 'AT&T', color: 1, total: 1, ...none, online: 1 },
      ],
    });
    const found = await app.call('GET', `${BASE}/devices`, { as: user, query: { presence: 'unknown' } });
    expect([found.json.total, found.json.result[0].presence]).toEqual([1, 'unknown']);
    expect(await statistics(mainPerson)).toMatchObject({ online: 3, devices: 6, group: 3, expired: 2 });
    expect(await statistics(mainPerson, { org: sibling.organizationId })).toMatchObject({ devices: 1, group: 1 });
  });

  test('OVW-04-partial SIM profiles are counted per carrier, in use or not, with the routers of that carrier by connection', async () => {
    const one = await device(own, { columns: { presence: 'online', carrier: 'Verizon' } });
    const two = await device(own, {
      columns: { presence: 'offline', presence_since: '2026-11-20T10:00:00Z', carrier: 'Verizon' },
    });
    const theirs = await device(sibling, { columns: { presence: 'online', carrier: 'Verizon' } });
    const profile = async (scope: typeof own, { serial }: { serial: string }, carrier: string) => {
      const eid = makeEid(Number.parseInt(serial.replaceAll(/\D/gu, ''), 10));
      const code = `1$smdp.highline.invalid$${newId()}`;
      const pk = await app.seeding.esim(scope, { serial, eid, code, iccid: '', apn: 'internet', apn2: '', name: '' });
      await app.owner.query('update esim_profiles set carrier = $1 where id = $2', [carrier, pk]);
    };
    for (const carrier of ['Verizon', 'AT&T', '']) await profile(own, one, carrier);
    await app.owner.query("update esim_profiles set status = 'In Use' where device_id = $1 and carrier = 'Verizon'", [one.id]);
    await profile(own, two, 'AT&T');
    await profile(own, two, 'Verizon');
    await profile(sibling, theirs, 'Verizon');
    const none = { online: 0, offline: 0, unknown: 0, never: 0, parked: 0, planned: 0 };
    expect((await statistics(user)).carriers).toEqual([
      // Two profiles, one of them in use, and the card in the other router.
      { ...none, carrier: 'Verizon', color: 2, total: 3, online: 1, offline: 1 },
      { ...none, carrier: 'AT&T', color: 1, total: 2 },
    ]);
    expect((await statistics(mainPerson)).carriers).toEqual([
      { ...none, carrier: 'Verizon', color: 2, total: 5, online: 2, offline: 1 },
      { ...none, carrier: 'AT&T', color: 1, total: 2 },
    ]);
    // An eSIM that roams, one that does not name its carrier, and one whose router reports no network.
    const inUse = async (columns: Record<string, unknown>, carrier: string) => {
      const router = await device(own, { columns });
      await profile(own, router, carrier);
      await app.owner.query("update esim_profiles set status = 'In Use' where device_id = $1", [router.id]);
    };
    await inUse({ presence: 'online', carrier: 'Rogers' }, 'AT&T');
    await inUse({ presence: 'offline', presence_since: '2026-11-20T10:00:00Z', ignition: 'off', carrier: 'Rogers' }, '');
    await inUse({}, 'AT&T');
    app.clock.set('2026-11-20T12:01:00Z');
    expect((await statistics(user)).carriers).toMatchObject([
      { ...none, carrier: 'AT&T', total: 3 },
      { ...none, carrier: 'Verizon', total: 3, online: 1, offline: 1 },
      { ...none, carrier: 'Rogers', total: 2, online: 1, parked: 1 },
    ]);
  });

  test('OVW-03-partial after retention the count is the length of the list', async () => {
    for (let count = 0; count < 4; count += 1) await device(own);
    const { logs } = await statistics(admin);
    await app.owner.query('alter table audit_entries disable trigger all');
    await app.owner.query('delete from audit_entries where chain_id = $1 and seq <= 2', [own.organizationId]);
    await app.owner.query('alter table audit_entries enable trigger all');
    // The counts may be some seconds old.
    app.clock.set('2026-11-20T12:01:00Z');
    expect((await statistics(admin)).logs).toBe(logs - 2);
    const listed = await app.call('GET', '/data_manager/v1/operation_log', { as: admin, query: { limit: 1 } });
    expect(listed.json.total).toBe(logs - 2);
  });

  test('OVW-03-partial the entries of today are those since midnight of the zone', async () => {
    app.clock.set('2026-11-21T03:00:00Z');
    await device(own);
    app.clock.set('2026-11-21T05:30:00Z');
    await device(own);
    const far = (zone: string) => statistics(admin, { zone });
    expect((await far('America/New_York')).logsToday).toBe(1);
    // There it is still the 20th, the day on which the organization was created.
    expect((await far('America/Los_Angeles')).logsToday).toBe(3);
  });
});

describe('feeds of the older screens', () => {
  test('SVC-01-partial the subscription of every device, in pages or as a whole', async () => {
    const { id, serial } = await device(own, { expired: '11/25/2026', columns: { note: 'Spare' } });
    await device(sibling);
    const entry = {
      device_id: id,
      expired: '11/25/2026',
      is_expired: false,
      subscription_status: 'Expiring',
      note: 'Spare',
      project: own.organizationId,
      serial_number: serial,
    };
    expect((await app.call('GET', `${BASE}/devices/subscribe`, { as: user })).json).toEqual({ result: [entry], total: 1 });
    const paged = await app.call('GET', `${BASE}/devices/subscribe`, { as: user, query: { limit: 5, sort: '-expires' } });
    expect(paged.json).toEqual({ result: [entry], total: 1, offset: 0, next: null, previous: null });
    expect((await app.call('GET', `${BASE}/devices/subscribe`, { as: user, query: { limit: 5, sort: 'rssi' } })).status).toBe(
      400,
    );
  });

  test('OLD-05-partial the latest values of all devices, or of one', async () => {
    const { id, routerId } = await device(own, { columns: { presence: 'online', firmware: '2.8.1' } });
    await app.owner.query(`insert into router_contacts values ($1, '2026-11-20T11:59:30Z', -71)`, [routerId]);
    const theirs = await device(sibling);
    const values = {
      device: id,
      field_value: true,
      properties: [
        { id: 'firmware', value: '2.8.1' },
        { id: 'rssi', value: '-71' },
      ],
      on: at('2026-11-20T11:59:30Z'),
    };
    const last = (query: Record<string, string>) =>
      app.call('GET', '/data_manager/v1/statistics/last_query', { as: user, query });
    for (const all of [{ device: 'all_devices' }, { device: '' }, {}] as Record<string, string>[])
      expect((await last(all)).json).toEqual({ result: [values], total: 1 });
    expect((await last({ device: id })).json).toEqual({ result: [values], total: 1 });
    expect((await last({ device: 'all_devices', limit: '5' })).json).toEqual({
      result: [values],
      total: 1,
      offset: 0,
      next: null,
      previous: null,
    });
    expect((await last({ offset: '1', limit: '5' })).json.result).toEqual([]);
    expect((await last({ device: theirs.id })).status).toBe(404);
  });
});
