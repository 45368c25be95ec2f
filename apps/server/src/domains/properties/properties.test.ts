import { createHash } from 'node:crypto';
import { allOperations } from '@highline/contract/all-operations';
import { properties as calls } from '@highline/contract';
import { makeMac } from '@highline/usp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { collide } from '../../testing/collide.ts';
import { pngOf } from '../../testing/pictures.ts';
import { openTestApp, sorted, type TestApp } from '../../testing/test-app.ts';
import { purgeArchivedDevices } from '../devices/index.ts';
import { pictureTypeOf } from './picture-type.ts';
import { keyOf } from './property-key.ts';

const DM = '/data_manager/v1/dm';
const PROPERTIES = `${DM}/properties`;

let app: TestApp;
let main: MainScope;
let own: OrganizationScope;
let admin: Actor;
let user: Actor;
let routers = 0;

beforeAll(async () => {
  app = await openTestApp();
  await app.owner.query("select ensure_partitions('2026-11-20', '2026-11-23')");
  main = (await app.seeding.mainAccount('Home')).scope;
});
beforeEach(async () => {
  own = await app.seeding.organization(main, `Own ${newId()}`);
  admin = app.person(own, 'admin');
  user = app.person(own, 'user');
  await app.takeOutbox();
});
afterAll(() => app.close());

async function device(): Promise<{ readonly id: string; readonly serial: string }> {
  routers += 1;
  const router = { serial: `PRP${String(routers).padStart(4, '0')}`, mac: makeMac(routers) };
  await app.seeding.routers(main, [router]);
  const [id] = await app.seeding.devices(own, [router]);
  return { id: id!, serial: router.serial };
}

const add = (body: object, as = admin) => app.call('POST', PROPERTIES, { as, body });
const listed = async (as = user) => (await app.call('GET', PROPERTIES, { as })).json.result;
const pathOf = (key: string, id: string) => `${PROPERTIES}/${key}/${id}`;
const set = (key: string, id: string, value: unknown, as = admin, version?: string) =>
  app.call('PATCH', pathOf(key, id), { as, body: { value }, ...basedOn(version) });
const basedOn = (version: string | undefined) => (version === undefined ? {} : { headers: { 'if-match': `"${version}"` } });
const upload = (
  key: string,
  id: string,
  file: string | Uint8Array<ArrayBuffer>,
  as = admin,
  fileName = 'rows.csv',
  version?: string,
) => app.call('POST', `${pathOf(key, id)}/picture`, { as, file, fileName, ...basedOn(version) });
const picture = (key: string, id: string, as = user) => app.call('GET', `${pathOf(key, id)}/picture`, { as });
const screen = (id: string, as = user) => app.call('GET', `${DM}/device/properties`, { as, query: { device: id } });
const stored = async (id: string, as = user): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    ((await screen(id, as)).json.result as calls.DeviceProperty[]).map(({ key, value, picture: shown }) => [key, shown ?? value]),
  );

describe('OLD-02-partial properties of an organization', () => {
  test('an admin adds one of each type, every user sees them by name, and it is logged', async () => {
    const mileage = (await add({ name: 'Mileage (total)', type: 'number', unit: 'km' })).json.result;
    expect(mileage).toEqual({ key: 'mileage_total', name: 'Mileage (total)', type: 'number', unit: 'km' });
    for (const [name, type] of [
      ['Low floor', 'bool'],
      ['Colour', 'string'],
      ['照片', 'picture'],
      ['Axle 10', 'number'],
      ['axle 2', 'number'],
    ])
      expect((await add({ name, type })).status).toBe(200);
    const inOrder = (await listed()).map(({ key, type }: calls.CustomProperty) => [key, type]);
    expect(inOrder).toEqual([
      ['axle_2', 'number'],
      ['axle_10', 'number'],
      ['colour', 'string'],
      ['low_floor', 'bool'],
      ['mileage_total', 'number'],
      ['property', 'picture'],
    ]);
    expect(await app.logOf(own.organizationId)).toContain('Added property Mileage (total)');
    expect((await app.takeOutbox()).map(({ topic }) => topic)).toEqual(Array(6).fill('properties'));
    const ofDevice = (await screen((await device()).id)).json.result;
    expect(ofDevice.map(({ key, type }: calls.DeviceProperty) => [key, type])).toEqual(inOrder);
  });

  test('adding is permanent: no operation removes one, renames it or changes its type', async () => {
    const { key } = (await add({ name: 'Colour', type: 'string' })).json.result;
    const writes = allOperations.filter(({ id, method }) => id.startsWith('properties.') && method !== 'GET').map(({ id }) => id);
    expect(writes).toEqual(['properties.add', 'properties.set', 'properties.upload']);
    for (const method of ['DELETE', 'PATCH', 'PUT'] as const)
      expect((await app.call(method, `${PROPERTIES}/${key}`, { as: admin, body: { name: 'X', type: 'bool' } })).status).toBe(404);
    expect(await listed()).toEqual([{ key, name: 'Colour', type: 'string', unit: '' }]);
  });

  test('rejects a name that is taken, an unknown type, a unit of a type other than number, and callers who are not admins', async () => {
    await add({ name: 'Colour', type: 'string' });
    const keys = async (body: object, as = admin) => (await add(body, as)).json.error.key;
    expect(await keys({ name: 'Colour', type: 'bool' })).toBe('property.name_taken');
    expect(await keys({ name: 'Size', type: 'date' })).toBe('request.invalid');
    expect(await keys({ name: ' ', type: 'bool' })).toBe('request.invalid');
    expect(await keys({ name: 'Size', type: 'string', unit: 'm' })).toBe('request.invalid');
    expect(await keys({ name: 'Size', type: 'bool' }, user)).toBe('permission.denied');
    expect(await listed()).toHaveLength(1);
  });

  test('there are 32 at most, also when two users concurrently add the last one', async () => {
    for (let count = 1; count < 32; count += 1) await add({ name: `No. ${count}`, type: 'bool' });
    const both = await collide(
      app,
      `select from organizations where id = '${own.organizationId}' for update`,
      () => add({ name: 'Last', type: 'bool' }),
      () => add({ name: 'One more', type: 'bool' }),
    );
    expect(sorted(both.map(({ status }) => status))).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.json.error.key).toBe('property.too_many');
    expect(await listed()).toHaveLength(32);
  });

  test.each([
    ['Türen (vorn)', [], 'turen_vorn'],
    ['  --  ', [], 'property'],
    ['Colour', ['colour', 'colour_2'], 'colour_3'],
    ['a'.repeat(60), [], 'a'.repeat(40)],
  ])('the key of %j with %j taken is derived from it and unique', (name, taken, key) => {
    expect(keyOf(name, new Set(taken))).toBe(key);
  });
});

describe('OLD-02-partial the values of a device', () => {
  test('bool, number and string are set, replaced and removed, with before and after in the log', async () => {
    const bus = await device();
    for (const [name, type] of [
      ['Low floor', 'bool'],
      ['Mileage', 'number'],
      ['Colour', 'string'],
    ])
      await add({ name, type });
    expect(await stored(bus.id)).toEqual({ low_floor: null, mileage: null, colour: null });
    await app.takeOutbox();
    expect((await set('mileage', bus.id, -12.5)).json.result).toMatchObject({ key: 'mileage', value: -12.5, picture: null });
    await set('low_floor', bus.id, true);
    expect((await set('low_floor', bus.id, null)).json.result.value).toBeNull();
    await set('low_floor', bus.id, false);
    await set('colour', bus.id, 'Red');
    await set('colour', bus.id, 'Blue');
    // Nothing changes: no log entry.
    await set('colour', bus.id, 'Blue');
    expect(await stored(bus.id)).toEqual({ low_floor: false, mileage: -12.5, colour: 'Blue' });
    await set('colour', bus.id, '');
    expect(await stored(bus.id)).toEqual({ low_floor: false, mileage: -12.5, colour: null });
    expect((await app.takeOutbox()).map(({ topic, ids }) => `${topic} ${ids.join()}`)).toEqual(
      Array(7).fill(`properties ${bus.id}`),
    );
    const { rows } = await app.owner.query<{ detail: { before: unknown; after: unknown } }>(
      'select detail from audit_entries where subject_id = $1 and action = $2 order by seq',
      [bus.id, `Set Colour of device ${bus.serial}`],
    );
    expect(rows.map(({ detail }) => [detail.before, detail.after])).toEqual([
      [null, 'Red'],
      ['Red', 'Blue'],
      ['Blue', null],
    ]);
  });

  test.each([
    ['bool', 'true'],
    ['bool', 1],
    ['number', '12'],
    ['string', 12],
    ['string', 'x'.repeat(501)],
    ['picture', 'me.png'],
  ])('a %s does not take %j', async (type, value) => {
    const bus = await device();
    await add({ name: 'Any', type });
    expect((await set('any', bus.id, value)).json.error).toMatchObject({ key: 'request.invalid', field: 'value' });
    expect(await stored(bus.id)).toEqual({ any: null });
  });

  test('the type of a picture comes from its bytes: it is stored, served with that type, replaced and removed', async () => {
    const bus = await device();
    await add({ name: 'Photo', type: 'picture' });
    expect((await picture('photo', bus.id)).json.error.key).toBe('property.picture_missing');
    const first = pngOf('first <script>');
    const sha256 = createHash('sha256').update(first).digest('hex');
    expect((await upload('photo', bus.id, first, admin, 'page.html')).json.result.picture).toEqual({
      type: 'image/png',
      size: first.length,
      sha256,
    });
    const shown = await picture('photo', bus.id);
    expect(shown.bytes.equals(Buffer.from(first))).toBe(true);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    await upload('photo', bus.id, Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]));
    expect((await picture('photo', bus.id)).headers['content-type']).toBe('image/jpeg');
    expect((await set('photo', bus.id, null)).json.result.picture).toBeNull();
    expect((await picture('photo', bus.id)).status).toBe(404);
    const { rows } = await app.owner.query('select from device_properties where device_id = $1', [bus.id]);
    expect(rows).toEqual([]);
  });

  test('a save based on an outdated version is 412 with the current values; one without a version is accepted', async () => {
    const bus = await device();
    await add({ name: 'Colour', type: 'string' });
    await add({ name: 'Photo', type: 'picture' });
    const [colour, photo] = (await screen(bus.id)).json.result as calls.DeviceProperty[];
    const red = (await set('colour', bus.id, 'Red', admin, colour!.version)).json.result;
    expect((await set('colour', bus.id, 'Blue')).status).toBe(200);
    const stale = await set('colour', bus.id, 'Green', admin, red.version);
    expect([stale.status, stale.json.error.key, stale.json.error.detail.value]).toEqual([412, 'conflict.stale', 'Blue']);
    const after = await set('colour', bus.id, 'Green', admin, stale.json.error.detail.version);
    expect([after.json.result.value, after.headers.etag]).toEqual(['Green', `"${after.json.result.version}"`]);

    const sent = (name: string, version: string) => upload('photo', bus.id, pngOf(name), admin, 'a.png', version);
    const first = await sent('first', photo!.version);
    expect([first.status, first.headers.etag]).toEqual([200, `"${first.json.result.version}"`]);
    const late = await sent('second', photo!.version);
    expect([late.status, late.json.error.detail.picture]).toEqual([412, first.json.result.picture]);
    expect((await set('photo', bus.id, null, admin, photo!.version)).status).toBe(412);
    expect((await sent('second', first.json.result.version)).status).toBe(200);
  });

  test('the pictures of an organization have 256 MiB together, also when two users add concurrently, and a replaced one does not count', async () => {
    const [bus, tram] = [await device(), await device()];
    await add({ name: 'Photo', type: 'picture' });
    const small = pngOf('small');
    await upload('photo', bus.id, small);
    // As many declared bytes as leave space for one more of them.
    const much = calls.MOST_PICTURE_BYTES - 2 * small.length;
    const ghost = await device();
    await app.owner.query(
      `insert into device_properties (organization_id, device_id, property_key, picture, picture_type, picture_size, picture_sha256, updated_at)
       values ($1, $2, 'photo', '', 'image/png', $3, '', now())`,
      [own.organizationId, ghost.id, much],
    );
    const third = await device();
    const both = await collide(
      app,
      `select from organizations where id = '${own.organizationId}' for update`,
      () => upload('photo', tram.id, small),
      () => upload('photo', third.id, small),
    );
    expect(sorted(both.map(({ status }) => status))).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.json.error).toMatchObject({
      key: 'property.pictures_full',
      field: 'picture',
    });
    expect((await upload('photo', bus.id, pngOf('other'))).status).toBe(200);
    expect((await upload('photo', bus.id, pngOf('larger'))).status).toBe(409);
    await set('photo', ghost.id, null);
    expect((await upload('photo', bus.id, pngOf('larger'))).status).toBe(200);
  });

  test('a file that is not a picture, one that is too large, and one for another type of property are rejected', async () => {
    const bus = await device();
    await add({ name: 'Photo', type: 'picture' });
    await add({ name: 'Colour', type: 'string' });
    const key = async (...args: Parameters<typeof upload>) => (await upload(...args)).json.error.key;
    expect(await key('photo', bus.id, '<svg onload="alert(1)"/>', admin, 'photo.png')).toBe('property.picture_type');
    expect(await key('photo', bus.id, '')).toBe('property.picture_type');
    const large = new Uint8Array(calls.MAX_PICTURE_BYTES + 1);
    large.set(pngOf(''));
    expect(await key('photo', bus.id, large)).toBe('property.picture_too_large');
    expect(await key('colour', bus.id, pngOf(''))).toBe('request.invalid');
    expect(await key('photo', bus.id, pngOf(''), user)).toBe('permission.denied');
    expect((await upload('photo', bus.id, large.slice(0, calls.MAX_PICTURE_BYTES))).status).toBe(200);
  });

  test('WebP is recognized by two markers in its first twelve bytes', () => {
    const webp = Buffer.from('RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'latin1');
    expect(pictureTypeOf(webp)).toBe('image/webp');
    expect(pictureTypeOf(Buffer.from('RIFF\u0001\u0002\u0003\u0004WAVEfmt ', 'latin1'))).toBeUndefined();
    expect(pictureTypeOf(webp.subarray(0, 11))).toBeUndefined();
  });

  test('a user may not read or set anything, the main account may read, and other organizations find nothing', async () => {
    const bus = await device();
    await add({ name: 'Colour', type: 'string' });
    await add({ name: 'Photo', type: 'picture' });
    await set('colour', bus.id, 'Red');
    await upload('photo', bus.id, pngOf('bus'));
    expect((await set('colour', bus.id, 'Blue', user)).json.error.key).toBe('permission.denied');
    expect(await stored(bus.id, app.person(main, 'main'))).toMatchObject({ colour: 'Red' });

    const unrelated = app.person(await app.seeding.organization(main, `Other ${newId()}`), 'admin');
    await add({ name: 'Colour', type: 'string' }, unrelated);
    const responses = [
      await screen(bus.id, unrelated),
      await picture('photo', bus.id, unrelated),
      await set('colour', bus.id, 'Blue', unrelated),
      await upload('photo', bus.id, pngOf('mine'), unrelated),
      await screen('nonsense'),
      await set('nonsense', bus.id, true),
      await upload('nonsense', bus.id, pngOf('')),
    ];
    expect(responses.map(({ status }) => status)).toEqual(Array(7).fill(404));
    expect(await stored(bus.id)).toMatchObject({ colour: 'Red', photo: { type: 'image/png' } });
  });

  test('it stays behind when the device moves to another organization, and is deleted with the device', async () => {
    const [bus, tram] = [await device(), await device()];
    await add({ name: 'Colour', type: 'string' });
    await set('colour', bus.id, 'Red');
    await set('colour', tram.id, 'Green');
    const target = await app.seeding.organization(main, `Next ${newId()}`);
    const receiver = app.person(target, 'admin');
    await add({ name: 'Colour', type: 'string' }, receiver);
    const body = { target: target.organizationId, serials: [bus.serial] };
    expect((await app.call('POST', `${DM}/org/device`, { as: app.person(main, 'main'), body })).status).toBe(200);
    expect(await stored(bus.id, receiver)).toEqual({ colour: null });
    expect((await screen(bus.id)).status).toBe(404);

    await app.owner.query("update devices set archived_at = '2020-01-01' where id = $1", [tram.id]);
    await purgeArchivedDevices(app.database, app.clock.now());
    const { rows } = await app.owner.query('select from device_properties where device_id = any ($1)', [[bus.id, tram.id]]);
    expect(rows).toEqual([]);
  });
});
