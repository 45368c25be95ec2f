import { devices } from '@highline/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { rollupJob } from '../router-state/index.ts';

const NOW = '2026-11-20T12:00:00Z';
const at = (text: string) => Date.parse(text) / 1_000;

const app = useTestApp();
let own: OrganizationScope;
let sibling: OrganizationScope;
let mainPerson: Actor;
let user: Actor;
let unrelated: Actor;

beforeAll(async () => {
  await app.owner.query("select ensure_partitions('2026-10-01', '2026-12-31')");
});

beforeEach(async () => {
  app.clock.set(NOW);
  ({ own, sibling, mainPerson, user } = await openHome(app));
  unrelated = app.person(sibling, 'admin');
});

const fresh = routersNamed('RD');

interface ReadingsResponse {
  readonly from: number;
  readonly until: number;
  readonly step: number;
  readonly series: readonly { readonly parameter: string; readonly unit: string; readonly points: readonly number[][] }[];
  readonly offline: readonly (readonly [number, number])[];
}

async function read(as: Actor, device: string, range?: devices.ReadingRange): Promise<ReadingsResponse> {
  const query = { device, ...(range === undefined ? {} : { range }) };
  const { status, json } = await app.call('GET', '/data_manager/v1/dm/device/readings', { as, query });
  expect(status).toBe(200);
  return json.result as ReadingsResponse;
}

async function deviceOwnedFrom(from: string) {
  const device = await addDevice(app, own, fresh(), {});
  await app.owner.query('update router_ownership set owned_from = $2 where router_id = $1', [device.routerId, from]);
  return device;
}

const report = (router: string, time: string, rssi: number) =>
  app.owner.query('insert into telemetry_reports (router_id, at, rssi) values ($1, $2, $3)', [router, time, rssi]);

const pointsOf = (response: ReadingsResponse, parameter: string) =>
  response.series.find((series) => series.parameter === parameter)?.points ?? [];

describe('readings of a device', () => {
  test('DPG-02-partial each range has a point with least, mean and greatest value for each step, never more than 500', async () => {
    const { id, routerId } = await deviceOwnedFrom('2026-10-01');
    await app.owner.query(
      `insert into telemetry_reports (router_id, at, rssi, temperature)
        select $1, timestamptz '${NOW}' - n * interval '5 seconds', -(n % 40), n from generate_series(1, 17280) n`,
      [routerId],
    );
    for (const range of devices.readingRangeNames) {
      const { hours, step } = devices.readingRanges[range];
      const response = await read(user, id, range);
      expect(response).toMatchObject({ until: at(NOW), step, from: at(NOW) - hours * 3_600 });
      expect(response.series.map(({ parameter, unit }) => [parameter, unit])).toEqual([
        ['rssi', 'dBm'],
        ['temperature', '°C'],
      ]);
      for (const { points } of response.series) {
        expect(points.length).toBeGreaterThan(10);
        expect(points.length).toBeLessThanOrEqual(500);
        expect(points).toEqual(points.toSorted((a, b) => a[0]! - b[0]!));
        for (const [time, least, mean, most] of points) {
          expect(time! % step).toBe(0);
          expect(least!).toBeLessThanOrEqual(mean!);
          expect(mean!).toBeLessThanOrEqual(most!);
        }
      }
    }
    // Two reports in each step of ten seconds; the day is the default.
    expect(pointsOf(await read(user, id, '1h'), 'temperature').at(-1)).toEqual([at(NOW) - 10, 1, 1.5, 2]);
    expect((await read(user, id)).step).toBe(300);
    const wrong = await app.call('GET', '/data_manager/v1/dm/device/readings', { as: user, query: { device: id, range: '1y' } });
    expect(wrong.status).toBe(400);
  });

  test('DPG-02-partial hours that are rolled up answer the same as their single values, with reports that came later and those not rolled up', async () => {
    const { id, routerId } = await deviceOwnedFrom('2026-11-15T10:20:00Z');
    await app.owner.query(
      `insert into telemetry_reports (router_id, at, rssi, rsrp)
        select $1, timestamptz '${NOW}' - n * interval '7 minutes', -(n % 37), case when n % 3 = 0 then -(n % 50) end from generate_series(1, 1100) n`,
      [routerId],
    );
    const before = [await read(user, id, '7d'), await read(user, id, '30d')];
    expect(pointsOf(before[0]!, 'rssi').length).toBeGreaterThan(100);
    // Nothing of before the device had the router, also within the hour in which it got it.
    expect(pointsOf(before[0]!, 'rssi')[0]![0]).toBe(at('2026-11-15T10:00:00Z'));
    await app.owner.query(
      "update telemetry_rollup set rolled_from = '2026-11-12', closed_until = '2026-11-12', rolled_until = '2026-11-12'",
    );
    await rollupJob(app.database).run(new Date('2026-11-20T09:30:00Z'));
    const { rows } = await app.owner.query('select count(*)::int as hours from telemetry_hours where router_id = $1', [routerId]);
    expect(rows[0]).toMatchObject({ hours: expect.any(Number) });
    expect((rows[0] as { hours: number }).hours).toBeGreaterThan(100);
    expect([await read(user, id, '7d'), await read(user, id, '30d')]).toEqual(before);
    // Taken from the rollups, not from the reports.
    await app.owner.query("delete from telemetry_reports where router_id = $1 and at >= '2026-11-17' and at < '2026-11-18'", [
      routerId,
    ]);
    expect(await read(user, id, '7d')).toEqual(before[0]);
    // A report that came late makes its hour count by its single values, until it is rolled up again.
    await report(routerId, '2026-11-18T04:30:00Z', -120);
    await app.owner.query("insert into telemetry_late values ('2026-11-18T04:00:00Z', $1)", [routerId]);
    const late = pointsOf(await read(user, id, '7d'), 'rssi').find(([time]) => time === at('2026-11-18T04:00:00Z'));
    expect(late![1]).toBe(-120);
    await app.owner.query('delete from telemetry_late where router_id = $1', [routerId]);
  });

  test('DPG-02-partial the times in which the router was offline, from before the range and until now, and none shorter than a step', async () => {
    const { id, routerId } = await deviceOwnedFrom('2026-11-01');
    const change = (time: string, kind: string) =>
      app.owner.query('insert into connectivity values ($1, $2, $3, $4)', [routerId, time, kind, 'connection-lost']);
    expect((await read(user, id)).offline).toEqual([]);
    await change('2026-11-18T08:00:00Z', 'offline');
    await change('2026-11-19T14:00:00Z', 'online');
    await change('2026-11-20T01:00:00Z', 'offline');
    await change('2026-11-20T01:00:30Z', 'online');
    await change('2026-11-20T01:10:00Z', 'boot');
    await change('2026-11-20T11:00:00Z', 'offline');
    expect((await read(user, id)).offline).toEqual([
      [at('2026-11-19T12:00:00Z'), at('2026-11-19T14:00:00Z')],
      [at('2026-11-20T11:00:00Z'), at(NOW)],
    ]);
    expect((await read(user, id, '1h')).offline).toEqual([[at('2026-11-20T11:00:00Z'), at(NOW)]]);
    expect((await read(user, id, '7d')).offline[0]).toEqual([at('2026-11-18T08:00:00Z'), at('2026-11-19T14:00:00Z')]);
  });

  test('DPG-02-partial readings of another organization are not found, and those of a router from before it was owned are not in', async () => {
    const first = await deviceOwnedFrom('2026-11-18');
    await report(first.routerId, '2026-11-19T11:00:00Z', -60);
    app.clock.set('2026-11-20T12:00:00Z');
    const as = app.person(own, 'admin');
    await app.call('DELETE', '/data_manager/v1/dm/devices', { as, body: { devices: [first.id] } });
    app.clock.set('2026-11-21T12:00:00Z');
    const [second] = await app.seeding.devices(sibling, [first]);
    await report(first.routerId, '2026-11-22T11:00:00Z', -70);
    app.clock.set('2026-11-23T12:00:00Z');
    for (const range of ['7d', '30d'] as const)
      expect(pointsOf(await read(unrelated, second!, range), 'rssi').map(([, least]) => least)).toEqual([-70]);
    expect(pointsOf(await read(mainPerson, second!, '7d'), 'rssi')).toHaveLength(1);
    const query = { device: second! };
    expect((await app.call('GET', '/data_manager/v1/dm/device/readings', { as: user, query })).status).toBe(404);
  });
});
