import type { search } from '@highline/contract';
import { makeEid, makeIccid } from '@highline/usp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { closeness, numberTextOf, searchTextOf } from './search-text.ts';

const app = useTestApp();
const fresh = routersNamed('PaLe');
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let user: Actor;
let bus: TestDevice;
let plow: TestDevice;
let foreign: TestDevice;

const find = async (text: string, as = admin): Promise<search.Found[]> => {
  const { status, json, text: body } = await app.call('GET', '/data_manager/v1/dm/search', { as, query: { text } });
  expect(status, body).toBe(200);
  return json.result;
};
const idsOf = async (text: string, as?: Actor) => (await find(text, as)).map(({ id }) => id);
const shown = async (text: string, as?: Actor) =>
  (await find(text, as)).map(({ kind, title, field }) => `${kind} ${title} (${field})`);

beforeAll(async () => {
  ({ own, sibling, mainPerson, admin, user } = await openHome(app));
  const numbers = { iccid: '89011203000012345678', imei: '356938035643809', mtn: '13125550142' };
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 2104', ...numbers } });
  plow = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Snow Plow 12' } });
  foreign = await addDevice(app, sibling, fresh(), { columns: { vehicle_number: 'Bus 2199', iccid: '89011203000099999999' } });
});

describe('the palette finds', () => {
  test('BLK-04-partial devices by vehicle, serial, ICCID, MTN, IMEI and MAC, in any case, by one letter as well as by the last digits', async () => {
    for (const text of ['bus 2104', 'BUS', 'b', 'Bu', '2104', bus.serial.toLowerCase(), bus.serial.toUpperCase()])
      expect(await idsOf(text), text).toContain(bus.id);
    for (const text of ['89011203000012345678', '890112', '12345678', '356938035643809', '643809', '13125550142', '5550142'])
      expect(await idsOf(text), text).toEqual([bus.id]);
    const colons = bus.mac.replaceAll(/(..)(?!$)/gu, '$1:').toLowerCase();
    expect(await shown(colons)).toEqual(['device Bus 2104 (mac)']);
    for (const text of [
      '+1 (312) 555-0142',
      '001 312 555 0142',
      '312-555-0142',
      '8901 1203 0000 1234 5678F',
      '\u00a08901\u20111203\u20110000\u20111234\u20115678\u200b',
      '890112030000123456780',
      '35-693803-564380-9',
      '3569380356438012',
    ])
      expect(await idsOf(text), text).toEqual([bus.id]);
    expect(await shown('snow PLOW')).toEqual(['device Snow Plow 12 (vehicle)']);
    expect(await shown('plow')).toEqual(['device Snow Plow 12 (vehicle)']);
  });

  test('BLK-04-partial the numbers of a device follow its changes, its transfer and its deletion', async () => {
    const moved = await addDevice(app, own, fresh(), { columns: { imei: '990000862471854' } });
    await app.owner.query("update devices set imei = '990000862471855' where id = $1", [moved.id]);
    expect(await idsOf('990000862471854')).toEqual([]);
    expect(await idsOf('990000862471855')).toEqual([moved.id]);
    await app.owner.query('update devices set organization_id = $2 where id = $1', [moved.id, sibling.organizationId]);
    expect(await idsOf('990000862471855')).toEqual([]);
    expect(await idsOf('990000862471855', mainPerson)).toEqual([moved.id]);
    await app.owner.query('update devices set archived_at = now() where id = $1', [moved.id]);
    expect(await idsOf('990000862471855', mainPerson)).toEqual([]);
    await app.owner.query('delete from devices where id = $1', [moved.id]);
    const left = await app.owner.query('select from device_identifiers where device_id = $1', [moved.id]);
    expect(left.rowCount).toBe(0);
  });

  test('BLK-04-partial groups, people, SIMs, firmware, config files and organizations', async () => {
    const group = await app.seeding.group(own, 'Night Depot');
    await app.seeding.group(sibling, 'Night of others');
    const person = await app.seeding.account(own, 'night.shift@find.example', 'user');
    await app.seeding.account(sibling, 'night.other@find.example', 'user');
    const main = { kind: 'main' as const, mainAccountId: own.mainAccountId };
    const firmware = await app.seeding.firmware(main, { model: 'HL-NIGHT', version: '7.7.7' });
    const config = await app.seeding.config(own, { name: 'night.cfg' });
    const iccid = makeIccid(90_001);
    const sim = {
      serial: bus.serial,
      eid: '',
      code: '',
      iccid: '',
      apn: 'internet',
      apn2: '',
      name: 'Night SIM',
    };
    const profile = await app.seeding.esim(own, {
      ...sim,
      eid: makeEid(7),
      code: '1$smdp.example$NIGHT',
    });
    await app.owner.query('update esim_profiles set iccid = $2 where id = $1', [profile, iccid]);
    const view = await app.owner.query(
      `insert into saved_views (id, main_account_id, organization_id, account_id, list, name, content, is_shared)
       values (gen_random_uuid(), $1, $2, null, 'devices', 'Night shift', '{"search":{},"layout":{}}', true) returning id`,
      [own.mainAccountId, own.organizationId],
    );
    const kinds = (rows: readonly search.Found[]) => rows.map(({ kind, id }) => `${kind} ${id}`).toSorted();
    const all = [
      `config ${config}`,
      `firmware ${firmware}`,
      `group ${group}`,
      `person ${person}`,
      `sim ${profile}`,
      `view ${view.rows[0].id}`,
    ];
    expect(kinds(await find('NIGHT'))).toEqual(all);
    expect(kinds(await find('night', user))).toEqual(all.filter((one) => !/^(?:config|person)/u.test(one)));
    expect(kinds(await find('night', mainPerson))).toEqual([`firmware ${firmware}`]);
    expect(await shown('7.7')).toEqual(['firmware 7.7.7 (version)']);
    expect(await shown(iccid)).toEqual([`sim ${iccid} (iccid)`]);
    expect(await find('sibling', mainPerson)).toMatchObject([
      { kind: 'organization', id: sibling.organizationId, title: 'Sibling' },
    ]);
  });
});

test('BLK-04-partial an organization finds nothing of others; the main account finds the devices of all its organizations, with their names', async () => {
  expect(await idsOf('Bus 2199')).toEqual([]);
  expect(await idsOf('8901120300009999')).toEqual([]);
  expect(await find('bus', mainPerson)).toMatchObject([
    { id: bus.id, org: own.organizationId, orgName: 'Own' },
    { id: foreign.id, org: sibling.organizationId, orgName: 'Sibling' },
  ]);
  expect((await find('b', mainPerson)).flatMap(({ kind, id }) => (kind === 'device' ? [id] : []))).toEqual([bus.id, foreign.id]);
  const elsewhere = await openHome(app);
  expect(await find('bus', elsewhere.mainPerson)).toEqual([]);
  expect(await find('PaLe', elsewhere.admin)).toEqual([]);
});

test('BLK-04-partial what is the text comes before what begins with it, then the beginning of a part, then the rest; at most five of a kind', async () => {
  for (const name of ['Van 7', 'Van 70', 'Red Van 7', 'Caravan 7', 'Van 71', 'Van 72', 'Van 73'])
    await addDevice(app, own, fresh(), { columns: { vehicle_number: name } });
  expect((await find('van 7')).map(({ title }) => title)).toEqual(['Van 7', 'Van 70', 'Van 71', 'Van 72', 'Van 73']);
  expect((await find('red van')).map(({ title }) => title)).toEqual(['Red Van 7']);
  expect(plow.id).not.toBe(bus.id);
});

test.each(['%', '_', '\\', "'", '"', '😀', '--', 'x'.repeat(100), '() .*', '89:01'])(
  'BLK-04-partial any text is answered: %j',
  async (text) => {
    for (const as of [admin, user, mainPerson]) expect(await find(text, as)).toEqual([]);
  },
);

test('BLK-04-partial no text, a text that is too long, and control characters are rejected with a sentence', async () => {
  for (const text of ['', ' ', '\u200f', 'x'.repeat(101), 'a\u0000b'])
    expect(
      (await app.call('GET', '/data_manager/v1/dm/search', { as: admin, query: { text } })).status,
      JSON.stringify(text),
    ).toBe(400);
});

test('one or two characters are searched in all their cases, a MAC address without its separators', () => {
  expect(searchTextOf('bU').cases.toSorted()).toEqual(['BU', 'Bu', 'bU', 'bu']);
  expect(searchTextOf('1').cases).toEqual(['1']);
  expect(searchTextOf('snow PLOW').cases).toEqual(['snow PLOW', 'snow plow', 'SNOW PLOW', 'Snow plow']);
  expect(numberTextOf('00:b2:d0:56:c2:27').text).toBe('00B2D056C227');
  expect(['Bus 2104', 'Bus 21', 'Old Bus', 'Nimbus'].map((value) => closeness(value, 'bus 21'))).toEqual([1, 0, 3, 3]);
  expect(closeness('Old Bus', 'bus')).toBe(2);
});
