import { makeEid } from '@highline/usp';
import { beforeEach, expect, test } from 'vitest';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const REPLACE = '/data_manager/v1/dm/device/router';
const app = useTestApp('2026-11-20T12:00:00Z');
const fresh = routersNamed('RP');

let home: Home;
let group: string;
let device: TestDevice;
let next: { serial: string; mac: string };

beforeEach(async () => {
  home = await openHome(app);
  group = await app.seeding.group(home.own, 'North');
  const columns = { vehicle_number: 'Bus 2104', note: 'spare mirror', tags: ['night'], carrier: 'Verizon', presence: 'online' };
  device = await addDevice(app, home.own, fresh(), { group, started: '01/01/2026', expired: '12/31/2027', columns });
  next = fresh();
  await app.seeding.routers(home.main, [next]);
  app.disconnected.length = 0;
});

const replace = (
  body: object = {},
  { as = home.admin, query = {} }: { as?: Home['admin']; query?: Record<string, string> } = {},
) => app.call('POST', REPLACE, { as, query, body: { device: device.id, serial_number: next.serial, mac: next.mac, ...body } });
const one = async (sql: string, values: unknown[]) => (await app.owner.query(sql, values)).rows[0];
const esim = (scope: OrganizationScope, code: string, name: string) =>
  app.seeding.esim(scope, { serial: device.serial, eid: makeEid(1), code, iccid: '', apn: 'fleet', apn2: '', name });

test('BLK-06-partial a new router takes over vehicle, group, tags, notes, subscription and history in one transaction, and both logs say it', async () => {
  const response = await replace();
  expect(response.status, response.text).toBe(200);
  expect(response.json.result).toMatchObject({
    device: device.id,
    serial_number: next.serial,
    mac: next.mac,
    vehicle_number: 'Bus 2104',
    note: 'spare mirror',
    tags: ['night'],
    group,
    started: '01/01/2026',
    expired: '12/31/2027',
    // What the former router reported is not true of the new one.
    presence: 'offline',
    cellular_mno: null,
  });
  const { rows } = await app.owner.query(
    `select r.serial, r.organization_id, r.device_id, o.device_id as owned, o.owned_until is null as owns
     from routers r join router_ownership o on o.router_id = r.id where r.serial = any ($1) order by r.serial`,
    [[device.serial, next.serial]],
  );
  expect(rows).toEqual([
    { serial: device.serial, organization_id: null, device_id: null, owned: device.id, owns: false },
    { serial: next.serial, organization_id: home.own.organizationId, device_id: device.id, owned: device.id, owns: true },
  ]);
  const sentence = `Replaced router ${device.serial} of Bus 2104 with ${next.serial}`;
  expect((await app.logOf(home.own.organizationId)).at(-1)).toBe(sentence);
  expect((await app.logOf(home.main.mainAccountId)).at(-1)).toBe(sentence);
  expect(app.disconnected).toEqual([device.routerId]);
  const topics = (await app.takeOutbox()).map(({ topic }) => topic);
  for (const topic of ['devices', 'groups', 'esims', 'inventory']) expect(topics).toContain(topic);
});

test('BLK-06-partial the effect is shown first and nothing is written; with another effect than the one seen it is rejected', async () => {
  await esim(home.own, '1$dp.example$ONE', 'Roaming');
  const dry = await replace({}, { query: { dryRun: 'true' } });
  const { effect } = dry.json;
  expect(effect).toMatchObject({
    vehicle: 'Bus 2104',
    group: 'North',
    tags: ['night'],
    former: { serial_number: device.serial, isOnline: true },
    next: { serial_number: next.serial, isOnline: false },
    esims: { moving: ['Roaming'], staying: [] },
  });
  expect(dry.json.result.serial_number).toBe(device.serial);
  await esim(home.own, '1$dp.example$TWO', 'Second');
  const stale = await replace({}, { query: { confirmed: effect.confirmation } });
  expect([stale.status, stale.json.error.key]).toEqual([409, 'impact.changed']);
  expect(stale.json.error.detail.esims.moving).toEqual(['Roaming', 'Second']);
  expect((await replace({}, { query: { confirmed: stale.json.error.detail.confirmation } })).status).toBe(200);
});

test('BLK-06-partial eSIMs with an activation code are assigned to the new router in their order; those of the former eUICC alone are not', async () => {
  const first = await esim(home.own, '1$dp.example$ONE', 'Roaming');
  const kept = await esim(home.own, '1$dp.example$TWO', 'Own');
  await app.owner.query(
    `update esim_profiles set status = 'In Use', path = 'Device.X.1.', carrier = 'T', iccid = '89' where id = $1`,
    [first],
  );
  await app.owner.query('update esim_profiles set sealed_code = null where id = $1', [kept]);
  const response = await replace();
  expect(response.json.effect.esims).toEqual({ moving: ['Roaming'], staying: ['Own'] });
  const { rows } = await app.owner.query(
    'select p.name, p.serial, p.status, p.path, p.carrier, r.serial as router from esim_profiles p join routers r on r.id = p.router_id where p.device_id = $1',
    [device.id],
  );
  expect(rows).toEqual([
    { name: 'Roaming', serial: next.serial, status: 'Assigning...', path: null, carrier: '', router: next.serial },
  ]);
  // The page of its eSIMs sends the EID of the profile: the new router has not reported its own, and then has.
  const as = home.admin;
  const { serial, eid } = (await app.call('GET', `/data_manager/v1/dm/profile/${first}`, { as })).json.result;
  const page = async () => (await app.call('GET', '/data_manager/v1/dm/profiles', { as, query: { serial, eid } })).json.result;
  expect(await page()).toMatchObject([
    { ac: 'preload', eid: '' },
    { pk: first, eid: '' },
  ]);
  await app.owner.query('update devices set eid = $2 where id = $1', [device.id, makeEid(7)]);
  expect(await page()).toMatchObject([{ ac: 'preload', eid: makeEid(7) }, { pk: first }]);
});

test('BLK-06-partial a rollout under way ends for the former router and begins for the new one', async () => {
  const config = await app.seeding.config(home.own, { name: 'depot.cfg' });
  const binding = await app.seeding.binding(home.own, { group, kind: 'config', file: config, schedule: 'immediate' });
  await app.owner.query(`update rollout_targets set state = 'failed' where binding_id = $1`, [binding]);
  expect((await replace()).status).toBe(200);
  const { rows } = await app.owner.query(
    'select r.serial, t.state from rollout_targets t join routers r on r.id = t.router_id where t.binding_id = $1',
    [binding],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0].serial).toBe(next.serial);
  expect(rows[0].state).not.toBe('failed');
});

test('BLK-06-partial it can be replaced again, also by the former router; the history of the device has every interval', async () => {
  await replace();
  const again = await replace({ serial_number: device.serial, mac: device.mac }, { as: home.mainPerson });
  expect(again.json.result.serial_number).toBe(device.serial);
  const { count } = await one('select count(*)::int as count from router_ownership where device_id = $1', [device.id]);
  expect(count).toBe(3);
});

test('BLK-06-partial nothing is changed by a router that is unknown, of another MAC, taken, or of another main account, nor for a foreign device', async () => {
  const taken = await addDevice(app, home.own, fresh());
  const foreign = await addDevice(app, home.sibling, fresh());
  const others = (await app.seeding.mainAccount('Abroad')).scope;
  const theirs = fresh();
  await app.seeding.routers(others, [theirs]);
  const keys = async (body: object, options?: Parameters<typeof replace>[1]) => {
    const { status, json } = await replace(body, options);
    return [status, json.error.key];
  };
  expect(await keys({ serial_number: 'NONE' })).toEqual([400, 'device.serial_unknown']);
  expect(await keys({ serial_number: theirs.serial, mac: theirs.mac })).toEqual([400, 'device.serial_unknown']);
  expect(await keys({ mac: device.mac })).toEqual([400, 'device.mac_mismatch']);
  expect((await keys({ serial_number: taken.serial, mac: taken.mac }))[1]).toBe('device.duplicate');
  expect((await keys({ serial_number: device.serial, mac: device.mac }))[1]).toBe('device.duplicate');
  expect(await keys({ device: foreign.id })).toEqual([404, 'not_found']);
  expect(await keys({ device: 'x' })).toEqual([404, 'not_found']);
  expect((await replace({}, { as: home.user })).status).toBe(403);
  expect(await one('select serial from devices where id = $1', [device.id])).toEqual({ serial: device.serial });
  expect(await one('select organization_id from routers where serial = $1', [next.serial])).toEqual({ organization_id: null });
});

test('BLK-06-partial of two devices that claim one router at once exactly one gets it, and a failure in the middle changes nothing', async () => {
  const other = await addDevice(app, home.own, fresh());
  const responses = await Promise.all([replace(), replace({ device: other.id })]);
  expect(responses.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1);
  const third = fresh();
  await app.seeding.routers(home.main, [third]);
  const before = await one('select serial, version, router_id from devices where id = $1', [device.id]);
  // The last statement of the transaction fails.
  await app.owner.query(`alter table audit_entries add constraint no_more check (action not like 'Replaced router%') not valid`);
  try {
    expect((await replace({ serial_number: third.serial, mac: third.mac })).status).toBe(500);
  } finally {
    await app.owner.query('alter table audit_entries drop constraint no_more');
  }
  expect(await one('select serial, version, router_id from devices where id = $1', [device.id])).toEqual(before);
  expect(await one('select organization_id from routers where serial = $1', [third.serial])).toEqual({ organization_id: null });
});
