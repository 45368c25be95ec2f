import type { coverage } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createPositions, storePositions } from '../positions/index.ts';
import { createTelemetry } from '../router-state/index.ts';
import { cellAt, parentOf } from './hexagons.ts';
import { createCoverageJobs, markLatePositions, markLateReports } from './index.ts';

const BASE = '/data_manager/v1/dm/coverage';
const app = useTestApp('2026-11-20T12:00:00Z');
const fresh = routersNamed('CV');
let own: OrganizationScope;
let user: Actor;
let mainPerson: Actor;
let unrelated: Actor;
const fleet: TestDevice[] = [];

/** Three places in different hexagons. */
const [depot, road, tunnel] = [{ latitude: 41.88, longitude: -87.63 }, { latitude: 41.95, longitude: -87.7 }, { latitude: 42.05, longitude: -87.8 }] as const; // prettier-ignore
type Place = Record<'latitude' | 'longitude', number>;
const cellOf = ({ latitude, longitude }: Place) => cellAt(latitude, longitude);

/** A router at a place for some minutes, with a report a minute. */
async function stay(
  { routerId }: TestDevice,
  at: string,
  { latitude, longitude }: Place,
  signals: readonly [rsrp: number, rsrq: number | null][],
) {
  const fixes = signals.map((_, minute) => ({
    routerId,
    latitude,
    longitude,
    accuracy: null,
    speed: null,
    heading: null,
    at: Date.parse(at) + minute * 60_000 + 20_000,
  }));
  await app.database.write((tx) => storePositions(tx, fixes, new Date(at)));
  await app.owner.query(
    `insert into telemetry_reports (router_id, at, rsrp, rsrq)
     select $1, $2::timestamptz + (n - 1) * interval '1 minute', rsrp, rsrq from unnest($3::float8[], $4::float8[]) with ordinality u (rsrp, rsrq, n)`,
    [routerId, at, signals.map(([rsrp]) => rsrp), signals.map(([, rsrq]) => rsrq)],
  );
}
const connected = ({ routerId }: TestDevice, at: string, kind: 'online' | 'offline', reason: string) =>
  app.owner.query('insert into connectivity (router_id, at, kind, reason) values ($1, $2, $3, $4)', [routerId, at, kind, reason]);
const networkIs = ({ routerId }: TestDevice, at: string, carrier: string, technology: string) =>
  app.owner.query(
    `insert into router_facts (router_id, at, fact, value) values ($1, $2, 'carrier', $3), ($1, $2, 'technology', $4)`,
    [routerId, at, carrier, technology],
  );
const same = (count: number, rsrp: number, rsrq: number | null = -10): [number, number | null][] =>
  Array.from({ length: count }, () => [rsrp, rsrq]);

beforeAll(async () => {
  ({ own, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'user');
  for (let count = 0; count < 4; count++)
    fleet.push(await addDevice(app, own, fresh(), { columns: { vehicle_number: `Bus ${count + 1}` } }));
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  await app.owner.query(`update coverage_progress set closed_until = '2026-11-15', marked_until = '2026-11-15'`);
  await app.owner.query(
    `select ensure_position_partitions('2026-11-13', '2026-11-22'), ensure_partitions('2026-11-13', '2026-11-22')`,
  );
  for (const bus of fleet) await networkIs(bus, '2026-11-10T00:00:00Z', 'Northern', 'LTE');
  const [first, second, third, broken] = fleet as [TestDevice, TestDevice, TestDevice, TestDevice];
  await stay(first, '2026-11-19T10:00:00Z', depot, [...same(6, -85), [-95, null]]);
  await stay(second, '2026-11-19T10:00:00Z', depot, same(6, -87));
  await stay(third, '2026-11-19T10:00:00Z', road, same(8, -101, -14));
  await stay(first, '2026-11-19T14:00:00Z', road, same(8, -103, -14));
  // All of it 20 dB worse than the others.
  await stay(broken, '2026-11-19T15:00:00Z', depot, same(20, -107, -16));
  await stay(broken, '2026-11-19T16:00:00Z', road, same(20, -123, -20));
  // On another network from noon on; and on the next day.
  await networkIs(second, '2026-11-19T12:00:00Z', 'Southern', 'NR');
  await stay(second, '2026-11-19T13:00:00Z', depot, same(4, -71));
  await stay(second, '2026-11-20T01:00:00Z', depot, same(4, -75));
  // Lost twice in the tunnel: 5 minutes, then for good; and closed on purpose.
  await stay(third, '2026-11-19T18:00:00Z', tunnel, same(3, -117, -19));
  await connected(third, '2026-11-19T18:03:00Z', 'offline', 'no-answer');
  await connected(third, '2026-11-19T18:08:00Z', 'online', 'connected');
  await stay(third, '2026-11-19T18:09:00Z', tunnel, same(1, -119, -19));
  await connected(third, '2026-11-19T18:12:00Z', 'offline', 'connection-lost');
  await connected(first, '2026-11-19T14:07:00Z', 'offline', 'closed-by-router');
  // Nowhere: without a position near, with a jump, and of a router that is in stock.
  await app.owner.query(`insert into telemetry_reports (router_id, at, rsrp) values ($1, '2026-11-19T22:00:00Z', -60)`, [
    first.routerId,
  ]);
});

const jobs = () => createCoverageJobs(app.database, 30);
async function run() {
  const { folding, comparison } = jobs();
  await folding.run(app.clock.now());
  await comparison.run(app.clock.now());
}
const period = { from: '2026-11-19', until: '2026-11-20' };
type Cells = { cells: coverage.CoverageCell[]; resolution: number; carriers: string[]; technologies: string[] };
const ask = (path: string, query: Record<string, string> = {}, as = user) =>
  app.call('GET', `${BASE}${path}`, { as, query: { ...period, ...query } });
const cellsOf = async (query: Record<string, string> = {}, as = user): Promise<Cells> =>
  (await ask('', { bbox: '-88,41.7,-87.4,42.2', ...query }, as)).json.result;
const cellAtPlace = async (place: Place, query: Record<string, string> = {}) =>
  (await cellsOf(query)).cells.find(({ cell }) => cell === cellOf(place));
const allRows = async () =>
  (
    await app.owner.query(
      `select to_jsonb(d) as row from coverage_days d order by organization_id, cell, day, carrier, technology`,
    )
  ).rows;

describe('coverage', () => {
  test('POS-06-partial has the medians, reports, drops and minutes of hexagons by carrier and technology for a period', async () => {
    await run();
    expect(await cellsOf()).toMatchObject({ resolution: 8, carriers: ['Northern', 'Southern'], technologies: ['LTE', 'NR'] });
    const found = await cellAtPlace(depot);
    // 6 of −85, 6 of −87, one of −95, 20 of −107, and 8 of the other network: the median of 41 values.
    expect(found).toMatchObject({ samples: 41, rsrp: -95, drops: 0, minutes: 0 });
    expect(found!.corners).toHaveLength(6);
    expect(found!.networks).toEqual([
      { carrier: 'Northern', technology: 'LTE', rsrp: -107, rsrq: -15.5, samples: 33, drops: 0, minutes: 0 },
      { carrier: 'Southern', technology: 'NR', rsrp: -73, rsrq: -9.5, samples: 8, drops: 0, minutes: 0 },
    ]);
    expect(await cellAtPlace(depot, { carrier: 'Southern', until: '2026-11-19' })).toMatchObject({ samples: 4, rsrp: -71 });
    expect(await cellAtPlace(depot, { technology: 'LTE', from: '2026-11-20' })).toBeUndefined();
    expect(await cellAtPlace(tunnel)).toMatchObject({ samples: 4, rsrp: -117, drops: 2, minutes: 125 });
    const nothing = await cellsOf({ bbox: '10,10,11,11' });
    expect(nothing.cells).toEqual([]);
  });

  test('POS-06-partial answers larger hexagons for a larger part of the map, over the date line too', async () => {
    const wide = await cellsOf({ bbox: '-125,24,-66,50' });
    expect(wide.resolution).toBe(3);
    const parent = parentOf(cellOf(depot), 3);
    expect(wide.cells.find(({ cell }) => cell === parent)!.samples).toBeGreaterThanOrEqual(41);
    const total = (cells: readonly coverage.CoverageCell[]) => cells.reduce((sum, { samples }) => sum + samples, 0);
    expect(total(wide.cells)).toBe(total((await cellsOf()).cells));
    for (const bbox of ['-180,-90,180,90', '100,10,-60,60'])
      expect(total((await cellsOf({ bbox })).cells), bbox).toBe(total(wide.cells));
    const everywhere = await ask('');
    expect(everywhere.json.result).toMatchObject({ resolution: 4 });
    expect(total(everywhere.json.result.cells)).toBe(total(wide.cells));
  });

  test('POS-06-partial ranks dead zones by minutes lost, and finds the vehicle whose antenna is broken; both as CSV', async () => {
    const { json } = await ask('/dead-zones', { limit: '10' });
    expect(json).toMatchObject({
      total: 1,
      result: [{ rank: 1, cell: cellOf(tunnel), minutes: 125, drops: 2, samples: 4, rsrp: -117 }],
    });
    const file = await ask('/dead-zones/export', { language: 'zh-TW' });
    expect(file.text).toContain('中斷分鐘數');
    expect(file.text).toContain(cellOf(tunnel));

    const vehicles = (await ask('/vehicles', { limit: '10' })).json;
    const broken = vehicles.result[0] as coverage.CoverageVehicle;
    expect(broken).toMatchObject({ device: fleet[3]!.id, name: 'Bus 4', isSuspect: true, samples: 40, cells: 2 });
    // 20 of −107 against −87 of two others (6 of −85, 6 of −87, one of −95), and 20 of −123 against the middle of −101 and −103.
    expect(broken.rsrp).toBe(-20.5);
    const others = vehicles.result.slice(1) as coverage.CoverageVehicle[];
    expect(others.map(({ name }) => name)).not.toContain('Bus 4');
    expect(others.every(({ isSuspect, rsrp }) => !isSuspect && rsrp! > 0)).toBe(true);
    expect((await ask('/vehicles', { limit: '10', search: 'Bus 4', field: 'vehicle' })).json.total).toBe(1);
    // The same as the sum of each vehicle by itself.
    const { rows: sums } = await app.owner.query<{ device: string; samples: number; cells: number; rsrp: number }>(
      `select d.id as device, s.samples, s.cells, s.rsrp from devices d cross join lateral (
         select sum(greatest(rsrp_samples, rsrq_samples))::int as samples, sum(cells)::int as cells,
           round((sum(rsrp_difference) / sum(rsrp_samples))::numeric, 1)::float8 as rsrp
         from coverage_vehicle_days c where c.device_id = d.id and c.organization_id = d.organization_id) s
       where s.samples is not null and d.organization_id = $1 order by s.rsrp, d.id`,
      [own.organizationId],
    );
    expect(sums.length).toBeGreaterThan(2);
    expect(vehicles.total).toBe(sums.length);
    expect(vehicles.result).toMatchObject(sums);
    const csv = await ask('/vehicles/export');
    expect(csv.text.split('\r\n')[1]).toContain(',-20.5,');
    expect(csv.text.split('\r\n')[1]).toContain(',yes');
  });

  test('POS-06-partial another run changes nothing, and late positions, readings and connections are added once', async () => {
    const before = await allRows();
    await run();
    expect(await allRows()).toEqual(before);
    await app.owner.query(`insert into coverage_due (slot, router_id) select slot, router_id from coverage_slots`);
    await run();
    expect(await allRows()).toEqual(before);

    const [first, , third] = fleet as [TestDevice, TestDevice, TestDevice];
    const { clock, database } = app;
    const positions = createPositions({
      database,
      clock,
      log: silentLog,
      retentionDays: 30,
      settings: { collectMs: 1 },
      onWritten: markLatePositions,
    });
    const telemetry = createTelemetry({
      database,
      clock,
      log: silentLog,
      retentionDays: 30,
      settings: { collectMs: 1 },
      lookAt: async (client, stored) => {
        await markLateReports(client, stored);
        return () => {};
      },
    });
    await positions.start();
    await telemetry.start();
    const at = Date.parse('2026-11-19T20:00:00Z');
    await telemetry.write(first.routerId, [{ at, parameter: 'rsrp', value: -91 }]);
    await run();
    expect(await allRows()).toEqual(before);
    // The trail of that time comes after the readings: a vehicle that was without coverage.
    const trail = `${at / 1_000 + 30},${tunnel.latitude},${tunnel.longitude}`;
    await positions.pushed(first.routerId, [{ values: [['Device.X_HIGHLINE_GPS.Trail', trail]] }]);
    await connected(third, '2026-11-19T18:22:00Z', 'online', 'connected');
    await run();
    expect(await cellAtPlace(tunnel)).toMatchObject({ samples: 5, drops: 2, minutes: 15 });
    await telemetry.write(first.routerId, [{ at: at + 10_000, parameter: 'rsrp', value: -91 }]);
    await run();
    expect(await cellAtPlace(tunnel)).toMatchObject({ samples: 6, drops: 2 });
    await positions.stop();
    await telemetry.stop();
  });

  test('POS-06-partial an outage that goes on counts so far, and later in full', async () => {
    const bus = await addDevice(app, own, fresh());
    await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [bus.routerId]);
    await stay(bus, '2026-11-20T11:30:00Z', tunnel, same(2, -111));
    await app.owner.query(`insert into coverage_due values ('2026-11-20T11:30:00Z', $1)`, [bus.routerId]);
    await connected(bus, '2026-11-20T11:32:00Z', 'offline', 'no-answer');
    const lost = async () => (await cellAtPlace(tunnel, { from: '2026-11-20' }))!.minutes;
    await run();
    expect(await lost()).toBe(28);
    app.clock.set('2026-11-20T14:00:00Z');
    await run();
    expect(await lost()).toBe(120);
    app.clock.set('2026-11-20T12:00:00Z');
  });

  test('POS-06-partial SAY-04-partial neither a parked vehicle nor one that a rollout works on lost its connection to a dead zone', async () => {
    const yard = { latitude: 41.8, longitude: -87.5 };
    const lostAt = async (bus: TestDevice, at: string) => {
      await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [bus.routerId]);
      await stay(bus, '2026-11-19T21:00:00Z', yard, same(2, -80));
      await connected(bus, at, 'offline', 'no-answer');
    };
    const [parked, updated, lost] = [
      await addDevice(app, own, fresh()),
      await addDevice(app, own, fresh()),
      await addDevice(app, own, fresh()),
    ];
    // What it said last was stored after the end of its connection.
    await app.owner.query(
      `insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-19T21:02:20Z', 'ignition', 'off')`,
      [parked.routerId],
    );
    await app.owner.query(
      `insert into outages (organization_id, device_id, router_id, began_at, ended_at, kind, reason, carrier, technology, serving_cell)
       values ($1, $2, $3, '2026-11-19T21:02:00Z', null, 'planned', 'no-answer', 'Northern', 'LTE', '')`,
      [own.organizationId, updated.id, updated.routerId],
    );
    await lostAt(parked, '2026-11-19T21:02:00Z');
    await lostAt(updated, '2026-11-19T21:02:00Z');
    await app.owner.query(`insert into coverage_due select '2026-11-19T21:00:00Z', id from routers`);
    await run();
    expect(await cellAtPlace(yard)).toMatchObject({ samples: 4, drops: 0, minutes: 0 });
    await lostAt(lost, '2026-11-19T21:02:00Z');
    await run();
    expect(await cellAtPlace(yard)).toMatchObject({ drops: 1 });
  });

  test('POS-06-partial bad input is rejected with a reason', async () => {
    const wrong: [string, Record<string, string>, string][] = [
      ['', { from: '2026-11-20', until: '2026-11-19' }, 'before the first day'],
      ['', { from: '2026-01-01', until: '2026-11-19' }, '92 days'],
      ['', { from: '2026-02-30' }, 'does not exist'],
      ['', { carrier: 'Unused' }, 'no router has reported'],
      ['', { technology: 'x\0' }, ''],
      ['', { bbox: '1,2,3' }, 'west,south,east,north'],
      ['', { bbox: '-180,-90,180,91' }, 'west,south,east,north'],
      ['', { bbox: '1,1,2,1' }, 'west,south,east,north'],
      ['', { bbox: '-180,-90,180,90', resolution: '8' }, 'too large'],
      ['', { resolution: '12' }, 'resolution'],
      ['/dead-zones', { from: '2026-11-20', until: '2026-11-19' }, 'before the first day'],
      ['/dead-zones', { sort: 'cell' }, 'sort'],
      ['/vehicles', { carrier: 'Unused' }, 'no router has reported'],
      ['/vehicles', { limit: '10', cursor: 'x' }, ''],
      ['/vehicles/export', { columns: 'nothing' }, 'columns'],
    ];
    for (const [path, query, reason] of wrong) {
      const response = await ask(path, query);
      expect(response.status, `${path} ${JSON.stringify(query)}`).toBe(400);
      expect(response.text).toContain(reason);
    }
  });

  test('POS-06-partial others see nothing of it, the main account all of it, and after a transfer the earlier time stays where it was', async () => {
    expect((await ask('', {}, unrelated)).json.result).toMatchObject({ cells: [], carriers: [] });
    expect((await ask('/vehicles', { limit: '10' }, unrelated)).json.total).toBe(0);
    expect((await ask('/dead-zones', { limit: '10', org: own.organizationId }, unrelated)).status).toBe(404);
    expect((await cellsOf({}, mainPerson)).cells).toEqual((await cellsOf()).cells);

    const [, , , broken] = fleet as [TestDevice, TestDevice, TestDevice, TestDevice];
    const next = await app.seeding.organization({ kind: 'main', mainAccountId: own.mainAccountId }, 'Next');
    const nextUser = app.person(next, 'user');
    await app.owner.query(`update router_ownership set owned_until = '2026-11-20T06:00:00Z' where router_id = $1`, [
      broken.routerId,
    ]);
    await app.owner.query(
      `insert into router_ownership select (jsonb_populate_record(o, jsonb_build_object('organization_id', $2::uuid, 'owned_from', o.owned_until, 'owned_until', null))).*
       from router_ownership o where o.router_id = $1`,
      [broken.routerId, next.organizationId],
    );
    await app.owner.query('update devices set organization_id = $2, group_key = $3 where id = $1', [
      broken.id,
      next.organizationId,
      'default+group+id',
    ]);
    await stay(broken, '2026-11-20T05:58:00Z', road, same(6, -89));
    await app.owner.query(`insert into coverage_due values ('2026-11-20T05:50:00Z', $1), ('2026-11-20T06:00:00Z', $1)`, [
      broken.routerId,
    ]);
    await run();
    // Reports at 5:58 and 5:59 are of the one, those of 6:00 on of the other: no position of the first counts for the second.
    const road8 = cellOf(road);
    const at = (cells: Cells) => cells.cells.find(({ cell }) => cell === road8);
    expect(at(await cellsOf({ from: '2026-11-20' }, nextUser))!.samples).toBe(4);
    expect(at(await cellsOf({ from: '2026-11-20' }))!.samples).toBe(2);
    expect((await cellsOf({ until: '2026-11-19' }, nextUser)).cells).toEqual([]);
    expect((await ask('/vehicles', { limit: '10' }, nextUser)).json.total).toBe(0);
    expect((await ask('/vehicles', { limit: '10', search: 'Bus 4', field: 'vehicle' })).json.total).toBe(0);
  });

  test('POS-06-partial is deleted after its days, earlier for an organization that keeps less', async () => {
    const { retention } = jobs();
    const days = async () =>
      (
        await app.owner.query(`select distinct day::text as day from coverage_days where organization_id = $1 order by 1`, [
          own.organizationId,
        ])
      ).rows.map(({ day }) => day);
    expect(await days()).toEqual(['2026-11-19', '2026-11-20']);
    await app.owner.query('update organizations set retention_days = 7 where id = $1', [own.organizationId]);
    await retention.run(new Date('2026-11-27T12:00:00Z'));
    expect(await days()).toEqual(['2026-11-20']);
    await app.owner.query('update organizations set retention_days = null where id = $1', [own.organizationId]);
    await retention.run(new Date('2026-12-21T12:00:00Z'));
    expect(await days()).toEqual([]);
    expect((await app.owner.query('select 1 from coverage_slots')).rows).toEqual([]);
  });
});
