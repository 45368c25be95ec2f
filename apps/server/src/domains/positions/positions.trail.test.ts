import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { positions } from '@highline/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('PT');
let own: OrganizationScope;
let user: Actor;
let unrelated: Actor;
let mainPerson: Actor;
let bus: TestDevice;
let parked: TestDevice;

const seconds = (time: string) => Date.parse(time) / 1_000;

/** Put the router of a device at places, in steps of some seconds: north of a corner in ten-thousandths of a degree. */
const drive = (routerId: string, begin: string, step: number, norths: readonly number[]) =>
  app.owner.query(
    `insert into positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump)
     select $1, $2::timestamptz + (n - 1) * $3::float8 * interval '1 second', 41.88 + north / 1e4, -87.63, 4.56, 31.26, 0, false
     from unnest($4::float8[]) with ordinality u (north, n)`,
    [routerId, begin, step, norths],
  );

beforeAll(async () => {
  ({ own, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'user');
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: '<Bus> & 1' } });
  parked = await addDevice(app, own, fresh());
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  await app.owner.query(`select ensure_position_partitions('2026-11-17', '2026-11-21')`);
  await app.owner.query(`select ensure_partitions('2026-11-17', '2026-11-21')`);
  // 18:00 to 18:05 in Chicago on the 19th, which is the 20th in London; then after a gap.
  await drive(bus.routerId, '2026-11-20T00:00:00Z', 10, [0, 10, 20, ...Array.from({ length: 20 }, () => 30), 40, 50]);
  await drive(bus.routerId, '2026-11-20T02:00:00Z', 10, [200, 210]);
  await drive(bus.routerId, '2026-11-20T07:00:00Z', 10, [900]);
  await app.owner.query(
    `insert into telemetry_reports (router_id, at, rssi) values ($1, '2026-11-20T00:00:00Z', -71), ($1, '2026-11-20T00:04:00Z', -93)`,
    [bus.routerId],
  );
  await app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
     values ($1, '2026-11-20T07:00:00Z', 41.97, -87.63, false, '2026-11-20T07:00:00Z')`,
    [bus.routerId],
  );
});

const ask = (as: Actor, query: Record<string, string>, path = 'trail') =>
  app.call('GET', `${BASE}/device/${path}`, {
    as,
    query: { device: bus.id, zone: 'America/Chicago', day: '2026-11-19', ...query },
  });
type Trail = {
  fixes: positions.TrailFix[];
  stops: { from: number; until: number }[];
  gaps: [number, number][];
  every: number;
  from: number;
  until: number;
  km: number;
  newest: { at: number } | null;
};
const trailOf = async (query: Record<string, string> = {}, as = user): Promise<Trail> => (await ask(as, query)).json.result;

describe('the trail of a device', () => {
  test('POS-04-partial has the positions of a day in a zone, with speed and signal, stops, gaps and the newest position', async () => {
    const trail = await trailOf();
    expect([trail.from, trail.until]).toEqual([seconds('2026-11-19T06:00:00Z'), seconds('2026-11-20T06:00:00Z')]);
    expect(trail.fixes).toHaveLength(27);
    expect(trail.fixes[0]).toEqual([seconds('2026-11-20T00:00:00Z'), 41.88, -87.63, 31.3, 0, 4.6, -71, false]);
    expect(trail.fixes[24]![6]).toBe(-93);
    expect(trail.fixes[26]![6]).toBeNull();
    const stood = seconds('2026-11-20T00:00:30Z');
    expect(trail.stops).toEqual([{ from: stood, until: stood + 190, latitude: 41.883, longitude: -87.63 }]);
    expect(trail.gaps).toEqual([[seconds('2026-11-20T00:04:00Z'), seconds('2026-11-20T02:00:10Z') - 10]]);
    expect(trail.km).toBeCloseTo(0.7, 1);
    expect(trail.newest!.at).toBe(seconds('2026-11-20T07:00:00Z'));
    expect((await trailOf({ zone: 'UTC', day: '2026-11-20' })).fixes).toHaveLength(28);
    expect((await trailOf({ day: '2026-11-20' })).fixes).toHaveLength(1);
    expect((await trailOf({ day: '2026-11-18' })).fixes).toEqual([]);
  });

  test('POS-04-partial of more positions than one response has, those at gaps and jumps are in it', async () => {
    const van = await addDevice(app, own, fresh());
    await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [van.routerId]);
    const followed = Array.from({ length: 20_001 }, (_, index) => index / 10);
    await drive(van.routerId, '2026-11-18T00:00:00Z', 1, followed);
    await drive(van.routerId, '2026-11-18T07:00:01Z', 1, followed);
    const jump = seconds('2026-11-18T07:30:00Z');
    await app.owner.query('update positions set is_jump = true where router_id = $1 and at = to_timestamp($2)', [
      van.routerId,
      jump,
    ]);
    const { fixes, gaps, every } = await trailOf({ device: van.id, day: '2026-11-18', zone: 'UTC' });
    expect([fixes.length <= positions.MAX_IN_TRAIL, every]).toEqual([true, 3]);
    const times = new Set(fixes.map(([at]) => at));
    expect(gaps).toEqual([[seconds('2026-11-18T05:33:20Z'), seconds('2026-11-18T07:00:01Z')]]);
    for (const time of [...gaps.flat(), jump - 1, jump]) expect(times.has(time), String(time)).toBe(true);
    expect(fixes.filter((fix) => fix[7]).map(([at]) => at)).toEqual([jump]);
  });

  test('POS-07-partial a router that never had a position has none; without a day it is today', async () => {
    const { json } = await app.call('GET', `${BASE}/device/trail`, { as: user, query: { device: parked.id } });
    expect(json.result).toMatchObject({ day: '2026-11-20', newest: null, fixes: [], stops: [], gaps: [], km: 0 });
  });

  test('POS-04-partial a day or a zone that does not exist is rejected, and so is a device of others', async () => {
    for (const query of [{ day: '2026-02-30' }, { day: '11/19/2026' }, { zone: 'Mars/Base' }, { device: 'x' }])
      expect((await ask(user, query)).status, JSON.stringify(query)).toBe('device' in query ? 404 : 400);
    expect((await ask(unrelated, {})).status).toBe(404);
    expect((await ask(unrelated, { format: 'csv' }, 'trail/file')).status).toBe(404);
    expect((await ask(user, { format: 'kml' }, 'trail/file')).status).toBe(400);
    expect((await trailOf({}, mainPerson)).fixes).toHaveLength(27);
  });

  test('POS-04-partial as GeoJSON, GPX and CSV', async () => {
    const geo = await ask(user, { format: 'geojson' }, 'trail/file');
    expect(geo.headers['content-type']).toBe('application/geo+json');
    expect(geo.headers['content-disposition']).toContain('Bus');
    const { features } = JSON.parse(geo.text) as { features: { geometry: { type: string; coordinates: unknown[] } }[] };
    expect(features.map(({ geometry }) => [geometry.type, geometry.coordinates.length])).toEqual([
      ['LineString', 25],
      ['LineString', 2],
      ['Point', 2],
    ]);

    const gpx = await ask(user, { format: 'gpx' }, 'trail/file');
    expect(XMLValidator.validate(gpx.text)).toBe(true);
    const { trk } = new XMLParser({ isArray: (name) => name === 'trkpt' }).parse(gpx.text).gpx;
    expect(trk.name).toBe('<Bus> & 1 2026-11-19');
    expect(trk.trkseg.map(({ trkpt }: { trkpt: { time: string }[] }) => [trkpt.length, trkpt[0]!.time])).toEqual([
      [25, '2026-11-20T00:00:00Z'],
      [2, '2026-11-20T02:00:00Z'],
    ]);
    expect(gpx.text).toContain('<t:speed>8.68</t:speed>');

    const csv = await ask(user, { format: 'csv', language: 'zh-TW' }, 'trail/file');
    const lines = csv.text.trim().split('\r\n');
    expect(lines).toHaveLength(28);
    expect(lines[0]).toContain('時間,緯度,經度');
    expect(lines[1]).toBe('2026/11/19 18:00:00,41.88,-87.63,31.3,0,4.6,-71');
  });

  test('POS-04-partial has what former routers of the device reported, and nothing of the time of another owner', async () => {
    const former = await addDevice(app, own, fresh());
    await drive(former.routerId, '2026-11-18T12:00:00Z', 10, [0, 10, 20]);
    await app.owner.query(
      `update router_ownership set device_id = $1, owned_from = '2026-11-18T12:00:10Z', owned_until = '2026-11-19' where router_id = $2`,
      [bus.id, former.routerId],
    );
    expect((await trailOf({ day: '2026-11-18' })).fixes.map(([at]) => at)).toEqual([
      seconds('2026-11-18T12:00:10Z'),
      seconds('2026-11-18T12:00:20Z'),
    ]);
    await app.owner.query(`update router_ownership set organization_id = gen_random_uuid() where router_id = $1`, [
      former.routerId,
    ]);
    expect((await trailOf({ day: '2026-11-18' })).fixes).toEqual([]);
  });
});
