import { makeMac } from '@highline/usp';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { routersNamed } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';
import { hashRouterSecret } from './index.ts';

const INVENTORY = '/data_manager/v1/dm/inventory';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let person: Actor;
let unrelated: Actor;

beforeEach(async () => {
  app.clock.set('2026-11-20T12:00:00Z');
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  person = app.person(main, 'main');
  unrelated = app.person((await app.seeding.mainAccount('Abroad')).scope, 'main');
  app.disconnected.length = 0;
});

const fresh = routersNamed('INV');
const add = (as: Actor, { serial, ...more }: { serial: string; mac: string; model?: string; endpointId?: string }) =>
  app.call('POST', INVENTORY, { as, body: { serial_number: serial, ...more } });
const list = (as: Actor, query: Record<string, string | number> = {}) =>
  app.call('GET', INVENTORY, { as, query: { limit: 50, ...query } });
const secretsOf = async (id: string) =>
  (await app.owner.query('select secret_hash, previous_secret_hash, previous_secret_until from routers where id = $1', [id]))
    .rows[0];

describe('the inventory of a main account', () => {
  test('DEV-05-partial a router is added with a secret of 256 bits that is shown once and stored as its hash', async () => {
    const router = fresh();
    const { status, json } = await add(person, {
      ...router,
      mac: router.mac.toLowerCase().match(/../gu)!.join(':'),
      model: 'HL-R520',
    });
    expect(status).toBe(200);
    const { id, secret } = json.result;
    expect(json.result).toMatchObject({
      serial_number: router.serial,
      mac: router.mac,
      model: 'HL-R520',
      endpointId: `os::00B2D0-${router.serial}`,
      org: null,
      device: null,
      presence: 'offline',
      previousSecretUntil: null,
      url: `wss://cloud.test/usp/${secret}?eid=os%3A%3A00B2D0-${router.serial}`,
      controllerId: 'self::highline',
    });
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect((await secretsOf(id)).secret_hash).toEqual(hashRouterSecret(secret));
    const everything = [await list(person), await app.call('GET', `${INVENTORY}/export`, { as: person })]
      .map(({ text }) => text)
      .join();
    const { rows } = await app.owner.query('select string_agg(e.detail::text || e.action, $1) as log from audit_entries e', [
      ' ',
    ]);
    expect(everything).toContain(router.serial);
    expect(everything + rows[0].log).not.toContain(secret);
    expect((await app.logOf(main.mainAccountId)).at(-1)).toBe(`Added router ${router.serial} to the inventory`);
  });

  test('DEV-05-partial a serial or MAC of our own inventory is named; one registered elsewhere is not', async () => {
    const router = fresh();
    await add(person, router);
    const mine = await add(person, { serial: router.serial, mac: fresh().mac });
    expect([mine.status, mine.json.error.key, mine.json.error.field]).toEqual([409, 'inventory.serial_taken', 'serial_number']);
    const mac = await add(person, { serial: fresh().serial, mac: router.mac });
    expect([mac.status, mac.json.error.key, mac.json.error.field]).toEqual([409, 'inventory.mac_taken', 'mac']);
    const elsewhere = await add(unrelated, { serial: router.serial, mac: fresh().mac });
    expect([elsewhere.status, elsewhere.json.error.key, elsewhere.json.error.field]).toEqual([
      409,
      'inventory.taken_elsewhere',
      undefined,
    ]);
    expect((await add(unrelated, { serial: fresh().serial, mac: router.mac })).json).toEqual(elsewhere.json);
    expect((await add(unrelated, { ...fresh(), endpointId: `os::00B2D0-${router.serial}` })).json).toEqual(elsewhere.json);
  });

  test('DEV-05-partial a caller who adds many routers of others is stopped, and successes reveal nothing more', async () => {
    const router = fresh();
    await add(person, router);
    const guess = () => add(unrelated, { serial: router.serial, mac: fresh().mac });
    for (let count = 0; count < 50; count++) expect((await guess()).status).toBe(409);
    const stopped = await guess();
    expect([stopped.status, stopped.json.error.key]).toEqual([429, 'inventory.too_many_collisions']);
    expect((await add(unrelated, fresh())).json).toEqual(stopped.json);
    const file = `SN,MAC\n${fresh().serial},${fresh().mac}\n`;
    expect((await app.call('POST', `${INVENTORY}/batch`, { as: unrelated, file, query: { dryRun: '1' } })).status).toBe(429);
    expect((await add(person, fresh())).status).toBe(200);
    app.clock.set('2026-11-20T13:00:01Z');
    expect((await add(unrelated, fresh())).status).toBe(200);
  });

  test('DEV-05-partial a file full of routers of others is rejected as a whole, before it is written and without saying which', async () => {
    const taken = Array.from({ length: 51 }, fresh);
    await app.seeding.routers(main, taken);
    const own = fresh();
    const file = ['SN,MAC', ...[own, ...taken].map(({ serial, mac }) => `${serial},${mac}`)].join('\n');
    const { status, json } = await app.call('POST', `${INVENTORY}/batch`, { as: unrelated, file });
    expect([status, json.error.key]).toEqual([429, 'inventory.too_many_collisions']);
    expect(JSON.stringify(json)).not.toContain(taken[0]!.serial);
    expect((await list(unrelated)).json.total).toBe(0);
  });

  test('DEV-05-partial of two concurrent entries of one serial exactly one is stored', async () => {
    const { serial } = fresh();
    const responses = await Promise.all([
      add(person, { serial, mac: fresh().mac }),
      add(unrelated, { serial, mac: fresh().mac }),
    ]);
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409]);
  });

  test.each([
    ['', makeMac(1), 'serial_number'],
    ['with blank', makeMac(1), 'serial_number'],
    ['<script>', makeMac(1), 'serial_number'],
    ['=1+1', makeMac(1), 'serial_number'],
    ['x'.repeat(44), makeMac(1), 'serial_number'],
    ['FINE', 'ZZ', 'mac'],
    ['FINE', '00B2D00000010', 'mac'],
  ])('DEV-05-partial the serial %j with the MAC %j is rejected at %s', async (serial, mac, field) => {
    const { status, json } = await add(person, { serial, mac });
    expect([status, json.error.key, json.error.field]).toEqual([400, 'request.invalid', field]);
  });

  test('DEV-05-partial the longest serial still fits an endpoint id', async () => {
    expect((await add(person, { serial: `${'x'.repeat(38)}${fresh().serial.slice(-5)}`, mac: fresh().mac })).status).toBe(200);
  });

  test('OGL-01-partial only the main account sees its inventory, and no other main account does', async () => {
    const router = fresh();
    await add(person, router);
    expect((await list(person)).json).toMatchObject({ total: 1, result: [{ serial_number: router.serial }] });
    expect((await list(unrelated)).json).toMatchObject({ total: 0, result: [] });
    for (const role of ['admin', 'user'] as const) expect((await list(app.person(own, role))).status).toBe(403);
  });

  test('SHR-02-partial the inventory is searched, filtered, sorted and paged', async () => {
    const [a, b, c] = [fresh(), fresh(), fresh()];
    await add(person, { ...a, model: 'HL-R520' });
    await add(person, { ...b, model: 'HL-R320' });
    await add(person, { ...c, model: 'HL-R520' });
    await app.seeding.devices(own, [b]);
    const found = async (query: Record<string, string | number>) =>
      (await list(person, query)).json.result.map((row: { serial_number: string }) => row.serial_number);
    expect(await found({})).toEqual([a.serial, b.serial, c.serial]);
    expect(await found({ sort: '-mac' })).toEqual([c.serial, b.serial, a.serial]);
    expect(await found({ sort: 'model' })).toEqual([b.serial, a.serial, c.serial]);
    expect((await found({ sort: 'organization' }))[0]).toBe(b.serial);
    expect((await found({ sort: '-organization' }))[0]).toBe(b.serial);
    expect(await found({ sort: '-created' })).toHaveLength(3);
    expect(await found({ claimed: 'claimed' })).toEqual([b.serial]);
    expect(await found({ claimed: 'unclaimed' })).toEqual([a.serial, c.serial]);
    expect(await found({ search: b.serial.slice(3) })).toEqual([b.serial]);
    expect(await found({ search: b.mac.toLowerCase().match(/../gu)!.join('-'), field: 'mac' })).toEqual([b.serial]);
    expect(await found({ search: 'R520', field: 'model' })).toEqual([a.serial, c.serial]);
    expect(await found({ search: 'Own', field: 'organization' })).toEqual([b.serial]);
    const first = await list(person, { limit: 2 });
    const second = await list(person, { limit: 2, cursor: first.json.next });
    expect(second.json).toMatchObject({ offset: 2, total: 3, next: null, result: [{ serial_number: c.serial }] });
    expect((await list(person, { limit: 2, cursor: second.json.previous })).json.result).toEqual(first.json.result);
    expect((await list(person, { limit: 2, around: second.json.result[0].id })).json.offset).toBe(2);
    expect((await list(unrelated, { limit: 2, cursor: first.json.next })).json.error).toMatchObject({
      key: 'request.invalid',
      field: 'cursor',
    });
    expect((await app.call('GET', INVENTORY, { as: person, query: { sort: '-serial' } })).json).toMatchObject({
      total: 3,
      result: [
        { serial_number: c.serial },
        { serial_number: b.serial, org: { id: own.organizationId, name: 'Own' } },
        { serial_number: a.serial },
      ],
    });
  });

  test("SHR-08-partial the inventory as CSV has its columns in both languages and times in the reader's zone", async () => {
    const router = { serial: '112233445E66', mac: '112233445566' };
    await add(person, router);
    const csv = await app.call('GET', `${INVENTORY}/export`, { as: person, query: { zone: 'America/New_York' } });
    expect(csv.headers['content-disposition']).toBe('attachment; filename="Inventory_export.csv"');
    expect(csv.text.split('\r\n')).toEqual([
      '\ufeffSerial Number,MAC,Model,Endpoint ID,Organization,Online Status,Last contact,Added',
      "'112233445E66,'112233445566,,os::112233-112233445E66,In stock,Offline,,11/20/2026 07:00:00",
      '',
    ]);
    const chinese = await app.call('GET', `${INVENTORY}/export`, { as: person, query: { language: 'zh-TW' } });
    expect(chinese.text).toContain('序號');
    expect(chinese.text).toMatch(/\b\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d/u);
    expect((await app.call('GET', `${INVENTORY}/export`, { as: person, query: { zone: 'x/y' } })).status).toBe(400);
  });
});

describe('secrets of routers', () => {
  test('DEV-05-partial after a rotation the old secret is valid as long as the new one was not used, which is shown once', async () => {
    const { id, secret: old } = (await add(person, fresh())).json.result;
    const rotated = (await app.call('POST', `${INVENTORY}/${id}/secret`, { as: person })).json.result;
    expect(rotated.secret).not.toBe(old);
    expect(rotated.url).toContain(rotated.secret);
    expect(rotated).toMatchObject({ previousSecretUntil: null, awaitsSecretUse: true });
    expect(await secretsOf(id)).toMatchObject({
      secret_hash: hashRouterSecret(rotated.secret),
      previous_secret_hash: hashRouterSecret(old),
    });
    app.clock.set('2026-12-20T12:00:00Z');
    expect((await list(person)).json.result[0]).toMatchObject({ previousSecretUntil: null, awaitsSecretUse: true });
  });

  test('DEV-05-partial the old secret is ended at once, with an entry of the log, and the connection with it', async () => {
    const router = fresh();
    const { id, secret: old } = (await add(person, router)).json.result;
    const end = (as: Actor) => app.call('DELETE', `${INVENTORY}/${id}/secret/previous`, { as });
    await app.call('POST', `${INVENTORY}/${id}/secret`, { as: person });
    expect((await end(unrelated)).status).toBe(404);
    expect((await secretsOf(id)).previous_secret_hash).toEqual(hashRouterSecret(old));
    expect((await end(person)).json.result).toMatchObject({ previousSecretUntil: null, awaitsSecretUse: false });
    expect((await secretsOf(id)).previous_secret_hash).toBeNull();
    expect(app.disconnected).toEqual([id]);
    expect((await app.logOf(main.mainAccountId)).at(-1)).toBe(`Ended the former secret of router ${router.serial}`);
    expect((await end(person)).status).toBe(200);
    expect(app.disconnected).toEqual([id]);
  });

  test('DEV-05-partial the secret of another main account cannot be rotated', async () => {
    const { id } = (await add(person, fresh())).json.result;
    const before = await secretsOf(id);
    for (const wrong of [id, newId(), 'x']) {
      expect((await app.call('POST', `${INVENTORY}/${wrong}/secret`, { as: wrong === id ? unrelated : person })).status).toBe(
        404,
      );
    }
    expect(await secretsOf(id)).toEqual(before);
  });
});

describe('removing routers from the inventory', () => {
  const remove = (as: Actor, ids: readonly string[]) => app.call('DELETE', INVENTORY, { as, body: { routers: ids } });
  const left = async () => (await list(person)).json.total as number;

  test('DEV-04-partial routers in stock are removed, with their secrets and their connections', async () => {
    const [a, b] = [(await add(person, fresh())).json.result, (await add(person, fresh())).json.result];
    expect((await remove(person, [a.id, b.id])).json.result).toEqual({ deleted: 2 });
    expect(await left()).toBe(0);
    expect(sorted(app.disconnected)).toEqual(sorted<string>([a.id, b.id]));
    expect((await app.logOf(main.mainAccountId)).at(-1)).toBe('Removed 2 routers from the inventory');
  });

  test('DEV-04-partial a claimed one is rejected, and none is deleted', async () => {
    const claimed = fresh();
    const free = (await add(person, fresh())).json.result;
    const held = (await add(person, claimed)).json.result;
    await app.seeding.devices(own, [claimed]);
    const response = await remove(person, [free.id, held.id]);
    expect([response.status, response.json.error.key, response.json.error.detail]).toEqual([
      409,
      'inventory.claimed',
      [claimed.serial],
    ]);
    expect(await left()).toBe(2);
  });

  test('DEV-04-partial a foreign, an unknown and a malformed id are a 404, and none is deleted', async () => {
    const mine = (await add(person, fresh())).json.result;
    const theirs = (await add(unrelated, fresh())).json.result;
    for (const foreign of [theirs.id, newId(), "x' or true"]) expect((await remove(person, [mine.id, foreign])).status).toBe(404);
    expect([await left(), (await list(unrelated)).json.total]).toEqual([1, 1]);
  });
});

const ELSEWHERE = 'This router cannot be added. Its serial number, MAC address or endpoint ID is registered elsewhere.';

describe('the inventory from a CSV', () => {
  const upload = (file: string, query: Record<string, string> = {}) =>
    app.call('POST', `${INVENTORY}/batch`, { as: person, file, query });

  test('DEV-05-partial good rows are added and their secrets returned once; bad rows are reported by row', async () => {
    const [a, b, taken] = [fresh(), fresh(), fresh()];
    await add(unrelated, taken);
    const { status, json } = await upload(
      `SN;MAC;Model\n${a.serial};${a.mac};HL-R520\n${b.serial};${b.mac}\n${taken.serial};${fresh().mac}\n${fresh().serial};${taken.mac}\n${a.serial};${fresh().mac}\n${fresh().serial};${a.mac}\nbad serial;${fresh().mac}\n${fresh().serial};ZZ\n`,
    );
    expect(status).toBe(200);
    expect(json.result).toMatchObject({ success: 2, total: 8, failed: 6 });
    expect(json.result.fail.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [4, ELSEWHERE],
      [5, ELSEWHERE],
      [6, 'This serial number is in the file twice.'],
      [7, 'This MAC address is in the file twice.'],
      [8, 'Incorrect serial number'],
      [9, 'Incorrect MAC address'],
    ]);
    expect(json.result.minted.map(({ serial, mac }: { serial: string; mac: string }) => ({ serial, mac }))).toEqual([a, b]);
    expect((await secretsOf(json.result.ids[0])).secret_hash).toEqual(hashRouterSecret(json.result.minted[0].secret));
    expect((await app.logOf(main.mainAccountId)).at(-1)).toBe('Added 2 routers to the inventory');
  });

  test('DEV-05-partial a dry run returns the same result, mints nothing and writes nothing', async () => {
    const [a, taken] = [fresh(), fresh()];
    await add(unrelated, taken);
    const file = `SN,MAC\n${a.serial},${a.mac}\n${taken.serial},${fresh().mac}\n`;
    const dry = await upload(file, { dryRun: '1' });
    expect(dry.json.result).toMatchObject({ dryRun: true, success: 1, failed: 1, ids: [], minted: [] });
    expect((await list(person)).json.total).toBe(0);
    expect((await upload(file)).json.result).toMatchObject({ success: 1, fail: dry.json.result.fail });
  });

  test('DEV-05-partial the same file again adds nothing and says why', async () => {
    const a = fresh();
    const file = `SN,MAC\n${a.serial},${a.mac}\n`;
    await upload(file);
    const again = await upload(file);
    expect([again.status, again.json.error.key, again.json.error.reason]).toEqual([
      400,
      'csv.all_failed',
      'This serial number is already in the inventory.',
    ]);
  });
});
