import { readFile } from 'node:fs/promises';
import type { outages } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { storePositions } from '../positions/index.ts';
import { createOutageJobs } from './outages.job.ts';

const DM = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('BG');
let home: Home;

const connected = ({ routerId }: TestDevice, at: string, kind: 'online' | 'offline', reason: string) =>
  app.owner.query('insert into connectivity (router_id, at, kind, reason) values ($1, $2, $3, $4)', [routerId, at, kind, reason]);
const factIs = ({ routerId }: TestDevice, at: string, fact: string, value: string) =>
  app.owner.query('insert into router_facts (router_id, at, fact, value) values ($1, $2, $3, $4)', [routerId, at, fact, value]);
/** Reads connections as at a time, from half an hour before it. */
async function readOutages(now: string): Promise<void> {
  await app.owner.query(`update outage_progress set until = $1::timestamptz - interval '30 minutes'`, [now]);
  const [job] = createOutageJobs(app.database, 124);
  await job!.run(new Date(now));
}
const day = { from: '2026-11-19', until: '2026-11-19' };
const listed = async (as = home.user): Promise<outages.Outage[]> =>
  (await app.call('GET', `${DM}/outages`, { as, query: { ...day, kind: 'all' } })).json.result;
const summed = async (as = home.user): Promise<outages.Availability[]> =>
  (await app.call('GET', `${DM}/outages/sums`, { as, query: { ...day, by: 'vehicles' } })).json.result;
const time = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString().slice(11, 16));
/** A vehicle that is owned since 11/01. */
async function addVehicle(name: string): Promise<TestDevice> {
  const columns = { vehicle_number: name, presence_since: '2026-11-01' };
  const added = await addDevice(app, home.own, fresh(), { columns });
  await app.owner.query(`update routers set presence_since = '2026-11-01' where id = $1`, [added.routerId]);
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [added.routerId]);
  return added;
}

beforeAll(async () => {
  await app.owner.query(
    `select ensure_position_partitions('2026-11-13', '2026-11-22'), ensure_partitions('2026-11-13', '2026-11-22')`,
  );
  home = await openHome(app);
});

describe('what an outage is, as other readers say it', () => {
  test('SAY-04-partial RPM-04-partial a vehicle is parked although its router said so right before its connection ended, and was stored after it', async () => {
    const bus = await addVehicle('Bus 1');
    await connected(bus, '2026-11-19T18:00:00Z', 'offline', 'no-answer');
    await readOutages('2026-11-19T18:00:10Z');
    await factIs(bus, '2026-11-19T18:00:20Z', 'ignition', 'off');
    await readOutages('2026-11-19T18:00:40Z');
    expect((await listed()).map(({ name, kind }) => [name, kind])).toEqual([['Bus 1', 'parked']]);
  });
});

describe('a router that is offline when it changes hands', () => {
  test('RPM-04-partial one from stock that was tried before has no outage until it connects, and two ends at once are one', async () => {
    const bus = await addVehicle('Bus 9');
    await app.owner.query(`update router_ownership set owned_from = '2026-11-19T06:00:00Z' where router_id = $1`, [bus.routerId]);
    await connected(bus, '2026-11-19T04:00:00Z', 'online', 'connected');
    await connected(bus, '2026-11-19T05:00:00Z', 'offline', 'no-answer');
    await readOutages('2026-11-19T06:01:00Z');
    const own = async () => (await listed()).filter(({ name }) => name === 'Bus 9').map(({ from }) => time(from));
    expect(await own()).toEqual([]);
    await connected(bus, '2026-11-19T07:00:00Z', 'online', 'connected');
    for (const reason of ['no-answer', 'connection-lost']) await connected(bus, '2026-11-19T08:00:00Z', 'offline', reason);
    await readOutages('2026-11-19T08:01:00Z');
    expect(await own()).toEqual(['08:00']);
  });

  test('RPM-04-partial RPM-05-partial a transferred vehicle is without a connection from then on, until it connects', async () => {
    const bus = await addVehicle('Bus 2');
    await factIs(bus, '2026-11-10T00:00:00Z', 'carrier', 'Northern');
    await connected(bus, '2026-11-19T08:00:00Z', 'online', 'connected');
    await connected(bus, '2026-11-19T09:00:00Z', 'offline', 'no-answer');
    await readOutages('2026-11-19T09:01:00Z');
    app.clock.set('2026-11-19T12:00:00Z');
    const body = { target: home.sibling.organizationId, serials: [bus.serial] };
    await app.call('POST', `${DM}/org/device`, { as: home.mainPerson, body });
    app.clock.set(NOW);
    await readOutages('2026-11-19T12:01:00Z');
    await readOutages('2026-11-19T12:02:00Z');
    const receiver = app.person(home.sibling, 'user');
    expect((await listed(receiver)).map(({ from, until, kind, reason }) => [time(from), until, kind, reason])).toEqual([
      ['12:00', null, 'lost', 'no-answer'],
    ]);
    await connected(bus, '2026-11-19T15:00:00Z', 'online', 'connected');
    await readOutages('2026-11-19T15:01:00Z');
    expect(
      (await listed(receiver)).map(({ from, until, carrier, latitude }) => [time(from), time(until), carrier, latitude]),
    ).toEqual([['12:00', '15:00', 'Northern', null]]);
    // 3 hours of 12.
    expect(await summed(receiver)).toMatchObject([{ outages: 1, minutes: 180, share: 75 }]);
    expect((await listed()).find(({ name }) => name === bus.serial)).toMatchObject({ minutes: 180, kind: 'lost' });
  });

  test('RPM-04-partial POS-01-partial where it was right before the transfer is no last place of an outage after it', async () => {
    const bus = await addVehicle('Bus 3');
    const wasAt = (at: string, latitude: number) => {
      const fix = {
        routerId: bus.routerId,
        at: Date.parse(at),
        latitude,
        longitude: -87.6,
        speed: 0,
        heading: null,
        accuracy: 5,
      };
      return app.database.write((tx) => storePositions(tx, [fix], new Date(at)));
    };
    const places = async () => {
      const found = await listed(app.person(home.sibling, 'user'));
      return found.filter(({ serial }) => serial === bus.serial).map(({ from, latitude }) => [time(from), latitude]);
    };
    await connected(bus, '2026-11-19T08:00:00Z', 'online', 'connected');
    await wasAt('2026-11-19T11:58:00Z', 41.8);
    app.clock.set('2026-11-19T12:00:00Z');
    const body = { target: home.sibling.organizationId, serials: [bus.serial] };
    expect((await app.call('POST', `${DM}/org/device`, { as: home.mainPerson, body })).status).toBe(200);
    app.clock.set(NOW);
    await connected(bus, '2026-11-19T12:04:00Z', 'offline', 'no-answer');
    await connected(bus, '2026-11-19T12:05:00Z', 'online', 'connected');
    await wasAt('2026-11-19T12:06:00Z', 41.9);
    await connected(bus, '2026-11-19T12:07:00Z', 'offline', 'no-answer');
    await readOutages('2026-11-19T12:08:00Z');
    expect(await places()).toEqual([
      ['12:07', expect.closeTo(41.9)],
      ['12:04', null],
    ]);
    // What was stored before that, of the first ten minutes, is cleared; a later one is kept.
    await connected(bus, '2026-11-19T12:20:00Z', 'online', 'connected');
    await wasAt('2026-11-19T12:28:00Z', 42);
    await connected(bus, '2026-11-19T12:29:00Z', 'offline', 'no-answer');
    await readOutages('2026-11-19T12:30:00Z');
    await app.owner.query('update outages set latitude = 41.8 where router_id = $1 and latitude is null', [bus.routerId]);
    const file = new URL('../../../migrations/0117-places-of-former-owners.sql', import.meta.url);
    await app.owner.query(await readFile(file, 'utf8'));
    expect(await places()).toEqual([
      ['12:29', expect.closeTo(42)],
      ['12:07', null],
      ['12:04', null],
    ]);
  });

  test('RPM-04-partial SAY-04-partial so is a vehicle with a replacement that is off; not one whose router never connected, or is connected', async () => {
    const claimed = async (name: string) => {
      const bus = await addVehicle(name);
      await app.owner.query(`update router_ownership set owned_from = '2026-11-19T20:00:00.000001Z' where router_id = $1`, [
        bus.routerId,
      ]);
      await app.owner.query(
        `insert into router_ownership (router_id, organization_id, device_id, owned_from, owned_until)
          select router_id, organization_id, device_id, '2026-10-01', '2026-10-02' from router_ownership where router_id = $1`,
        [bus.routerId],
      );
      return bus;
    };
    const off = await claimed('Off');
    await connected(off, '2026-11-19T06:00:00Z', 'online', 'connected');
    await connected(off, '2026-11-19T07:00:00Z', 'offline', 'closed-by-router');
    const on = await claimed('On');
    await connected(on, '2026-11-19T07:00:00Z', 'offline', 'no-answer');
    await connected(on, '2026-11-19T19:59:00Z', 'online', 'connected');
    // Its connections are no longer kept: what is known of it is its state.
    const old = await claimed('Old');
    await app.owner.query(`update routers set presence = 'offline', presence_reason = 'no-answer' where id = $1`, [old.routerId]);
    const unused = await claimed('Unused');
    await app.owner.query(`update routers set presence_since = null where id = $1`, [unused.routerId]);
    await readOutages('2026-11-19T20:01:00Z');
    const found = (await listed()).filter(({ from }) => time(from) === '20:00');
    expect(new Map(found.map(({ name, kind }) => [name, kind]))).toEqual(
      new Map([
        ['Off', 'closed'],
        ['Old', 'lost'],
      ]),
    );
  });
});
