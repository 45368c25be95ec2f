import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { silentLog } from '../../testing/log.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createPositions, type Positions } from '../positions/index.ts';
import { createGeofenceEvaluation, importGeofences, purgeGeofenceEvents, completeCrossings } from './index.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const NOON = Date.parse(NOW) / 1_000;
const app = useTestApp(NOW);
const fresh = routersNamed('GF');
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let user: Actor;
let unrelated: Actor;
let mainPerson: Actor;
let bus: TestDevice;
let tram: TestDevice;

const yard = { kind: 'circle', latitude: 41.88, longitude: -87.63, radius: 200 };
const METRE = 1 / 111_195;

beforeAll(async () => {
  ({ own, sibling, admin, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  bus = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 1' } });
  tram = await addDevice(app, own, fresh());
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, as: Actor, more: object = {}) =>
  app.call(method, `${BASE}/geofences${path}`, { as, ...more });
const add = async (name: string, shape: object = yard, as = admin) => call('POST', '', as, { body: { name, shape } });
const idOf = async (name: string, shape: object = yard): Promise<string> => (await add(name, shape)).json.result.id;
const list = async (as = user) =>
  (await call('GET', '', as)).json.result as { id: string; name: string; inside: number; version: number }[];
const eventsOf = async (id: string) =>
  (
    await app.owner.query<{ kind: string; at: Date }>('select kind, at from geofence_events where geofence_id = $1 order by id', [
      id,
    ])
  ).rows.map(({ kind, at }) => [kind, at.getTime() / 1_000 - NOON]);

/** As after a restart: nothing is known but what is stored. */
async function restart(): Promise<Positions> {
  const positions = createPositions({
    database: app.database,
    clock: app.clock,
    log: silentLog,
    retentionDays: 30,
    settings: { collectMs: 1 },
    onStored: createGeofenceEvaluation(),
  });
  await positions.start();
  return positions;
}

/** Report positions: seconds after noon, metres north of the middle of the yard. */
async function report(positions: Positions, { routerId }: TestDevice, ...fixes: readonly (readonly [number, number])[]) {
  const trail = fixes.map(([at, north]) => [NOON + at, (41.88 + north * METRE).toFixed(6), -87.63].join(',')).join(';');
  await positions.pushed(routerId, [{ values: [['Device.X_HIGHLINE_GPS.Trail', trail]] }]);
}

describe('geofences of an organization', () => {
  test('POS-05-partial are added, listed, changed and deleted by admins, and seen by users; each change is in the log', async () => {
    const id = await idOf('Depot');
    expect((await add('Depot')).json.error.key).toBe('geofence.name_taken');
    expect((await add('Users', yard, user)).status).toBe(403);
    expect(await list()).toMatchObject([{ id, name: 'Depot', inside: 0, version: 1 }]);
    const renamed = await call('PATCH', `/${id}`, admin, { body: { name: 'Depot north' }, headers: { 'if-match': '"1"' } });
    expect(renamed.json.result).toMatchObject({ name: 'Depot north', version: 2 });
    const stale = await call('PATCH', `/${id}`, admin, { body: { name: 'X' }, headers: { 'if-match': '"1"' } });
    expect(stale.status).toBe(412);
    expect((await call('DELETE', `/${id}`, admin)).json.result).toEqual({ deleted: 1 });
    expect((await call('DELETE', `/${id}`, admin)).json.error.key).toBe('geofence.not_found');
    const { rows } = await app.owner.query(
      `select action from audit_entries where chain_id = $1 and action like '% geofence %' order by seq`,
      [own.organizationId],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'Added geofence Depot',
      'Changed geofence Depot north',
      'Deleted geofence Depot north',
    ]);
  });

  test('POS-05-partial belong to one organization: others have none of them, and the main account names the organization', async () => {
    const id = await idOf('Own yard');
    expect(await list(unrelated)).toEqual([]);
    expect((await call('PATCH', `/${id}`, unrelated, { body: { name: 'Mine' } })).status).toBe(404);
    expect((await call('DELETE', `/${id}`, unrelated)).status).toBe(404);
    expect((await call('DELETE', '/x', admin)).status).toBe(404);
    const ofMain = async (org: string) => (await call('GET', '', mainPerson, { query: { org } })).json.result.length;
    expect([await ofMain(own.organizationId), await ofMain(sibling.organizationId)]).toEqual([1, 0]);
    await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial come from GeoJSON, all or none; what cannot be one is rejected with a sentence and the number of the feature', async () => {
    const ring = [[0, 0], [1, 0], [1, 1], [0, 0]]; // prettier-ignore
    const area = (geometry: object, properties: object = {}) => ({ type: 'Feature', geometry, properties });
    const send = (features: object[], query = {}) =>
      call('POST', '/import', admin, { query, body: { geojson: JSON.stringify({ type: 'FeatureCollection', features }) } });
    const good = [
      area({ type: 'Polygon', coordinates: [ring] }, { name: 'North' }),
      area({ type: 'Point', coordinates: [-87.63, 41.88] }, { radius: 90 }),
    ];
    const check = (features: object[]) => send(features, { dryRun: '1' });
    expect((await check(good)).json.result).toEqual({ dryRun: true, added: 2, leftOutCount: 0, leftOut: [] });
    expect(await list()).toEqual([]);
    expect((await send(good)).json.result).toEqual({ dryRun: false, added: 2, leftOutCount: 0, leftOut: [] });
    expect((await list()).map(({ name }) => name)).toEqual(['Area 2', 'North']);
    for (const again of [send, check]) expect((await again(good)).json.error.key).toBe('geofence.name_taken');
    const keyOf = async (geometry: object) => {
      const { status, json } = await send([area({ type: 'Polygon', coordinates: [ring] }), area(geometry)]);
      expect(status).toBe(400);
      expect(json.error.reason).toBe('Feature 2');
      return [json.error.key, json.error.field];
    };
    const across = { type: 'Polygon', coordinates: [[[179, 0], [-179, 0], [-179, 1], [179, 0]]] }; // prettier-ignore
    expect(await keyOf(across)).toEqual(['geofence.date_line', 'feature 2']);
    const crossed = { type: 'Polygon', coordinates: [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]] }; // prettier-ignore
    expect(await keyOf(crossed)).toEqual(['geofence.crosses_itself', 'feature 2']);
    const huge = Array.from({ length: 100_000 }, (_, index) => [index / 1e6, 0]);
    expect(await keyOf({ type: 'Polygon', coordinates: [huge] })).toEqual(['geofence.too_many_corners', 'feature 2']);
    expect(await list()).toHaveLength(2);
    for (const { id } of await list()) await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial come from a second file without names, with the next free numbers; a name that is there, twice or damaged is that of a feature', async () => {
    const geometry = { type: 'Point', coordinates: [-87.63, 41.88] };
    const send = (...names: unknown[]) => {
      const features = names.map((name) => ({ type: 'Feature', geometry, properties: { name, radius: 90 } }));
      return call('POST', '/import', admin, { body: { geojson: JSON.stringify({ type: 'FeatureCollection', features }) } });
    };
    const names = async () => (await list()).map(({ name }) => name);
    for (const file of [
      [null, null],
      [undefined, 'Area 4', 12],
      ['', ''],
    ])
      // prettier-ignore
      expect((await send(...file)).json.result).toMatchObject({ added: file.length });
    expect(await names()).toEqual(['12', 'Area 1', 'Area 2', 'Area 3', 'Area 4', 'Area 5', 'Area 6']);
    expect((await send('North', 'area 1')).json.error).toMatchObject({
      key: 'geofence.name_taken',
      message: '“area 1”: a geofence with this name already exists.',
      field: 'feature 2',
    });
    expect((await send('North', 'South', 'NORTH')).json.error).toMatchObject({ key: 'geofence.name_twice', field: 'feature 3' });
    const damaged = await send('North', 'Z\ufffdrich');
    expect([damaged.status, damaged.json.error]).toMatchObject([400, { key: 'geofence.name', field: 'feature 2' }]);
    expect(await names()).toHaveLength(7);
    for (const { id } of await list()) await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial come from files that also have lines and empty geometries, which are named; an area may have several parts', async () => {
    const square = (west: number) => [[[west, 0], [west + 0.1, 0], [west + 0.1, 1], [west, 0]]]; // prettier-ignore
    const area = (type: string, coordinates: unknown) => ({ type: 'Feature', geometry: { type, coordinates }, properties: {} });
    const line = area('LineString', [[0, 0], [1, 1]]); // prettier-ignore
    const send = (...features: object[]) =>
      call('POST', '/import', admin, { body: { geojson: `\ufeff${JSON.stringify({ type: 'FeatureCollection', features })}` } });
    const { json } = await send(line, area('MultiPolygon', [square(-180), square(179.9)]), area('Polygon', []));
    expect(json.result).toEqual({
      dryRun: false,
      added: 1,
      leftOutCount: 2,
      leftOut: [
        { feature: 1, reason: 'geometry' },
        { feature: 3, reason: 'empty' },
      ],
    });
    expect(await list()).toMatchObject([
      { name: 'Area 2', shape: { kind: 'polygon', rings: [...square(-180), ...square(179.9)] } },
    ]);
    expect((await send(line)).json.error).toMatchObject({ key: 'geofence.geometry', field: 'shape' });
    const other = await call('POST', '/import', admin, { body: { geojson: '<kml/>' } });
    expect(other.json.error).toMatchObject({ key: 'geofence.not_geojson', field: 'shape' });
    expect((await send(area('Point', [0, 0]))).json.error).toMatchObject({ key: 'geofence.no_radius', reason: 'Feature 1' });
    for (const { id } of await list()) await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial of too many corners are rejected before a shape is looked at, and others have their turn between shapes', async () => {
    // A strip of slanting edges, whose boxes are all in one another: what takes longest to check.
    const strip = Array.from({ length: 996 }, (_, index) => [
      (index + (index % 2) * 750) / 500,
      ((index % 2) * 750 - index) / 500,
    ]);
    const outer = [[3.6, -2], [-2, -2]]; // prettier-ignore
    const areas = (count: number, ring: number[][]) =>
      JSON.stringify({
        type: 'FeatureCollection',
        features: Array.from({ length: count }, () => ({
          type: 'Feature',
          geometry: { type: 'Polygon', coordinates: [[...ring, ...outer, ring[0]]] },
          properties: {},
        })),
      });
    // Each has 999 corners and crosses itself.
    const crossed = await call('POST', '/import', admin, { body: { geojson: areas(21, strip.toReversed().with(0, [0, -5])) } });
    expect([crossed.status, crossed.json.error.key, crossed.json.error.field]).toEqual([409, 'geofence.too_many', 'feature 21']);
    let others = 0;
    let othersBefore: number | undefined;
    const count = () => {
      others += 1;
      if (othersBefore === undefined) setImmediate(count);
    };
    setImmediate(count);
    const database: typeof app.database = {
      ...app.database,
      write: (work) => {
        othersBefore = others;
        return app.database.write(work);
      },
    };
    expect(await importGeofences({ database, clock: app.clock }, own, admin, areas(20, strip))).toMatchObject({ added: 20 });
    expect(othersBefore).toBeGreaterThan(0);
    for (const { id } of await list()) await call('DELETE', `/${id}`, admin);
  });
});

describe('vehicles at a geofence', () => {
  test('POS-05-partial enter and leave with hysteresis, over reports and a restart; on the timeline, as a filter, and for other domains', async () => {
    const first = await restart();
    await report(first, bus, [-900, 5_000], [-890, 4_000]);
    const id = await idOf('Yard');
    await report(first, bus, [-600, 100], [-590, 90]);
    await first.stop();
    expect(await eventsOf(id)).toEqual([]);
    // What is pending is stored: the next process goes on.
    const second = await restart();
    await report(second, bus, [-560, 50], [-500, 230], [-400, 240]);
    expect(await eventsOf(id)).toEqual([['entered', -600]]);
    expect(await list()).toMatchObject([{ inside: 1 }]);
    const inside = async (geofence: string, as = user) =>
      (
        (await app.call('GET', `${BASE}/devices`, { as, query: { limit: '10', geofence } })).json.result as { device: string }[]
      ).map(({ device }) => device);
    expect(await inside(id)).toEqual([bus.id]);
    expect(await inside(id, unrelated)).toEqual([]);
    expect(await inside('nonsense')).toEqual([]);
    const onMap = await app.call('GET', `${BASE}/positions`, { as: user, query: { geofence: id } });
    expect(onMap.json.result.vehicles).toHaveLength(1);

    // Late positions change nothing, nor does a jump there and back.
    await report(second, bus, [-800, 5_000], [-700, 5_000]);
    await report(second, bus, [-390, 900_000]);
    expect(await eventsOf(id)).toHaveLength(1);
    await report(second, bus, [-300, 260], [-280, 400], [-200, 2_000]);
    expect(await eventsOf(id)).toEqual([
      ['entered', -600],
      ['left', -280],
    ]);
    expect(await inside(id)).toEqual([]);
    await second.stop();

    const timeline = await app.call('GET', `${BASE}/device/timeline`, { as: user, query: { device: bus.id, kind: 'geofence' } });
    expect(timeline.json.result).toMatchObject([
      { kind: 'geofence', event: 'left', label: 'Yard', at: NOON - 280 },
      { kind: 'geofence', event: 'entered', label: 'Yard', at: NOON - 600 },
    ]);
    const { rows } = await app.owner.query(
      `select count(*)::int as n from outbox where topic = 'geofences' and organization_id = $1`,
      [own.organizationId],
    );
    expect(rows[0].n).toBeGreaterThan(2);
    await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial that are switched off on arrival have entered after 30 s, once, with any number of processes and after a restart; those that report on have not', async () => {
    const complete = async (at: number, reportSeconds = 60) => {
      const now = new Date((NOON + at) * 1_000);
      await Promise.all([
        completeCrossings(app.database, now, { reportSeconds }),
        completeCrossings(app.database, now, { reportSeconds }),
      ]);
    };
    const clock = (at: number) => app.clock.set(new Date((NOON + at) * 1_000).toISOString());
    const positions = await restart();
    clock(3_600);
    await report(positions, bus, [3_500, 5_000]);
    const id = await idOf('Depot at night');
    await report(positions, bus, [3_590, 4_000], [3_600, 10]);
    await positions.stop();
    await complete(3_629);
    expect(await eventsOf(id)).toEqual([]);
    // Online, its next report may say that it drove on: due at 3,660.
    await app.owner.query(`update devices set presence = 'online' where id = $1`, [bus.id]);
    await complete(3_674);
    expect(await eventsOf(id)).toEqual([]);
    await complete(3_675);
    expect(await eventsOf(id)).toEqual([['entered', 3_600]]);
    expect(await list()).toMatchObject([{ inside: 1 }]);
    // The next morning it is outside and switched off at once; the same the other way round.
    const next = await restart();
    clock(40_000);
    await report(next, bus, [40_000, 2_000]);
    await app.owner.query(`update devices set presence = 'offline' where id = $1`, [bus.id]);
    await complete(40_030);
    await complete(40_200);
    expect(await eventsOf(id)).toEqual([
      ['entered', 3_600],
      ['left', 40_000],
    ]);
    // It only crosses the yard: the position after it says so.
    await report(next, bus, [40_300, 10], [40_310, 2_000]);
    await complete(40_400);
    expect(await eventsOf(id)).toHaveLength(2);
    await next.stop();
    clock(0);
    await app.owner.query('delete from router_positions');
    await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial that are inside when it is drawn do not enter it, and those that were inside when it is moved do not leave it', async () => {
    const positions = await restart();
    await report(positions, tram, [-500, 0], [-490, 0]);
    const id = await idOf('Around the tram');
    expect((await list())[0]!.inside).toBe(1);
    await report(positions, tram, [-400, 10], [-300, 10]);
    expect(await eventsOf(id)).toEqual([]);
    await call('PATCH', `/${id}`, admin, { body: { shape: { ...yard, latitude: 42 } } });
    await report(positions, tram, [-200, 10], [-100, 10]);
    expect(await eventsOf(id)).toEqual([]);
    expect((await list())[0]!.inside).toBe(0);
    await positions.stop();
    await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial a circle that is saved with another name and its own area is not moved: a vehicle that just came in enters it', async () => {
    const vehicle = await addDevice(app, own, fresh());
    await app.owner.query(`update router_ownership set owned_from = '2026-11-01' where router_id = $1`, [vehicle.routerId]);
    const positions = await restart();
    const id = await idOf('Renamed');
    await report(positions, vehicle, [-600, 400], [-570, 0]);
    const saved = await call('PATCH', `/${id}`, admin, { body: { name: 'Renamed depot', shape: yard } });
    expect(saved.json.result).toMatchObject({ name: 'Renamed depot', shape: yard, version: 2 });
    await report(positions, vehicle, [-530, 0]);
    expect(await eventsOf(id)).toEqual([['entered', -570]]);
    await positions.stop();
    await app.owner.query('delete from router_positions where router_id = $1', [vehicle.routerId]);
    await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial a vehicle that gets another router inside of a geofence does not enter it again, and leaves it', async () => {
    app.clock.set(NOW);
    const vehicle = await addDevice(app, own, fresh());
    const owned = (routerId: string, at: number) =>
      app.owner.query('update router_ownership set owned_from = to_timestamp($2) where router_id = $1', [routerId, NOON + at]);
    await owned(vehicle.routerId, -900);
    const positions = await restart();
    const id = await idOf('Depot of replacements');
    await report(positions, vehicle, [-600, 400], [-570, 0], [-540, 0], [-510, 0]);
    expect(await eventsOf(id)).toEqual([['entered', -570]]);
    // Other vehicles may be there.
    const inside = async () => (await list()).find((fence) => fence.id === id)!.inside;
    const before = await inside();
    expect(before).toBeGreaterThan(0);
    const next = fresh();
    const [router] = await app.seeding.routers({ kind: 'main', mainAccountId: own.mainAccountId }, [next]);
    const body = { device: vehicle.id, serial_number: next.serial, mac: next.mac };
    expect((await app.call('POST', `${BASE}/device/router`, { as: admin, body })).status).toBe(200);
    expect(await inside()).toBe(before);
    await owned(router!.id, -500);
    const replaced = { ...vehicle, routerId: router!.id };
    await report(positions, replaced, [-450, 0], [-420, 0], [-390, 0]);
    expect(await eventsOf(id)).toEqual([['entered', -570]]);
    await report(positions, replaced, [-300, 400], [-270, 400], [-240, 400]);
    expect(await eventsOf(id)).toEqual([
      ['entered', -570],
      ['left', -300],
    ]);
    await positions.stop();
    await call('DELETE', `/${id}`, admin);
  });

  test('POS-05-partial of a batch that fails are evaluated again with it, once; events end with the days kept, states with the router', async () => {
    let faults = 0;
    const evaluate = createGeofenceEvaluation();
    const positions = createPositions({
      database: app.database,
      clock: app.clock,
      log: silentLog,
      retentionDays: 30,
      settings: { collectMs: 1 },
      onStored: async (tx, stored) => {
        await evaluate(tx, stored);
        if (faults-- > 0) throw new Error('The connection was lost.');
      },
    });
    await positions.start();
    await report(positions, tram, [-95, 5_000]);
    const id = await idOf('Again');
    faults = 2;
    await report(positions, tram, [-90, 0], [-50, 0]);
    expect(faults).toBe(-1);
    expect(await eventsOf(id)).toEqual([['entered', -90]]);
    await app.owner.query('update router_ownership set owned_until = now() where router_id = $1', [tram.routerId]);
    expect(await purgeGeofenceEvents(app.database, 1, new Date(Date.now() + 2 * 86_400_000))).toBeGreaterThan(2);
    expect(await eventsOf(id)).toEqual([]);
    expect((await app.owner.query('select 1 from geofence_states where geofence_id = $1', [id])).rows).toEqual([]);
    await positions.stop();
  });
});
