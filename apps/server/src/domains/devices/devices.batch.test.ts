import { makeMac } from '@highline/usp';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { registerRouters } from '../inventory/index.ts';
import { collide } from '../../testing/collide.ts';
import { type TestResponse, useTestApp } from '../../testing/test-app.ts';

const SERIES = '/data_manager/v1/dm/devices/series';
const dates = { started: '01/01/2026', expired: '12/31/2026' };

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let mainPerson: Actor;
let admin: Actor;
let foreignUser: Actor;
let macs = 0;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  const other = (await app.seeding.mainAccount('Abroad')).scope;
  own = await app.seeding.organization(main, 'Own');
  mainPerson = app.person(main, 'main');
  admin = app.person(own, 'admin');
  foreignUser = app.person(other, 'main');
  await stock(main, 'R520', ['B-003', 'B-001', 'B-002', 'B-004', 'B-005', 'B-006']);
  await stock(main, 'R320', ['A-001', 'A-002']);
  await stock(other, 'R520', ['B-0001']);
});

async function stock(scope: MainScope, model: string, serials: readonly string[]): Promise<void> {
  const routers = serials.map((serial) => ({ serial, model, mac: makeMac((macs += 1)) }));
  await app.database.write((tx) => registerRouters(tx, scope, app.person(scope, 'main'), routers, app.clock.now()));
}

const create = (body: object, as = mainPerson, query = {}) =>
  app.call('POST', SERIES, { as, query, body: { org: own.organizationId, model: 'R520', ...dates, ...body } });
const named = ({ json }: TestResponse) =>
  json.result.devices.map((row: { vehicle_number: string; serial_number: string }) => [row.vehicle_number, row.serial_number]);
async function stored(): Promise<string[][]> {
  const { rows } = await app.owner.query<{ vehicle_number: string; serial: string }>(
    'select vehicle_number, serial from devices where organization_id = $1 and archived_at is null order by serial',
    [own.organizationId],
  );
  return rows.map(({ vehicle_number, serial }) => [vehicle_number, serial]);
}

describe('OLD-04-partial a batch of devices', () => {
  test('a dry run returns which router would get which name, and changes nothing', async () => {
    const response = await create({ name: 'Bus ', batch: 2 }, mainPerson, { dryRun: 'true' });
    expect(response.json.result.dryRun).toBe(true);
    expect(named(response)).toEqual([
      ['Bus 1', 'B-001'],
      ['Bus 2', 'B-002'],
    ]);
    expect(await stored()).toEqual([]);
  });

  test('takes the given number of free routers of the model, by serial number from the first one on, named name + number', async () => {
    const group = await app.seeding.group(own, 'Depot');
    await app.takeOutbox();
    const response = await create({ name: 'Bus ', first: '008', batch: 3, serial_number: 'B-002', group });
    expect(response.status, response.text).toBe(200);
    const expected = [
      ['Bus 008', 'B-002'],
      ['Bus 009', 'B-003'],
      ['Bus 010', 'B-004'],
    ];
    expect(named(response)).toEqual(expected);
    expect(await stored()).toEqual(expected);
    const { rows } = await app.owner.query('select distinct group_key, started_on::text, expires_on::text from devices');
    expect(rows).toEqual([{ group_key: group, started_on: '2026-01-01', expires_on: '2026-12-31' }]);
    expect(await app.logOf(own.organizationId)).toContain('Added 3 devices');
    expect((await app.takeOutbox()).map(({ topic }) => topic)).toEqual(['devices', 'groups', 'organizations', 'inventory']);
    // The next batch skips the routers already taken.
    expect(named(await create({ name: 'Van', batch: 2 }, mainPerson, { dryRun: '1' }))).toEqual([
      ['Van1', 'B-001'],
      ['Van2', 'B-005'],
    ]);
  });

  test('what was confirmed is created or nothing: another router in stock changes what the check has shown', async () => {
    const batch = { name: 'Ferry ', batch: 1, model: 'R320' };
    const check = (await create(batch, mainPerson, { dryRun: '1' })).json.result;
    await stock(main, 'R320', ['A-000']);
    const changed = await create(batch, mainPerson, { confirmed: check.confirmation });
    expect(changed.json.error).toMatchObject({ key: 'impact.changed', detail: { devices: [{ serial_number: 'A-000' }] } });
    expect((await stored()).filter(([name]) => name === 'Ferry 1')).toEqual([]);
    for (const other of [{ name: 'Taxi ' }, { expired: '12/31/2027' }])
      expect(
        (await create({ ...batch, ...other }, mainPerson, { confirmed: changed.json.error.detail.confirmation })).status,
      ).toBe(changed.status);
    const created = await create(batch, mainPerson, { confirmed: changed.json.error.detail.confirmation });
    expect(named(created)).toEqual([['Ferry 1', 'A-000']]);
  });

  test.each([
    ['too few in stock', { name: 'Van ', batch: 4 }, 'inventory.too_few', 'batch', 'Device 4 of 4: Van 4'],
    ['a name that is taken', { name: 'Bus ', first: '007', batch: 2 }, 'device.name_taken', 'name', 'Device 2 of 2: Bus 008'],
    [
      'an unknown first router',
      { name: 'Van ', batch: 1, serial_number: 'B-999' },
      'device.serial_unknown',
      'serial_number',
      undefined,
    ],
    [
      "another main account's first router",
      { name: 'Van ', batch: 1, serial_number: 'B-0001' },
      'device.serial_unknown',
      'serial_number',
      undefined,
    ],
    [
      'a first router that is claimed',
      { name: 'Van ', batch: 1, serial_number: 'B-003' },
      'device.duplicate',
      'serial_number',
      undefined,
    ],
    [
      'a first router of another model',
      { name: 'Van ', batch: 1, serial_number: 'A-001' },
      'device.other_model',
      'serial_number',
      undefined,
    ],
    ['a batch over the limit', { name: 'Van ', batch: 1_001 }, 'request.invalid', 'batch', undefined],
    ['a batch of none', { name: 'Van ', batch: 0 }, 'request.invalid', 'batch', undefined],
    [
      'dates in the wrong order',
      { name: 'Van ', batch: 1, expired: '12/31/2025' },
      'device.dates_reversed',
      'expired',
      undefined,
    ],
    ['a group that does not exist', { name: 'Van ', batch: 1, group: newId(0) }, 'group.not_found', 'group', undefined],
  ])('creates none for %s, and names the cause', async (_, body, key, field, reason) => {
    const before = await stored();
    const { error } = (await create(body)).json;
    expect({ key: error.key, field: error.field, reason: error.reason }).toEqual({ key, field, reason });
    expect(await stored()).toEqual(before);
  });

  test('is for the main account that owns the stock: not for an admin, and not for another main account', async () => {
    expect((await create({ name: 'Van ', batch: 1 }, admin)).json.error.key).toBe('permission.denied');
    expect((await create({ name: 'Van ', batch: 1 }, foreignUser)).status).toBe(404);
    const models = await app.call('GET', '/data_manager/v1/dm/inventory/models', { as: mainPerson });
    expect(models.json.result).toEqual([{ model: 'R320' }, { model: 'R520' }]);
  });

  test('two concurrent batches share no router: the later one names the device it could not get', async () => {
    await stock(main, 'R720', ['C-001', 'C-002']);
    const [first, second] = await collide(
      app,
      "select from routers where serial = 'C-001' for update",
      () => create({ model: 'R720', name: 'Car ', batch: 1 }),
      () => create({ model: 'R720', name: 'Cab ', batch: 2 }),
    );
    expect(first.status).toBe(200);
    expect(second.json.error).toMatchObject({ key: 'device.duplicate', reason: 'Device 1 of 2: Cab 1' });
    expect(await stored()).not.toContainEqual(expect.arrayContaining(['C-002']));
  });
});
