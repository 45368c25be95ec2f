import { makeMac } from '@highline/usp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const DEVICES = '/data_manager/v1/dm/devices';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let foreignUser: MainScope;
let mainPerson: Actor;
let admin: Actor;
let user: Actor;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
  own = await app.seeding.organization(main, 'Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  mainPerson = app.person(main, 'main');
  admin = app.person(own, 'admin');
  user = app.person(own, 'user');
});

let count = 0;
let serial: string;
let mac: string;
let routerId: string;

/** A router in stock for each test. */
beforeEach(async () => {
  ({ serial, mac, routerId } = await stock());
  await app.takeOutbox();
});

async function stock(scope = main) {
  count += 1;
  const router = { serial: `SN${String(count).padStart(4, '0')}`, mac: makeMac(count) };
  const [registered] = await app.seeding.routers(scope, [router]);
  return { ...router, routerId: registered!.id };
}

const dates = { started: '01/01/2026', expired: '12/31/2026' };
const add = (as: Actor, devices: object[], org?: string) =>
  app.call('POST', DEVICES, { as, body: { devices, ...(org === undefined ? {} : { org }) } });
const devicesOf = async (scope: OrganizationScope) => {
  const { rows } = await app.owner.query<{ serial: string }>(
    'select serial from devices where organization_id = $1 and archived_at is null',
    [scope.organizationId],
  );
  return rows.map((row) => row.serial);
};

describe('adding a device by hand', () => {
  test('DEV-05-partial an admin adds a device: it is in the default group, its MAC in capitals, its days as typed', async () => {
    const response = await add(admin, [{ serial_number: serial, mac: mac.toLowerCase(), ...dates }]);
    expect(response.status).toBe(200);
    expect(response.json.result).toHaveLength(1);
    expect(response.json.result[0]).toMatchObject({
      serial_number: serial,
      mac,
      group: 'default+group+id',
      group_name: 'default',
      started: '01/01/2026',
      expired: '12/31/2026',
      subscription_status: 'In Warranty',
      org: own.organizationId,
      projectName: 'Own',
      device_type_id: 'highline-router',
      field_value: false,
      presence: 'offline',
      vehicle_number: '',
      properties: [],
      udid: `os::00B2D0-${serial}`,
    });
  });

  test('DEV-05-partial the change is logged and announced to the consoles of the organization and its main account', async () => {
    const { json } = await add(admin, [{ serial_number: serial.toLowerCase(), mac, ...dates }]);
    const id = json.result[0].device as string;
    expect(await app.logOf(own.organizationId)).toContain(`Added device ${serial}`);
    expect(await app.takeOutbox()).toMatchObject([
      { topic: 'devices', organization_id: own.organizationId, ids: [id] },
      { topic: 'groups', organization_id: own.organizationId },
      { topic: 'organizations', organization_id: own.organizationId },
      { topic: 'inventory', organization_id: null },
    ]);
  });

  test('DEV-05-partial the main account adds to the organization it names, and must name one', async () => {
    expect((await add(mainPerson, [{ serial_number: serial, mac, ...dates }])).json.error).toMatchObject({
      key: 'request.org_required',
      message: 'Please select an org',
    });
    expect((await add(mainPerson, [{ serial_number: serial, mac, ...dates }], sibling.organizationId)).status).toBe(200);
    expect(await devicesOf(sibling)).toContain(serial);
    expect(await app.logOf(sibling.organizationId)).toContain(`Added device ${serial}`);
  });

  test('DEV-05-partial a user may not add devices', async () => {
    expect((await add(user, [{ serial_number: serial, mac, ...dates }])).json.error).toMatchObject({ key: 'permission.denied' });
    expect(await devicesOf(own)).not.toContain(serial);
  });

  test.each([
    ['colons', (text: string) => text.match(/../gu)!.join(':')],
    ['hyphens', (text: string) => text.match(/../gu)!.join('-')],
    ['dots', (text: string) => text.match(/..../gu)!.join('.')],
    ['blanks and lower case', (text: string) => ` ${text.toLowerCase().match(/../gu)!.join(' ')} `],
  ])('DEV-05-partial a MAC is accepted in any notation: %s', async (_, write) => {
    const response = await add(admin, [{ serial_number: serial, mac: write(mac), ...dates }]);
    expect(response.json.result[0].mac).toBe(mac);
  });

  test('DEV-05-partial a group of the organization is accepted, also when the plus signs of its key arrive as spaces', async () => {
    const key = await app.seeding.group(own, `Depot ${serial}`);
    const second = await stock();
    const response = await add(admin, [
      { serial_number: serial, mac, ...dates, group: key },
      { serial_number: second.serial, mac: second.mac, ...dates, group: 'default group id' },
    ]);
    expect(response.json.result.map((device: { group_name: string }) => device.group_name)).toEqual([
      `Depot ${serial}`,
      'default',
    ]);
  });

  test("DEV-05-partial another organization's group does not exist here", async () => {
    const foreign = await app.seeding.group(sibling, `Depot ${serial}`);
    const response = await add(admin, [{ serial_number: serial, mac, ...dates, group: foreign }]);
    expect([response.status, response.json.error.key]).toEqual([404, 'group.not_found']);
    expect(await devicesOf(own)).not.toContain(serial);
  });

  test('DEV-09-partial earlier reports of the router, and its connection, appear in its new device at once', async () => {
    const reported = {
      model: 'HL-R520',
      firmware: '2.8.1',
      carrier: 'Verizon',
      iccid: '89148000000000000001',
      booted_at: '2026-11-20T11:00:00Z',
      config: 'x'.repeat(10_000),
      config_version: '9f86d081',
    };
    await app.owner.query("update routers set presence = 'online', presence_since = $2, reported = $3 where id = $1", [
      routerId,
      '2026-11-20T11:30:00Z',
      JSON.stringify(reported),
    ]);
    await app.owner.query('insert into router_contacts values ($1, $2, -71.5)', [routerId, '2026-11-20T11:30:00Z']);
    const { result } = (await add(admin, [{ serial_number: serial, mac, ...dates }])).json;
    expect(result[0]).toMatchObject({
      field_value: true,
      presence_since: Date.parse('2026-11-20T11:30:00Z') / 1_000,
      cellular_mno: 'Verizon',
      cellular_iccid: '89148000000000000001',
      cellular_rssi: -71.5,
      cellular_imsi: null,
    });
    expect(
      Object.fromEntries(result[0].properties.map(({ id, value }: { id: string; value: string }) => [id, value])),
    ).toMatchObject({
      model: 'HL-R520',
      firmware: '2.8.1',
      uptime: '3600',
    });
    const { rows } = await app.owner.query('select config_version from devices where router_id = $1', [routerId]);
    expect(rows).toEqual([{ config_version: '9f86d081' }]);
  });
});

describe('a device that cannot be added', () => {
  const rejected = async (as: Actor, device: object) => {
    const before = await devicesOf(own);
    const { status, json } = await add(as, [device]);
    expect(await devicesOf(own)).toEqual(before);
    return { status, ...json.error };
  };

  test('DEV-06-partial an unknown serial number is named by code -6', async () => {
    expect(await rejected(admin, { serial_number: 'UNKNOWN', mac, ...dates })).toMatchObject({
      status: 400,
      code: -6,
      message: 'Incorrect serial number',
      field: 'serial_number',
      detail: 'serial',
    });
  });

  test.each([
    ["another router's", makeMac(999_999)],
    ['no MAC at all', 'ZZ'],
  ])('DEV-06-partial %s MAC address is named by code -6', async (_, wrong) => {
    expect(await rejected(admin, { serial_number: serial, mac: wrong, ...dates })).toMatchObject({
      status: 400,
      code: -6,
      message: 'Incorrect MAC address',
      field: 'mac',
      detail: 'mac',
    });
  });

  test('DEV-06-partial a router of another main account is answered like an unknown one, whatever its MAC', async () => {
    const foreign = await stock(foreignUser);
    const unknown = await rejected(admin, { serial_number: 'UNKNOWN', mac: foreign.mac, ...dates });
    expect(await rejected(admin, { serial_number: foreign.serial, mac: foreign.mac, ...dates })).toEqual(unknown);
    expect(await rejected(admin, { serial_number: foreign.serial, mac, ...dates })).toEqual(unknown);
  });

  test('DEV-06-partial a claimed router is answered alike whichever organization has it', async () => {
    const other = await stock();
    await add(admin, [{ serial_number: serial, mac, ...dates }]);
    await add(mainPerson, [{ serial_number: other.serial, mac: other.mac, ...dates }], sibling.organizationId);
    const mine = await rejected(admin, { serial_number: serial, mac, ...dates });
    expect(mine).toMatchObject({ status: 409, code: -6, message: 'find device error ', detail: 'other' });
    expect(await rejected(admin, { serial_number: other.serial, mac: other.mac, ...dates })).toEqual(mine);
  });

  test('DEV-06-partial only a caller who knows its MAC learns that a router is claimed', async () => {
    await add(mainPerson, [{ serial_number: serial, mac, ...dates }], sibling.organizationId);
    expect(await rejected(admin, { serial_number: serial, mac: makeMac(999_999), ...dates })).toMatchObject({ detail: 'mac' });
  });

  test.each([
    ['02/30/2026', '12/31/2026', 'request.invalid', 'started'],
    ['01/01/2026', '13/01/2026', 'request.invalid', 'expired'],
    ['', '12/31/2026', 'request.invalid', 'started'],
    ['01/02/2026', '01/01/2026', 'device.dates_reversed', 'expired'],
  ])('DEV-06-partial the days %j to %j are rejected: %s at %s', async (started, expired, key, field) => {
    expect(await rejected(admin, { serial_number: serial, mac, started, expired })).toMatchObject({ status: 400, key, field });
  });

  test.each(['<script>alert(1)</script>', '=1+1', '\u202egnp', '🚌', "'; drop table devices --", 'token'])(
    'DEV-06-partial the serial number %j is unknown like any other, and is not repeated in the answer',
    async (hostile) => {
      const response = await rejected(admin, { serial_number: hostile, mac, ...dates });
      expect(response).toMatchObject({ status: 400, message: 'Incorrect serial number' });
      expect(JSON.stringify(response)).not.toContain(hostile);
    },
  );

  test('DEV-06-partial a serial number of 10,000 characters is rejected', async () => {
    expect(await rejected(admin, { serial_number: 'x'.repeat(10_000), mac, ...dates })).toMatchObject({ key: 'request.invalid' });
  });

  test('DEV-05-partial several devices are added all or none, and the error names the failed one', async () => {
    const response = await add(admin, [
      { serial_number: serial, mac, ...dates },
      { serial_number: 'UNKNOWN', mac, ...dates },
    ]);
    expect(response.json.error).toMatchObject({ message: 'Incorrect serial number', reason: 'Device 2 of 2' });
    expect(await devicesOf(own)).not.toContain(serial);
    const { rows } = await app.owner.query('select device_id from routers where id = $1', [routerId]);
    expect(rows[0].device_id).toBeNull();
    expect(await app.takeOutbox()).toEqual([]);
  });

  test('DEV-06-partial one router twice in a call is a duplicate', async () => {
    const twice = { serial_number: serial, mac, ...dates };
    expect((await add(admin, [twice, twice])).json.error).toMatchObject({ key: 'device.duplicate', reason: 'Device 2 of 2' });
  });

  test('DEV-06-partial of two concurrent claims exactly one succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const router = await stock();
      const device = { serial_number: router.serial, mac: router.mac, ...dates };
      const responses = await Promise.all([
        add(admin, [device]),
        add(mainPerson, [device], sibling.organizationId),
        add(admin, [device]),
        add(mainPerson, [device], sibling.organizationId),
      ]);
      expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409, 409, 409]);
      const { rows } = await app.owner.query('select organization_id from devices where serial = $1', [router.serial]);
      expect(rows).toHaveLength(1);
      const { rows: held } = await app.owner.query('select organization_id from router_ownership where router_id = $1', [
        router.routerId,
      ]);
      expect(held).toEqual(rows);
    }
  });

  test('DEV-05-partial two lists of the same routers in opposite orders do not deadlock', async () => {
    const routers = await Promise.all(Array.from({ length: 20 }, () => stock()));
    const list = routers.map((router) => ({ serial_number: router.serial, mac: router.mac, ...dates }));
    const responses = await Promise.all([add(admin, list), add(mainPerson, list.toReversed(), sibling.organizationId)]);
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409]);
  });
});
