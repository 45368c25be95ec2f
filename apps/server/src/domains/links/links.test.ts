import { links as calls, type Right } from '@highline/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createKeyReader } from '../api-keys/index.ts';
import { createOpenLinks } from './index.ts';
import { createLinkJobs } from './links.job.ts';

const PATH = '/data_manager/v1/dm/links';
const NOW = '2026-11-20T12:00:00Z';
const NOW_S = Date.parse(NOW) / 1_000;

const app = useTestApp(NOW);
const fresh = routersNamed('LK');
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;
let mainPerson: Actor;
let admin: Actor;
let siblingAdmin: Actor;
let adminId: string;
let bus: TestDevice;
let depot: TestDevice;

const place = (device: TestDevice, latitude: number) =>
  app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
     values ($1, to_timestamp($2), $3, -87.6, false, to_timestamp($2))
     on conflict (router_id) do update set latitude = excluded.latitude`,
    [device.routerId, NOW_S - 30, latitude],
  );

beforeAll(async () => {
  ({ own, sibling, user, mainPerson } = await openHome(app));
  siblingAdmin = app.person(sibling, 'admin');
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 1' } });
  depot = await addDevice(app, own, fresh());
  await app.owner.query(`update router_ownership set owned_from = '2026-01-01'`);
  await place(bus, 41.88);
  await place(depot, 41.5);
});

let number = 0;
beforeEach(async () => {
  number += 1;
  adminId = await app.seeding.account(own, `links-${number}@highline.invalid`, 'admin');
  admin = Object.assign(app.person(own, 'admin'), { accountId: adminId });
});

const share = async (body: object, as = admin) => app.call('POST', PATH, { as, body: { showsNames: false, hours: 1, ...body } });
const make = async (body: object) => {
  const { json } = await share(body);
  return { id: json.result.id as string, token: json.token as string };
};
const open = (token: string, first = true) => app.call('POST', `${PATH}/open`, { body: { token, first } });
const list = async (as = admin) => (await app.call('GET', PATH, { as, query: { limit: 50 } })).json.result as calls.SharedLink[];
const listed = async (id: string) => (await list()).find((link) => link.id === id);
/** Answers are kept for some seconds. */
const later = (seconds = 10) => app.clock.advance(seconds * 1_000);

describe('RPM-06 a link that shows a vehicle', () => {
  test('has its place and time, and nothing else of it', async () => {
    const { token } = await make({ device: bus.id });
    const answer = await open(token);
    expect(answer.json.result.vehicles).toEqual([[null, 41.88, -87.6, NOW_S - 30]]);
    expect(answer.json.result).toMatchObject({ name: null, isCut: false });
    for (const secret of [bus.serial, bus.mac, bus.id, 'Bus 1']) expect(answer.text).not.toContain(secret);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('says vehicle numbers where its maker chose so, and never a serial number', async () => {
    const one = await make({ device: bus.id, showsNames: true });
    expect((await open(one.token)).json.result).toMatchObject({ name: 'Bus 1', vehicles: [['Bus 1', 41.88, -87.6, NOW_S - 30]] });
    const unnamed = await make({ device: depot.id, showsNames: true });
    expect((await open(unnamed.token)).json.result).toMatchObject({ name: null, vehicles: [[null, 41.5, -87.6, NOW_S - 30]] });
    const group = await make({ group: 'default+group+id', showsNames: true });
    const { name, vehicles } = (await open(group.token)).json.result;
    expect(name).toBe('default');
    expect(vehicles).toHaveLength(2);
  });

  test('does not show a position that is probably wrong, until there is one that is not', async () => {
    const { token } = await make({ device: bus.id });
    const group = await make({ group: 'default+group+id' });
    const mark = (isJump: boolean) =>
      app.owner.query('update router_positions set is_jump = $2 where router_id = $1', [bus.routerId, isJump]);
    await mark(true);
    expect((await open(token)).json.result.vehicles).toEqual([]);
    expect((await open(group.token)).json.result.vehicles).toEqual([[null, 41.5, -87.6, NOW_S - 30]]);
    await mark(false);
    later();
    expect((await open(token)).json.result.vehicles).toHaveLength(1);
  });

  test('follows the vehicle', async () => {
    const { token } = await make({ device: bus.id });
    await open(token);
    await place(bus, 41.9);
    later();
    expect((await open(token)).json.result.vehicles[0][1]).toBe(41.9);
    await place(bus, 41.88);
  });

  test('is stored as a hash, listed with its maker and its openings, and is in the log', async () => {
    const { id, token } = await make({ device: bus.id, note: 'For the school' });
    const { rows } = await app.owner.query('select l::text as row from links l where id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (let opening = 0; opening < 5; opening++) await open(token);
    later();
    await open(token, false);
    expect(await listed(id)).toMatchObject({
      note: 'For the school',
      shows: 'Bus 1',
      state: 'active',
      by: admin.email,
      opened: 5,
    });
    expect(await app.logOf(own.organizationId)).toContainEqual(expect.stringContaining('Shared Bus 1 by a link until'));
  });

  test('opened ten thousand times it is read a few times, and each opening counts', async () => {
    const { id, token } = await make({ device: bus.id });
    const { openLinks, readsSoFar } = openParts();
    for (let round = 0; round < 100; round++)
      await Promise.all(Array.from({ length: 100 }, () => openLinks.open(token, true, '192.0.2.1')));
    await openLinks.flush();
    expect(readsSoFar()).toBeLessThan(10);
    expect((await listed(id))?.opened).toBe(10_000);
  });
});

/** The server's part, apart from its calls. */
function openParts() {
  let reads = 0;
  const reader = {
    ...app.reader,
    rows: <Row>(...input: Parameters<typeof app.reader.rows>) => {
      reads += 1;
      return app.reader.rows<Row>(...input);
    },
  };
  const { database, clock } = app;
  const keys = createKeyReader(app);
  const findAllowed = (actor: Actor, right: Right) => keys.findAllowed(database.read, actor, right);
  const openLinks = createOpenLinks({ database, reader, clock, findAllowed });
  return { openLinks, readsSoFar: () => reads };
}

const runJobs = async () => {
  for (const job of createLinkJobs({ database: app.database, ...openParts() })) await job.run(app.clock.now());
};

describe('RPM-06 a link ends', () => {
  test('by itself, and its page says so from then on', async () => {
    const { id, token } = await make({ device: bus.id, hours: 1 });
    await open(token);
    later(3_601);
    const over = await open(token);
    expect([over.status, over.json.error.key]).toEqual([410, 'link.over']);
    expect(await listed(id)).toMatchObject({ state: 'expired', opened: 1 });
    expect(await app.logOf(own.organizationId)).toContain('The link to Bus 1 has ended (opened 1 times)');
  });

  test('when a person ends it', async () => {
    const { id, token } = await make({ device: bus.id });
    await open(token);
    expect((await app.call('DELETE', `${PATH}/${id}`, { as: siblingAdmin, body: {} })).status).toBe(404);
    expect((await app.call('DELETE', `${PATH}/${id}`, { as: mainPerson, body: {} })).status).toBe(200);
    later();
    expect((await open(token)).status).toBe(410);
    expect(await listed(id)).toMatchObject({ state: 'revoked', opened: 1 });
  });

  test('when its vehicle is transferred or deleted', async () => {
    const device = await addDevice(app, own, fresh());
    const { id, token } = await make({ device: device.id });
    expect((await open(token)).status).toBe(200);
    await app.owner.query('update devices set archived_at = now() where id = $1', [device.id]);
    later();
    expect((await open(token)).status).toBe(410);
    expect((await listed(id))?.state).toBe('gone');
  });

  test('when its maker has left, or may no longer share', async () => {
    const left = await make({ device: bus.id });
    await app.owner.query('delete from sessions where account_id = $1', [adminId]);
    await app.owner.query(`update accounts set roles = '{}' where id = $1`, [adminId]);
    expect((await open(left.token)).status).toBe(410);
    expect((await listed(left.id))?.state).toBe('maker');
  });

  test('also if it is never opened again', async () => {
    const expired = await make({ device: bus.id, hours: 1 });
    const device = await addDevice(app, own, fresh());
    const gone = await make({ device: device.id, hours: 24 });
    await app.owner.query('update devices set archived_at = now() where id = $1', [device.id]);
    later(3_601);
    await runJobs();
    expect([(await listed(expired.id))?.state, (await listed(gone.id))?.state]).toEqual(['expired', 'gone']);
    later(91 * 86_400);
    await runJobs();
    expect(await list()).toEqual([]);
    expect((await open(expired.token)).status).toBe(404);
  });
});

describe('RPM-06 a link that is forwarded', () => {
  test('shows the same to each who opens it, wherever from and signed in or not, counts them, and ends for all of them at once', async () => {
    const { id, token } = await make({ device: bus.id, note: 'For the school' });
    const elsewhere = (address: string, as?: Actor) =>
      app.call('POST', `${PATH}/open`, {
        ...(as && { as }),
        body: { token, first: true },
        headers: { 'x-forwarded-for': address },
      });
    const answers = [
      await elsewhere('198.51.100.7'),
      await elsewhere('2001:db8::7'),
      await elsewhere('203.0.113.7', siblingAdmin),
    ];
    for (const { status, json } of answers)
      expect([status, json.result]).toEqual([200, { ...answers[0]!.json.result, vehicles: [[null, 41.88, -87.6, NOW_S - 30]] }]);
    // It opens the page of the vehicle, and nothing else of its organization.
    const asSession = { query: { device: bus.id }, headers: { authorization: `Bearer ${token}` } };
    expect((await app.call('GET', '/data_manager/v1/dm/device', asSession)).status).toBe(401);
    later();
    await elsewhere('198.51.100.7');
    expect(await listed(id)).toMatchObject({ opened: 4, by: admin.email, state: 'active' });

    expect((await app.call('DELETE', `${PATH}/${id}`, { as: admin, body: {} })).status).toBe(200);
    later();
    for (const address of ['198.51.100.7', '2001:db8::7']) expect((await elsewhere(address)).json.error.key).toBe('link.over');
    expect(await app.logOf(own.organizationId)).toContainEqual(expect.stringMatching(/link to Bus 1.*opened 4 times/u));
  });
});

describe('RPM-06 links are made and guessed within limits', () => {
  test('by those who manage an organization, for its own vehicles and groups', async () => {
    const status = async (body: object, as = admin) => (await share(body, as)).status;
    expect(await status({ device: bus.id }, user)).toBe(403);
    expect(await status({ device: bus.id }, siblingAdmin)).toBe(404);
    expect(await status({ device: 'nonsense' })).toBe(404);
    expect(await status({ group: 'unknown' })).toBe(404);
    expect(await status({})).toBe(400);
    expect(await status({ device: bus.id, group: 'default+group+id' })).toBe(400);
    expect(await status({ device: bus.id, hours: 721 })).toBe(400);
    expect(await list(siblingAdmin)).toEqual([]);
  });

  test('a guess finds nothing, and many of a network have to wait', async () => {
    const { token } = await make({ device: bus.id });
    const guess = (text: string) => open(text);
    expect((await guess('x')).json.error.key).toBe('link.not_found');
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    const found = new Set<number>();
    for (let tries = 0; tries < 40; tries++) found.add((await guess(wrong)).status);
    expect(found).toEqual(new Set([404, 429]));
    // Those who have a link see it nevertheless.
    expect((await open(token)).status).toBe(200);
  });
});
