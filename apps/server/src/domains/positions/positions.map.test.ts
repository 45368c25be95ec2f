import { positions } from '@highline/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const subscribed = { started: '01/01/2026', expired: '12/31/2027' };
const HOUR = 3_600_000;

const app = useTestApp(NOW);
const fresh = routersNamed('PM');
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;
let unrelated: Actor;
let mainPerson: Actor;
let moving: TestDevice;
let parked: TestDevice;
let never: TestDevice;
let elsewhere: TestDevice;

/** Put the router of a device somewhere, some hours ago. */
const place = (device: TestDevice, hours: number, latitude: number, longitude: number, storedHours = hours) =>
  app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
       values ($1, $2, $3, $4, 4.56, 31.26, 270.4, false, $5)
     on conflict (router_id) do update set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude, stored_at = excluded.stored_at`,
    [
      device.routerId,
      new Date(Date.parse(NOW) - hours * HOUR),
      latitude,
      longitude,
      new Date(Date.parse(NOW) - storedHours * HOUR),
    ],
  );

beforeAll(async () => {
  ({ own, sibling, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  const add = (scope: OrganizationScope, columns: Record<string, unknown> = {}) =>
    addDevice(app, scope, fresh(), { ...subscribed, columns });
  moving = await add(own, { presence: 'online', vehicle_number: 'Bus 1' });
  parked = await add(own, { presence: 'offline', presence_since: new Date('2026-11-20T00:00:00Z') });
  never = await add(own, { presence: 'online' });
  elsewhere = await add(sibling, { presence: 'online' });
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  await app.owner.query(
    'insert into router_contacts (router_id, last_contact_at, rssi, is_weak) values ($1, now(), -71, false)',
    [moving.routerId],
  );
  await place(moving, 0.01, 41.8826, -87.6233);
  await place(parked, 30, -17.5, 179.9);
  await place(elsewhere, 1, 25.05, 121.5);
});

const ask = (as: Actor, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  app.call('GET', `${BASE}/positions`, { as, query, headers });
const shown = async (as: Actor, query: Record<string, string> = {}) => (await ask(as, query)).json.result;
const devicesOf = async (as: Actor, query: Record<string, string> = {}) =>
  ((await shown(as, query)).vehicles as positions.MapVehicle[]).map(([device]) => device).toSorted();

describe('the map of an organization', () => {
  test('POS-02-partial has each device with its newest position, state and signal, and counts those without one', async () => {
    const { vehicles, isCut, never: none, old, asOf } = await shown(user);
    expect({ isCut, none, old, asOf }).toEqual({ isCut: false, none: 1, old: 1, asOf: Date.parse(NOW) });
    const at = Date.parse(NOW) / 1_000 - 36;
    expect(vehicles).toContainEqual([
      moving.id,
      'Bus 1',
      41.8826,
      -87.6233,
      at,
      'online',
      -71,
      31.3,
      270,
      4.6,
      false,
      null,
      null,
    ]);
    expect(vehicles).toContainEqual(expect.arrayContaining([parked.id, parked.serial, 'offline', null]));
    expect(vehicles).toHaveLength(2);
  });

  test('POS-02-partial IAM-03-partial HKS-02-partial a vehicle has the severity of its worst open alert for those who read alerts', async () => {
    await app.owner.query(
      `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
         group_key, state, since, fired_at)
       select organization_id, gen_random_uuid(), main_account_id, gen_random_uuid(), 'Slow', 'critical', 'offline', id, serial, '',
         group_key, 'firing', now(), now() from devices where id = $1`,
      [moving.id],
    );
    const severityFor = async (rights: Partial<Actor>) => {
      const { vehicles } = await shown(Object.assign(app.person(own, 'user'), rights));
      return (vehicles as positions.MapVehicle[]).find(([device]) => device === moving.id)?.[11];
    };
    const ofRole = (...rights: string[]) => severityFor({ ownRole: { id: newId(), name: 'Desk', rights } });
    const ofKey = (...operations: string[]) =>
      severityFor({ key: { id: newId(), label: 'Wall', organizationId: null, operations } });
    expect(await severityFor({})).toBe('critical');
    expect([await ofRole('positions.read'), await ofRole('positions.read', 'alerts.read')]).toEqual([null, 'critical']);
    expect([await ofKey('positions.map'), await ofKey('positions.map', 'alerts.list')]).toEqual([null, 'critical']);
  });

  test('POS-02-partial has the filters of the device list, and those of the address', async () => {
    expect(await devicesOf(user, { presence: 'offline' })).toEqual([parked.id]);
    expect(await devicesOf(user, { search: 'bus', field: 'vehicle', ignoreCase: 'true' })).toEqual([moving.id]);
    expect((await shown(user, { presence: 'online' })).never).toBe(1);
    expect((await ask(user, { presence: 'nowhere' })).status).toBe(400);
  });

  test('POS-02-partial a part of the map, also over the date line; a part that is none is rejected', async () => {
    expect(await devicesOf(user, { bbox: '-88,41,-87,42' })).toEqual([moving.id]);
    expect(await devicesOf(user, { bbox: '179,-20,-179,-10' })).toEqual([parked.id]);
    expect(await devicesOf(user, { bbox: '-180,-90,180,90' })).toHaveLength(2);
    for (const bbox of ['1,2,3', '1,2,3,4,5', '-200,0,1,1', '0,5,1,1', 'a,b,c,d', ',,,', '0,0,1,91'])
      expect((await ask(user, { bbox })).status, bbox).toBe(400);
  });

  test('POS-02-partial only what is new since an earlier answer, and 304 where nothing changed', async () => {
    const first = await ask(user);
    const tag = first.headers['etag'] as string;
    expect((await ask(user, {}, { 'if-none-match': `W/${tag}` })).status).toBe(304);
    await place(parked, 30, -17.5, 179.9, 0);
    const { vehicles, never: none } = await shown(user, { since: String(first.json.result.asOf) });
    expect(vehicles.map(([device]: positions.MapVehicle) => device)).toEqual([parked.id]);
    expect(none).toBeUndefined();
    await place(parked, 29, -17.4, 179.9);
    expect((await ask(user, {}, { 'if-none-match': tag })).status).toBe(200);
  });

  test('POS-07 never had a position, and none for 24 hours, are states of the device list, its CSV and the map, and filters of each', async () => {
    const list = async (query: Record<string, string> = {}) =>
      (await app.call('GET', `${BASE}/devices`, { as: user, query: { limit: '10', ...query } })).json.result as {
        device: string;
        position_at: number | null;
      }[];
    const at = (hours: number) => Math.floor(Date.parse(NOW) / 1_000 - hours * 3_600);
    expect(new Map((await list()).map(({ device, position_at: time }) => [device, time]))).toEqual(
      new Map([
        [moving.id, at(0.01)],
        [parked.id, at(29)],
        [never.id, null],
      ]),
    );
    for (const [position, device] of [
      ['never', never],
      ['old', parked],
    ] as const)
      // prettier-ignore
      expect((await list({ position })).map((row) => row.device)).toEqual([device.id]);
    expect((await app.call('GET', `${BASE}/devices`, { as: user, query: { limit: '10', position: 'far' } })).status).toBe(400);
    expect(await devicesOf(user, { position: 'old' })).toEqual([parked.id]);
    expect(await shown(user, { position: 'never' })).toMatchObject({ vehicles: [], never: 1, old: 0 });

    const csv = async (query: Record<string, string>) => {
      const { text } = await app.call('GET', `${BASE}/devices/export`, {
        as: user,
        query: { columns: 'serial,position', ...query },
      });
      return new Map(parse(text, { bom: true }) as [string, string][]);
    };
    expect(await csv({ zone: 'America/Chicago' })).toEqual(
      new Map([
        ['Device Serial#', 'Position'],
        [moving.serial, '11/20/2026 05:59:24'],
        [parked.serial, 'No position for 24 h'],
        [never.serial, 'Never had a position'],
      ]),
    );
    const old = [['裝置序號', '位置'], [parked.serial, '24 小時內未定位']] as const; // prettier-ignore
    expect(await csv({ language: 'zh-TW', position: 'old' })).toEqual(new Map(old));
    expect((await csv({ language: 'zh-TW', position: 'never' })).get(never.serial)).toBe('從未定位');
    expect((await csv({ language: 'zh-TW' })).get(moving.serial)).toBe('2026/11/20 11:59:24');
  });

  test('POS-01-partial shows neither other organizations nor what was before a transfer; the main account sees all of its own', async () => {
    expect(await devicesOf(unrelated)).toEqual([]);
    expect(await devicesOf(mainPerson)).toEqual([moving.id, parked.id, elsewhere.id].toSorted());
    expect(await devicesOf(mainPerson, { org: sibling.organizationId })).toEqual([elsewhere.id]);
    expect((await ask(unrelated, { org: own.organizationId })).status).toBe(404);
    // The device was transferred to its organization half an hour ago: its position is from the time before.
    await app.owner.query(`update router_ownership set owned_from = $2 where router_id = $1`, [
      elsewhere.routerId,
      new Date(Date.parse(NOW) - HOUR / 2),
    ]);
    const { vehicles, never: none } = await shown(mainPerson, { org: sibling.organizationId });
    expect([vehicles, none]).toEqual([[], 1]);
    const list = await app.call('GET', `${BASE}/devices`, {
      as: mainPerson,
      query: { limit: '10', org: sibling.organizationId },
    });
    expect(list.json.result).toMatchObject([{ device: elsewhere.id, position_at: null }]);
    await place(elsewhere, 0.1, 25.06, 121.5);
    expect(await devicesOf(mainPerson, { org: sibling.organizationId })).toEqual([elsewhere.id]);
  });
});
