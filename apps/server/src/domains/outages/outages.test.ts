import type { outages } from '@highline/contract';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { readPdfPages } from '../../testing/pdf.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createNode } from '../../platform/nodes/index.ts';
import { silentLog } from '../../testing/log.ts';
import { createPresence, purgeRouterEvents } from '../router-state/index.ts';
import { cellAt } from '../coverage/index.ts';
import { storePositions } from '../positions/index.ts';
import { readOwnReports, readPlaces } from './evidence.queries.ts';
import { outagesModule } from './module.ts';
import { createOutageJobs } from './outages.job.ts';

const BASE = '/data_manager/v1/dm/outages';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('OU');
let own: OrganizationScope;
let user: Actor;
let mainPerson: Actor;
let unrelated: Actor;
let first: TestDevice;
let second: TestDevice;

const connected = ({ routerId }: TestDevice, at: string, kind: 'online' | 'offline', reason: string) =>
  app.owner.query('insert into connectivity (router_id, at, kind, reason) values ($1, $2, $3, $4)', [routerId, at, kind, reason]);
const readOutages = async () => {
  for (const job of createOutageJobs(app.database, 400)) await job.run(new Date(NOW));
};
const send = (as: Actor, path: string, query: Readonly<Record<string, string>>) =>
  app.call('GET', `${BASE}${path}`, { as, query });
const days = { from: '2026-11-15', until: '2026-11-20' };
const listed = async (as: Actor, query: Readonly<Record<string, string>> = {}): Promise<outages.Outage[]> =>
  (await send(as, '', { ...days, ...query })).json.result;
const summed = async (by: outages.OutageSum, sort = '-minutes'): Promise<outages.Availability[]> =>
  (await send(user, '/sums', { from: '2026-11-19', until: '2026-11-19', by, sort })).json.result;
const time = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString().slice(8, 16));

beforeAll(async () => {
  ({ own, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'user');
  first = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 1', presence_since: '2026-11-01' } });
  second = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 2', presence_since: '2026-11-01' } });
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  await app.owner.query(
    `select ensure_position_partitions('2026-11-13', '2026-11-22'), ensure_partitions('2026-11-13', '2026-11-22')`,
  );
  for (const { routerId } of [first, second])
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-10', 'carrier', 'Northern'), ($1, '2026-11-10', 'technology', 'LTE')`,
      [routerId],
    );
  const fix = { routerId: first.routerId, accuracy: null, speed: null, heading: null, latitude: 41.88, longitude: -87.63 };
  await app.database.write((tx) => storePositions(tx, [{ ...fix, at: Date.parse('2026-11-19T10:04:00Z') }], new Date(NOW)));
  await app.owner.query(
    `insert into telemetry_reports (router_id, at, rsrp) values ($1, '2026-11-19T10:03:00Z', -117), ($1, '2026-11-19T09:30:00Z', -90)`,
    [first.routerId],
  );
  await connected(first, '2026-11-19T08:00:00Z', 'online', 'connected');
  await connected(first, '2026-11-19T10:05:00Z', 'offline', 'no-answer');
  // Said once more by another process: no second outage.
  await connected(first, '2026-11-19T10:06:00Z', 'offline', 'not-seen-since-restart');
  await connected(first, '2026-11-19T10:29:00Z', 'online', 'connected');
  await connected(first, '2026-11-19T20:00:00Z', 'offline', 'closed-by-router');
  await connected(first, '2026-11-19T21:00:00Z', 'online', 'connected');
  await connected(second, '2026-11-19T23:30:00Z', 'offline', 'connection-lost');
  // The carrier of then stays, whatever it is now.
  await app.owner.query(
    `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-19T12:00:00Z', 'carrier', 'Southern')`,
    [first.routerId],
  );
  await readOutages();
});

describe('outages', () => {
  test('RPM-04-partial an outage says from when until when, and carrier, signal and place before it', async () => {
    const rows = await listed(user);
    expect(rows.map(({ name, from, until, minutes }) => [name, time(from), time(until), minutes])).toEqual([
      ['Bus 2', '19T23:30', null, 750],
      ['Bus 1', '19T10:05', '19T10:29', 24],
    ]);
    expect(rows[1]).toMatchObject({ carrier: 'Northern', technology: 'LTE', rsrp: -117, latitude: 41.88, longitude: -87.63 });
    expect(rows[1]!.hexagon).toMatch(/^88/u);
  });

  test('RPM-04-partial what the router ended itself is counted apart; read again, nothing is doubled', async () => {
    await readOutages();
    expect((await listed(user, { kind: 'all' })).map(({ kind }) => kind)).toEqual(['lost', 'closed', 'lost']);
    const [worst, other] = await summed('vehicles');
    expect(worst).toMatchObject({ name: 'Bus 2', outages: 1, minutes: 30, excludedMinutes: 0 });
    expect(other).toMatchObject({ name: 'Bus 1', outages: 1, minutes: 24, excludedMinutes: 60 });
  });

  test('RPM-05-partial the share is of the time in which a connection was expected, by vehicle and group, the worst first', async () => {
    expect((await summed('vehicles', 'share')).map(({ name, share }) => [name, share])).toEqual([
      ['Bus 2', 97.91],
      ['Bus 1', 98.26],
    ]);
    expect(await summed('groups')).toMatchObject([{ outages: 2, minutes: 54, vehicles: 2, share: 98.08 }]);
  });

  test('RPM-05-partial the share of a carrier is of the time in which routers reported it', async () => {
    // Northern was that of one vehicle for twelve hours, and of the other for the whole day; Southern for twelve, less the hour that the router ended itself.
    expect((await summed('carriers', 'share')).map(({ name, share, excludedMinutes }) => [name, share, excludedMinutes])).toEqual(
      [
        ['Northern', 97.5, 0],
        ['Southern', 100, 60],
      ],
    );
  });

  test('RPM-05-partial the carrier of a router that has not changed it for longer than reports are kept is known', async () => {
    const before = await summed('carriers', 'share');
    expect(await purgeRouterEvents(app.database, 5, new Date(NOW))).toBe(0);
    expect(await summed('carriers', 'share')).toEqual(before);
  });

  test('RPM-04-partial sums by carrier, place and month', async () => {
    expect((await summed('carriers')).map(({ name, minutes }) => [name, minutes])).toEqual([
      ['Northern', 54],
      ['Southern', 0],
    ]);
    expect((await summed('hexagons')).map(({ id, minutes }) => [id.slice(0, 2), minutes])).toEqual([
      ['', 30],
      ['88', 24],
    ]);
    expect((await summed('months')).map(({ id, outages: count }) => [id, count])).toEqual([['2026-11', 2]]);
  });

  test('RPM-04-partial an outage ends when the device no longer has the router, and the time of another owner is not shown', async () => {
    await app.owner.query(`update router_ownership set owned_until = '2026-11-20T01:00:00Z' where router_id = $1`, [
      second.routerId,
    ]);
    await app.owner.query(`update outage_progress set until = '2026-11-20T00:59:00Z'`);
    await readOutages();
    expect((await listed(user)).map(({ until }) => time(until))).toEqual(['20T01:00', '19T10:29']);
    expect(await listed(unrelated)).toEqual([]);
    expect((await listed(mainPerson)).length).toBe(2);
  });

  test('RPM-04-partial a vehicle that was parked with the ignition off did not lose its connection', async () => {
    const parked = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 3', presence_since: '2026-11-01' } });
    await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [parked.routerId]);
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-19T17:59:00Z', 'ignition', 'off')`,
      [parked.routerId],
    );
    await connected(parked, '2026-11-19T18:00:00Z', 'offline', 'no-answer');
    await connected(parked, '2026-11-19T19:00:00Z', 'online', 'connected');
    await app.owner.query(`update outage_progress set until = '2026-11-19T17:30:00Z'`);
    await readOutages();
    expect((await listed(user, { device: parked.id })).length).toBe(0);
    expect((await listed(user, { device: parked.id, kind: 'parked' })).map(({ minutes }) => minutes)).toEqual([60]);
    expect((await summed('vehicles')).find(({ name }) => name === 'Bus 3')).toMatchObject({
      minutes: 0,
      excludedMinutes: 60,
      parkedMinutes: 60,
      plannedMinutes: 0,
      share: 100,
    });
  });

  test('RPM-04-partial the file has the same columns in the zone of the reader', async () => {
    const { text } = await send(user, '/export', { ...days, zone: 'America/Chicago', columns: 'name,from,reason' });
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      '\ufeffVehicle,From,Reason',
      'Bus 2,11/19/2026 17:30:00,Connection broke',
      'Bus 1,11/19/2026 04:05:00,No answer',
    ]);
  });

  test('RPM-04-partial a vehicle that a rollout worked on did not lose its connection', async () => {
    const updated = await addDevice(app, own, fresh(), {
      columns: { vehicle_number: 'Bus 4', is_planned: true, presence_since: '2026-11-01' },
    });
    await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [updated.routerId]);
    await connected(updated, '2026-11-20T11:54:00Z', 'offline', 'connection-lost');
    await connected(updated, '2026-11-20T11:58:00Z', 'online', 'connected');
    await app.owner.query(`update outage_progress set until = '2026-11-20T11:50:00Z'`);
    await readOutages();
    const query = { from: '2026-11-20', until: '2026-11-20', device: updated.id };
    expect((await send(user, '/sums', query)).json.result).toMatchObject([
      { minutes: 0, excludedMinutes: 4, parkedMinutes: 0, plannedMinutes: 4, share: 100 },
    ]);
    expect((await listed(user, { device: updated.id, kind: 'planned' })).map(({ minutes }) => minutes)).toEqual([4]);
  });

  test('RPM-04 each outage says from when until when, how many minutes, the last place as text, cell, carrier, signal before and reason; sums by vehicle, cell, carrier, place and month count parked and planned apart', async () => {
    await app.owner.query(`update outages set serving_cell = '310-410-7' where device_id = $1`, [first.id]);
    for (const [kind, began, ended] of [
      ['parked', '02:00', '03:00'],
      ['planned', '03:00', '03:30'],
    ] as const)
      await app.owner.query(
        `insert into outages select organization_id, device_id, router_id, ('2026-11-19T' || $3 || 'Z')::timestamptz, ('2026-11-19T' || $4 || 'Z')::timestamptz,
           $2, reason, carrier, technology, serving_cell, rsrp, latitude, longitude, hexagon from outages where device_id = $1 and kind = 'lost'`,
        [first.id, kind, began, ended],
      );
    const read = async (path: string, query: Readonly<Record<string, string>>) =>
      parse((await send(user, path, query)).text, { bom: true, columns: true });
    const [outage] = await read('/export', { ...days, device: first.id, format: 'csv' });
    expect(outage).toMatchObject({
      From: '11/19/2026 10:05:00',
      Until: '11/19/2026 10:29:00',
      Minutes: '24.0',
      'Last place': 'Clark Street at Madison Street, inside Chicago',
      'Serving cell': '310-410-7',
      Carrier: 'Northern',
      'RSRP before (dBm)': '-117',
      Reason: 'No answer',
    });
    const day = { from: '2026-11-19', until: '2026-11-19' };
    const place = expect.stringMatching(/^.+inside Chicago \(41\.8\d+, -87\.6\d+\)$/u);
    for (const [by, name] of [
      ['vehicles', 'Bus 1'],
      ['cells', '310-410-7'],
      ['hexagons', place],
    ] as const)
      expect(await read('/sums/export', { ...day, by }), by).toContainEqual(
        expect.objectContaining({ Name: name, 'Minutes lost': '24.0', 'Of these parked': '60.0', 'Of these planned': '30.0' }),
      );
    for (const [by, name] of [
      ['carriers', 'Northern'],
      ['months', "'2026-11"],
    ] as const)
      expect(await read('/sums/export', { ...day, by }), by).toContainEqual(
        expect.objectContaining({ Name: name, Outages: '2', 'Minutes lost': '54.0' }),
      );
    expect((await summed('hexagons'))[1]).toMatchObject({
      latitude: expect.closeTo(41.88, 1),
      longitude: expect.closeTo(-87.63, 1),
    });
    // The evidence pack: map, chart and table, of the vehicle and of the place.
    const { hexagon } = (await listed(user, { device: first.id }))[0]!;
    for (const query of [{ device: first.id }, { hexagon: hexagon! }]) {
      const { bytes } = await send(user, '/evidence', { ...days, ...query });
      const text = (await readPdfPages(bytes)).join(' ');
      for (const part of [
        'Minutes without a connection by day',
        'Where',
        'North is up',
        'inside Chicago',
        '310-410-7',
        'Northern',
        'No answer',
      ])
        expect(text, JSON.stringify(query)).toContain(part);
      expect(text).not.toContain('No position known');
    }
    // That of the other vehicle has no place: the table says so, and its sum is that of all.
    const { bytes } = await send(user, '/evidence', days);
    expect((await readPdfPages(bytes)).join(' ')).toMatch(/No position known\s+1\s+90\.0/u);
  });

  test('RPM-04-partial the evidence pack is a PDF about one vehicle; of a device of others there is none', async () => {
    const evidence = (as: Actor, query: Readonly<Record<string, string>>) => send(as, '/evidence', { ...days, ...query });
    const { headers, text } = await evidence(user, { device: first.id });
    expect(headers['content-type']).toBe('application/pdf');
    expect(text.slice(0, 5)).toBe('%PDF-');
    expect((await evidence(unrelated, { device: first.id })).status).toBe(404);
    expect((await evidence(user, { hexagon: 'x' })).status).toBe(400);
  });

  test('RPM-04-partial the pack says what other vehicles reported where this one lost its connection: its own reports are not theirs', async () => {
    const there = { accuracy: null, speed: null, heading: null, latitude: 41.88, longitude: -87.63 };
    const at = Date.parse('2026-11-19T10:02:00Z');
    await app.database.write((tx) =>
      storePositions(tx, [{ ...there, routerId: second.routerId, at: at + 60_000 }], new Date(NOW)),
    );
    const read = async () => {
      const time = {
        zone: 'UTC',
        ...days,
        begins: new Date('2026-11-15T00:00:00Z'),
        ends: new Date('2026-11-21T00:00:00Z'),
        keptDays: 124,
      };
      return {
        own: await readOwnReports(app.reader, own, days, { device: first.id, carrier: undefined }),
        ...(await readPlaces(app.reader, own, { device: first.id }, { ...time, reportsFrom: days.from }, new Date(NOW))),
      };
    };
    const { own: reports, places, further } = await read();
    expect(further).toEqual({ count: 0, outages: 0, minutes: 0 });
    expect(reports).toEqual([{ latitude: 41.88, longitude: -87.63 }]);
    expect(places).toMatchObject([{ outages: 1, minutes: 24, others: 0, rsrp: -117 }]);
    expect(await readOwnReports(app.reader, own, days, { device: second.id, carrier: undefined })).toEqual([]);
    const foreign = app.person((await openHome(app)).own, 'user');
    expect((await send(foreign, '/evidence', { ...days, device: first.id })).status).toBe(404);
  });

  test('RPM-04-partial of many places the pack shows those with the most minutes, and says how many others there are', async () => {
    const places = Array.from({ length: 27 }, (_, n) => ({ minutes: 30 - n, latitude: 42 + n / 50, longitude: -88 }));
    for (const { minutes, latitude, longitude } of places)
      await app.owner.query(
        `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell, rsrp,
           latitude, longitude, hexagon)
         values ($1, $2, $3, $4::timestamptz + make_interval(hours => $5), $4::timestamptz + make_interval(hours => $5, mins => $5), 'lost',
           'no-answer', 'Northern', 'LTE', '', null, $6, $7, $8)`,
        [own.organizationId, second.id, second.routerId, '2026-11-05', minutes, latitude, longitude, cellAt(latitude, longitude)],
      );
    const { bytes } = await send(user, '/evidence', { from: '2026-11-05', until: '2026-11-07', device: second.id });
    const text = (await readPdfPages(bytes)).join(' ');
    expect(text).toMatch(/Other places \(2\)\s+2\s+9\.0/u);
    expect(text).toContain('Map and table show the 25 places with the most minutes.');
  });

  test('RPM-04-partial a period that does not exist, is too long or in an unknown zone is a plain error', async () => {
    for (const query of [
      { from: '2026-02-30' },
      { from: '2026-01-01', until: '2026-11-01' },
      { zone: 'Nowhere/City' },
      { from: '2026-11-20', until: '2026-11-01' },
    ])
      expect((await send(user, '', query)).status).toBe(400);
  });
});

/** Another organization with one vehicle, owned and connected since August, and its lost connections. */
async function openFleet(...lost: readonly (readonly [began: string, ended: string | null])[]) {
  const home = await openHome(app);
  const bus = await addDevice(app, home.own, fresh(), { columns: { vehicle_number: 'Bus 7', presence_since: '2026-08-01' } });
  await app.owner.query(`update router_ownership set owned_from = '2026-08-01' where router_id = $1`, [bus.routerId]);
  for (const [began, ended] of lost)
    await app.owner.query(
      `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell, rsrp,
         latitude, longitude, hexagon)
       values ($1, $2, $3, $4, $5, 'lost', 'no-answer', 'Northern', 'LTE', '', null, 41.88, -87.63, $6)`,
      [home.own.organizationId, bus.id, bus.routerId, began, ended, cellAt(41.88, -87.63)],
    );
  const sums = async (query: Readonly<Record<string, string>>): Promise<outages.Availability[]> =>
    (await send(home.user, '/sums', query)).json.result;
  const evidence = async (query: Readonly<Record<string, string>>) =>
    (await readPdfPages((await send(home.user, '/evidence', query)).bytes)).join(' ');
  return { ...home, bus, sums, evidence };
}
/** The router of a device connects for the first time. */
async function connectFirst({ routerId }: TestDevice, at: string): Promise<void> {
  const { database } = app;
  const shared = { bus: true, files: true };
  const node = createNode({ database, log: silentLog, shared, name: 'test', host: 'test', version: 'test' });
  const presence = createPresence({ database, clock: { now: () => new Date(at) }, log: silentLog, node });
  presence.connected(routerId, 1);
  await presence.flush();
  await presence.stop();
}
/** What the server deletes where readings are kept for 30 days. */
async function deleteOld(): Promise<void> {
  const opened = outagesModule.open({ on: () => undefined } as never, { database: app.database, keptDays: 30 } as never);
  for (const job of [opened ?? []].flat().flatMap(({ jobs }) => jobs ?? [])) await job.run(new Date(NOW));
  await purgeRouterEvents(app.database, 30, new Date(NOW));
}

describe('outages of a time before readings are kept', () => {
  test('RPM-05-partial the availability of last month counts what was lost on each of its days, also by carrier, after readings were deleted', async () => {
    const { bus, sums } = await openFleet(['2026-10-10T00:00:00Z', '2026-10-10T10:00:00Z']);
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-09-01', 'carrier', 'Northern'), ($1, '2026-10-16', 'carrier', 'Southern')`,
      [bus.routerId],
    );
    await deleteOld();
    const october = { from: '2026-10-01', until: '2026-10-31' };
    // 10 hours of 31 days; of the 15 in which it was the carrier.
    expect(await sums({ ...october, by: 'vehicles' })).toMatchObject([{ outages: 1, minutes: 600, share: 98.65 }]);
    expect(await sums({ ...october, by: 'carriers', sort: 'share' })).toMatchObject([
      { name: 'Northern', minutes: 600, share: 97.22 },
      { name: 'Southern', minutes: 0, share: 100 },
    ]);
  });

  test('RPM-05-partial of an organization that keeps fewer days only these are expected and counted, for itself and for its main account; files say since when', async () => {
    const {
      own: short,
      sums,
      evidence,
      user: person,
      mainPerson: main,
    } = await openFleet(['2026-10-10T00:00:00Z', '2026-10-10T10:00:00Z'], ['2026-11-08T12:00:00Z', '2026-11-10T12:00:00Z']);
    await app.owner.query('update organizations set retention_days = 10 where id = $1', [short.organizationId]);
    await deleteOld();
    // 12 hours of the 10.5 days since 11/10.
    const query = { from: '2026-10-01', until: '2026-11-20', by: 'vehicles' };
    const expected = [{ name: 'Bus 7', outages: 1, minutes: 720, share: 95.23 }];
    expect(await sums(query)).toMatchObject(expected);
    expect((await send(main, '/sums', query)).json.result).toMatchObject(expected);
    const note = 'Outages are kept since 11/10/2026 (UTC); earlier time is not counted';
    const text = await evidence({ from: query.from, until: query.until });
    expect(text).toContain('11/10/2026 – 11/20/2026, UTC');
    expect(text).toContain(note);
    const file = await app.call('GET', '/data_manager/v1/dm/summaries/file', {
      as: person,
      query: { kind: 'availability', format: 'csv', from: query.from, until: query.until },
    });
    expect(file.text.split('\r\n').slice(2, 4)).toEqual(['"11/10/2026 – 11/20/2026, UTC"', note]);
    expect((await send(person, '/sums/export', query)).headers['content-disposition']).toContain('2026-11-10_2026-11-20');
    // Nothing is kept of it: the availability is not known.
    expect(await sums({ ...query, until: '2026-10-31' })).toMatchObject([{ minutes: 0, outages: 0, share: null }]);
  });
});

describe('long outages', () => {
  test('RPM-05-partial a router that has been dead for months has no availability, however old its outage is, and the list has it', async () => {
    const { bus, sums, user: person } = await openFleet(['2026-06-01T00:00:00Z', null]);
    await deleteOld();
    for (const by of ['vehicles', 'groups'])
      expect(await sums({ ...days, by }), by).toMatchObject([{ outages: 1, minutes: 7_920, share: 0 }]);
    expect(await listed(person, { device: bus.id })).toMatchObject([{ until: null }]);
  });

  test('RPM-05-partial an outage that began long before a period and ended in it counts', async () => {
    const { sums } = await openFleet(['2026-09-01T00:00:00Z', '2026-11-16T00:00:00Z']);
    await deleteOld();
    expect(await sums({ from: '2026-11-15', until: '2026-11-16', by: 'vehicles' })).toMatchObject([
      { outages: 1, minutes: 1_440, longestMinutes: 1_440, share: 50 },
    ]);
  });

  test('SAY-04-partial RPM-05-partial a router that never connected is outside the availability of its fleet', async () => {
    const { own: fleet, bus, sums } = await openFleet(['2026-11-19T00:00:00Z', '2026-11-19T12:00:00Z']);
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-08-01', 'carrier', 'Northern')`,
      [bus.routerId],
    );
    const spare = await addDevice(app, fleet, fresh(), { columns: { vehicle_number: 'Spare' } });
    await app.owner.query(`update router_ownership set owned_from = '2026-08-01' where router_id = $1`, [spare.routerId]);
    const day = { from: '2026-11-19', until: '2026-11-19' };
    expect((await sums({ ...day, by: 'vehicles', sort: 'share' })).map(({ name, share }) => [name, share])).toEqual([
      ['Bus 7', 50],
      ['Spare', null],
    ]);
    expect(await sums({ ...day, by: 'groups' })).toMatchObject([{ share: 50 }]);
    expect((await sums({ ...day, by: 'carriers' })).map(({ name, share }) => [name, share])).toEqual([
      ['Northern', 50],
      ['', null],
    ]);
  });

  test('SAY-04-partial RPM-05-partial the time before a router first connected is not known, so it is neither connected nor lost', async () => {
    const { own: fleet, user: person, sums, evidence } = await openFleet();
    const bus = await addDevice(app, fleet, fresh(), { columns: { vehicle_number: 'New bus' } });
    await app.owner.query(`update router_ownership set owned_from = '2026-11-18' where router_id = $1`, [bus.routerId]);
    await connectFirst(bus, '2026-11-19T12:00:00Z');
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-19T12:00:00Z', 'carrier', 'Southern')`,
      [bus.routerId],
    );
    await connected(bus, '2026-11-19T18:00:00Z', 'offline', 'no-answer');
    await connected(bus, '2026-11-20T00:00:00Z', 'online', 'connected');
    await app.owner.query(`update outage_progress set until = '2026-11-19T11:00:00Z'`);
    await readOutages();
    // Six hours of the twelve since it connected, of a period of 48.
    const period = { from: '2026-11-18', until: '2026-11-19', device: bus.id };
    expect(await sums({ ...period, by: 'vehicles' })).toMatchObject([{ name: 'New bus', minutes: 360, share: 50 }]);
    expect((await sums({ ...period, by: 'carriers' })).map(({ name, share }) => [name, share])).toEqual([['Southern', 50]]);
    expect(await evidence(period)).toContain('50% availability');
    const query = { kind: 'availability', format: 'csv', from: '2026-11-18', until: '2026-11-18' };
    const { text } = await app.call('GET', '/data_manager/v1/dm/summaries/file', { as: person, query });
    expect(text).toMatch(/^New bus,,/mu);
  });

  test('RPM-04-partial chart, places and sentences of the evidence are of the period, as its sums', async () => {
    const { evidence } = await openFleet(['2026-11-01T00:00:00Z', '2026-11-17T06:00:00Z']);
    const text = await evidence({ from: '2026-11-15', until: '2026-11-18' });
    expect(text).not.toContain('No connection was lost');
    // Two days and a quarter: the longest bar is a day, and the place has as many minutes as the sum.
    expect(text).toContain('1,440.0');
    expect(text).toMatch(/inside Chicago\s+1\s+3,240\.0/u);
    expect(text.split('3,240.0').length).toBeGreaterThan(2);
    expect(text).toContain('11/01/2026 00:00:00');
    expect(await evidence({ from: '2026-11-18', until: '2026-11-18' })).toContain('No connection was lost in this period.');
  });

  test('RPM-04-partial each month of a period has the minutes lost in it, and an outage counts where it began', async () => {
    const { sums } = await openFleet(
      ['2026-08-31T12:00:00Z', '2026-09-01T01:00:00Z'],
      ['2026-09-30T22:00:00Z', '2026-10-01T03:00:00Z'],
      ['2026-10-05T00:00:00Z', '2026-10-05T01:00:00Z'],
      ['2026-10-31T23:00:00Z', null],
    );
    const months = await sums({ from: '2026-09-01', until: '2026-11-01', by: 'months' });
    expect(months.map(({ id, outages: count, minutes }) => [id, count, minutes])).toEqual([
      ['2026-11', 0, 1_440],
      ['2026-10', 2, 300],
      ['2026-09', 2, 180],
    ]);
  });
});
