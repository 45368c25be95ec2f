import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createServingCellJobs } from './serving-cells.job.ts';
import { addSquares, estimatePlace, MOST_SQUARES, squareOf } from './serving-cells.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const DAYS = 30;
const app = useTestApp(NOW);
const fresh = routersNamed('SC');
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;
let other: Actor;
let mainPerson: Actor;

const squares = (places: readonly (readonly [number, number])[], at = Date.parse(NOW)) =>
  places.map(([latitude, longitude]) => squareOf({ latitude, longitude, at }));

describe('where a cell is', () => {
  test('SAY-08-partial the median of the squares in which vehicles were, with the radius of nine of ten, at least 500 m', () => {
    const near = estimatePlace(squares([[41.9, -87.65], [41.901, -87.651], [41.902, -87.652]])); // prettier-ignore
    expect(near).toEqual({ latitude: 41.901, longitude: -87.651, radius: 500 });
    // One of ten that is elsewhere moves neither the middle nor the radius.
    const nine = Array.from({ length: 9 }, (_, index) => [41.9 + index * 0.005, -87.65] as const);
    const wide = estimatePlace(squares([...nine, [45, -80]]))!;
    expect(wide.latitude).toBeCloseTo(41.9225, 4);
    expect(wide.radius).toBeGreaterThan(2_400);
    expect(wide.radius).toBeLessThan(2_600);
  });

  test('SAY-08-partial says nothing from two squares, nor from squares that are 60 km apart: a number that two cells have', () => {
    expect(estimatePlace([])).toBeUndefined();
    expect(estimatePlace(squares([[41.9, -87.65], [41.91, -87.65]]))).toBeUndefined(); // prettier-ignore
    expect(estimatePlace(squares([[41.9, -87.65], [41.91, -87.65], [42.44, -87.65], [42.45, -87.65]]))).toBeUndefined(); // prettier-ignore
  });

  test('SAY-08-partial a cell at the date line has its middle there', () => {
    const found = estimatePlace(squares([[-17, 179.99], [-17, -179.99], [-17, -179.98]]))!; // prettier-ignore
    expect(found.longitude).toBeCloseTo(-179.99, 5);
    expect(found.radius).toBeLessThan(2_500);
    const west = estimatePlace(squares([[-17, -179.99], [-17, 179.98], [-17, 179.99]]))!; // prettier-ignore
    expect(west.longitude).toBeCloseTo(179.99, 5);
  });

  test('SAY-08-partial keeps each square once, the latest hundred, and none from before the retention', () => {
    const parked = squares([[41.9, -87.65]]);
    expect(addSquares(parked, squares([[41.9, -87.65]]), 0)).toEqual(parked);
    const later = squares([[41.9, -87.65]], Date.parse(NOW) + 86_400_000);
    expect(addSquares([...parked, ...squares([[41.95, -87.65]])], later, 0).map(({ day }) => day - parked[0]!.day)).toEqual([
      0, 1,
    ]);
    const many = squares(Array.from({ length: MOST_SQUARES + 20 }, (_, index) => [41 + index / 100, -87] as const));
    expect(addSquares([], many, 0)).toEqual(many.slice(20));
    expect(addSquares(parked, later, later[0]!.day)).toEqual(later);
  });
});

const cell = { carrier: 'AT&T', technology: 'LTE', cell_id: '26815744' };
const hoursAgo = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000);
const put = (
  device: TestDevice,
  latitude: number,
  longitude: number,
  hours = 0,
  more: { jump?: boolean; accuracy?: number } = {},
) =>
  app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, accuracy, is_jump, stored_at) values ($1, $2, $3, $4, $5, $6, $2)
     on conflict (router_id) do update set at = excluded.at, latitude = excluded.latitude, longitude = excluded.longitude, is_jump = excluded.is_jump`,
    [device.routerId, hoursAgo(hours), latitude, longitude, more.accuracy ?? 5, more.jump ?? false],
  );
const add = async (scope: OrganizationScope, columns: Record<string, unknown> = {}) => {
  const device = await addDevice(app, scope, fresh(), {
    columns: { presence: 'online', presence_since: hoursAgo(20), ...cell, ...columns },
  });
  await app.owner.query('update router_ownership set owned_from = $2 where router_id = $1', [device.routerId, hoursAgo(500)]);
  await app.owner.query('insert into router_contacts (router_id, last_contact_at, rssi, is_weak) values ($1, $2, -71, false)', [
    device.routerId,
    hoursAgo(0),
  ]);
  return device;
};
const [collect, retention] = [0, 1].map(
  (index) => () => createServingCellJobs(app.database, DAYS)[index]!.run(new Date(NOW)),
) as [() => Promise<unknown>, () => Promise<unknown>];
const estimateOf = async (device: TestDevice, as = user) =>
  (await app.call('GET', `${BASE}/device`, { as, query: { device: device.id } })).json.result?.estimated_position;
const known = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from serving_cells`.execute(app.database.read)).rows[0]!.count;
/** Positions of vehicles that drive in a cell. */
const drive = async (devices: readonly TestDevice[], [latitude, longitude] = [41.9, -87.65]) => {
  for (const [index, device] of devices.entries()) await put(device, latitude + index * 0.004, longitude);
  await collect();
};

beforeAll(async () => {
  ({ own, sibling, user, mainPerson } = await openHome(app));
  other = app.person(sibling, 'user');
});
beforeEach(async () => {
  await app.owner.query('delete from serving_cells');
  await app.owner.query('delete from router_positions');
  await app.owner.query(`update devices set presence = 'offline'`);
});

describe('a vehicle without a position', () => {
  test('SAY-08 has an estimated place from the cell that serves it, on its page, in the list, in the file and on the map, marked as such, for those who read positions', async () => {
    const driving = [await add(own), await add(own), await add(own)];
    const lost = await add(own, { vehicle_number: 'Bus without a fix' });
    expect(await estimateOf(lost)).toBeNull();
    await drive(driving);
    const at = Date.parse(NOW) / 1_000;
    const expected = { latitude: 41.904, longitude: -87.65, radius: 500, at };
    expect(await estimateOf(lost)).toEqual(expected);
    expect(await estimateOf(driving[0]!)).toBeNull();
    expect(await estimateOf(lost, mainPerson)).toEqual(expected);

    const query = { search: 'Bus without', field: 'vehicle' };
    const list = await app.call('GET', `${BASE}/devices`, { as: user, query: { limit: '10', ...query } });
    expect(list.json.result).toMatchObject([{ device: lost.id, position_at: null, estimated_position: expected }]);
    const file = await app.call('GET', `${BASE}/devices/export`, { as: user, query: { ...query, columns: 'serial,position' } });
    const rows = parse(file.text, { bom: true });
    expect(rows[1]?.[1]).toBe('Never had a position; estimated from the serving cell: 41.904, -87.65 ± 500 m');

    // Where it is, is read with the right to read positions only.
    const ofRole = { ownRole: { id: newId(), name: 'Desk', rights: ['devices.read'] } };
    const operations = ['devices.get', 'devices.list', 'devices.export', 'devices.exportChosen'];
    const ofKey = { key: { id: newId(), label: 'Stock', organizationId: null, operations } };
    for (const rights of [ofRole, ofKey]) {
      const as = Object.assign(app.person(own, 'user'), rights);
      expect(await estimateOf(lost, as)).toBeNull();
      const page = await app.call('GET', `${BASE}/devices`, { as, query: { limit: '10', ...query } });
      expect(page.json.result).toMatchObject([{ device: lost.id, estimated_position: null }]);
      const copy = await app.call('GET', `${BASE}/devices/export`, { as, query: { ...query, columns: 'serial,position' } });
      expect(parse(copy.text, { bom: true })[1]).toEqual([lost.serial, 'Never had a position']);
      const chosen = { devices: [lost.id], columns: 'serial,position' };
      const part = await app.call('POST', `${BASE}/devices/export`, { as, body: chosen });
      expect(part.status, part.text).toBe(200);
      expect(parse(part.text, { bom: true })[1]).toEqual([lost.serial, 'Never had a position']);
    }
    const withMap = { ...ofRole.ownRole, rights: ['devices.read', 'positions.read'] };
    expect(await estimateOf(lost, Object.assign(app.person(own, 'user'), { ownRole: withMap }))).toEqual(expected);

    const ownMap = async (more: Record<string, string> = {}) =>
      (await app.call('GET', `${BASE}/positions`, { as: user, query: { ...query, ...more } })).json.result;
    const { vehicles, estimated, never, asOf } = await ownMap();
    expect({ vehicles, never }).toEqual({ vehicles: [], never: 1 });
    expect(estimated).toEqual([[lost.id, 'Bus without a fix', 41.904, -87.65, at, 'online', -71, 500, null, null]]);
    expect((await ownMap({ bbox: '-88,41,-87,42' })).estimated).toHaveLength(1);
    expect((await ownMap({ bbox: '-87,41,-86,42' })).estimated).toEqual([]);
    expect((await ownMap({ since: String(asOf) })).estimated).toBeUndefined();
  });

  test('SAY-08-partial no trail or feed has it, and no state of a geofence comes from it', async () => {
    const lost = await add(own);
    await drive([await add(own), await add(own), await add(own)]);
    expect(await estimateOf(lost)).not.toBeNull();
    const trail = await app.call('GET', `${BASE}/device/trail`, { as: user, query: { device: lost.id } });
    expect(trail.json.result).toMatchObject({ fixes: [], newest: null });
    const feed = await app.call('GET', `${BASE}/positions/feed`, { as: user, query: { format: 'geojson' } });
    expect(feed.text).not.toContain(lost.id);
    const { rows } = await sql`select from geofence_states where router_id = ${lost.routerId}::uuid`.execute(app.database.read);
    expect(rows).toEqual([]);
  });

  test('SAY-08 an old position outside of the cell is followed by an estimate; a recent one, or one within the cell, is not', async () => {
    await drive([await add(own), await add(own), await add(own)]);
    const lost = await add(own);
    await put(lost, 42.5, -87.65, 3);
    expect(await estimateOf(lost)).toMatchObject({ latitude: 41.904 });
    await put(lost, 42.5, -87.65, 0.5);
    expect(await estimateOf(lost)).toBeNull();
    // In a garage for three hours: where it went in says more.
    await put(lost, 41.9041, -87.6501, 3);
    expect(await estimateOf(lost)).toBeNull();
  });
});

describe('whose positions count', () => {
  test('SAY-08 those of the own organization alone, of one carrier and technology', async () => {
    const theirs = await add(sibling);
    const ours = await add(own);
    const elsewhere = [
      await add(own, { carrier: 'Verizon' }),
      await add(own, { technology: 'NR' }),
      await add(own, { cell_id: '1' }),
    ];
    await drive([await add(sibling), await add(sibling), await add(sibling)]);
    expect(await estimateOf(ours)).toBeNull();
    expect(await estimateOf(theirs, other)).not.toBeNull();
    // One number is a cell of two carriers: each has its own place.
    await drive([await add(own, { carrier: 'Verizon' }), await add(own, { carrier: 'Verizon' }), await add(own, { carrier: 'Verizon' })], [30, -90]); // prettier-ignore
    expect(await Promise.all(elsewhere.map((device) => estimateOf(device)))).toEqual([
      expect.objectContaining({ latitude: 30.004, longitude: -90 }),
      null,
      null,
    ]);
    expect(await estimateOf(ours)).toBeNull();
    expect((await app.call('GET', `${BASE}/device`, { as: other, query: { device: ours.id } })).status).toBe(404);
  });

  test('SAY-08 neither of jumps, of rough positions, of old ones, nor of routers that are offline or report no cell', async () => {
    const [jumped, rough, old] = [await add(own), await add(own), await add(own)];
    const silent = [await add(own, { presence: 'offline' }), await add(own, { cell_id: null }), await add(own, { carrier: '' })];
    await put(jumped, 41.9, -87.65, 0, { jump: true });
    await put(rough, 41.91, -87.65, 0, { accuracy: 3_000 });
    await put(old, 41.92, -87.65, 0.1);
    for (const device of silent) await put(device, 41.93, -87.65);
    await collect();
    expect(await known()).toBe(0);
  });

  test('SAY-08 what was before a transfer says nothing, neither of the cell nor of the last contact', async () => {
    const moved = await add(own);
    await drive([await add(own), await add(own), await add(own)]);
    await app.owner.query('update router_ownership set owned_from = $2 where router_id = $1', [moved.routerId, hoursAgo(-1)]);
    expect(await estimateOf(moved)).toBeNull();
    await put(moved, 41.95, -87.65);
    const before = await sql`select * from serving_cells`.execute(app.database.read);
    await collect();
    expect((await sql`select * from serving_cells`.execute(app.database.read)).rows).toEqual(before.rows);
  });

  test('SAY-08 squares go with their retention, that of the organization too, and with the organization', async () => {
    await drive([await add(own), await add(own), await add(own)]);
    await drive([await add(sibling), await add(sibling), await add(sibling)]);
    /** The first square of each cell is so many days old. */
    const age = (days: number) =>
      app.owner.query('update serving_cells set days[1] = $1::int, oldest_day = $1::int', [
        Math.floor(Date.parse(NOW) / 86_400_000) - days,
      ]);
    const count = async ({ organizationId }: OrganizationScope) =>
      (
        await sql<{
          count: number;
        }>`select cardinality(days) as count from serving_cells where organization_id = ${organizationId}::uuid`.execute(
          app.database.read,
        )
      ).rows[0]?.count;
    await age(DAYS);
    await retention();
    expect([await count(own), await count(sibling)]).toEqual([3, 3]);
    await app.owner.query('update organizations set retention_days = 7 where id = $1', [own.organizationId]);
    await retention();
    expect([await count(own), await count(sibling)]).toEqual([2, 3]);
    await app.owner.query('update organizations set retention_days = null where id = $1', [own.organizationId]);
    await age(DAYS + 1);
    await app.owner.query('update serving_cells set days = array(select d - 40 from unnest(days) d), oldest_day = oldest_day - 40 where organization_id = $1', [own.organizationId]); // prettier-ignore
    await retention();
    expect([await count(own), await count(sibling)]).toEqual([undefined, 2]);
  });
});
