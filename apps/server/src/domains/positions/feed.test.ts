import { parse as parseProto } from 'protobufjs';
import { beforeAll, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';

const PATH = '/data_manager/v1/dm/positions/feed';
const NOW = '2026-11-20T12:00:00Z';
const NOW_S = Date.parse(NOW) / 1_000;

/** The messages of the GTFS Realtime Reference 2.0 that a feed of VehiclePositions has, read by another implementation than writes them. */
const { root } = parseProto(`syntax = "proto2";
message FeedMessage { required FeedHeader header = 1; repeated FeedEntity entity = 2; }
message FeedHeader {
  enum Incrementality { FULL_DATASET = 0; DIFFERENTIAL = 1; }
  required string gtfs_realtime_version = 1; optional Incrementality incrementality = 2; optional uint64 timestamp = 3;
}
message FeedEntity { required string id = 1; optional bool is_deleted = 2; optional VehiclePosition vehicle = 4; }
message VehiclePosition {
  optional TripDescriptor trip = 1; optional Position position = 2; optional uint64 timestamp = 5; optional VehicleDescriptor vehicle = 8;
}
message Position {
  required float latitude = 1; required float longitude = 2; optional float bearing = 3; optional double odometer = 4; optional float speed = 5;
}
message VehicleDescriptor { optional string id = 1; optional string label = 2; optional string license_plate = 3; }
message TripDescriptor { optional string trip_id = 1; optional string route_id = 5; }`);
const FeedMessage = root.lookupType('FeedMessage');
const read = (bytes: Uint8Array) =>
  FeedMessage.toObject(FeedMessage.decode(bytes), { longs: Number, enums: String }) as {
    header: unknown;
    entity?: { id: string; vehicle: { position: { speed: number; latitude: number }; trip?: unknown } }[];
  };

const app = useTestApp(NOW);
const fresh = routersNamed('FD');
let own: OrganizationScope;
let user: Actor;
let unrelated: Actor;
let moving: TestDevice;
let unnamed: TestDevice;
let elsewhere: TestDevice;

const place = (device: TestDevice, ageSeconds: number, [latitude, longitude]: readonly [number, number], isJump = false) =>
  app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump, stored_at)
     values ($1, to_timestamp($2), $3, $4, 4, 36, 270, $5, to_timestamp($2))`,
    [device.routerId, NOW_S - ageSeconds, latitude, longitude, isJump],
  );

beforeAll(async () => {
  const home = await openHome(app);
  ({ own, user } = home);
  unrelated = app.person((await openHome(app)).own, 'admin');
  moving = await addDevice(app, own, fresh(), { columns: { vehicle_number: 'Bus 1' } });
  unnamed = await addDevice(app, own, fresh());
  const asleep = await addDevice(app, own, fresh());
  const jumping = await addDevice(app, own, fresh());
  elsewhere = await addDevice(app, home.sibling, fresh());
  await app.owner.query(`update router_ownership set owned_from = '2026-01-01'`);
  await place(moving, 30, [41.8826, -87.6233]);
  await place(unnamed, 3_600, [-17.5, 179.9]);
  await place(asleep, 10 * 86_400, [40, -90]);
  await place(jumping, 30, [12, 12], true);
  await place(elsewhere, 30, [25.05, 121.5]);
});

const ask = (as: Actor, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  app.call('GET', PATH, { as, query, headers });

test('RPM-06-partial the feed of an organization is read by another implementation of protocol buffers', async () => {
  const answer = await ask(user);
  expect(answer.headers['content-type']).toBe('application/x-protobuf');
  const { header, entity } = read(answer.bytes);
  expect(header).toEqual({ gtfsRealtimeVersion: '2.0', incrementality: 'FULL_DATASET', timestamp: NOW_S });
  expect(entity!.map(({ id }) => id).toSorted()).toEqual([moving.id, unnamed.id].toSorted());
  const { vehicle } = entity!.find(({ id }) => id === moving.id)!;
  expect(vehicle).toEqual({
    position: { latitude: Math.fround(41.8826), longitude: Math.fround(-87.6233), bearing: 270, speed: 10 },
    timestamp: NOW_S - 30,
    vehicle: { id: moving.id, label: 'Bus 1' },
  });
  expect(entity!.find(({ id }) => id === unnamed.id)!.vehicle).toMatchObject({ vehicle: { id: unnamed.id } });
  expect(Buffer.from(answer.bytes).includes(unnamed.serial)).toBe(false);
});

test('RPM-06-partial groups are routes on request, and filter', async () => {
  const { entity } = read((await ask(user, { routes: 'groups', group: 'default+group+id' })).bytes);
  expect(entity!.map(({ vehicle }) => vehicle.trip)).toEqual([{ routeId: 'default' }, { routeId: 'default' }]);
  // A plus sign of an address may be a space.
  expect(read((await ask(user, { group: 'default group id' })).bytes).entity).toHaveLength(entity!.length);
  expect(read((await ask(user, { group: 'another' })).bytes).entity).toBeUndefined();
});

test('RPM-06-partial older positions are there on request, and a whole main account has those of all organizations', async () => {
  expect(read((await ask(user, { maxAge: '2000000' })).bytes).entity).toHaveLength(3);
  expect(read((await ask(user, { maxAge: '60' })).bytes).entity).toHaveLength(1);
  expect((await ask(user, { maxAge: '0' })).status).toBe(400);
  const main = app.person({ kind: 'main', mainAccountId: own.mainAccountId }, 'main');
  expect(read((await ask(main)).bytes).entity).toHaveLength(3);
  expect(read((await ask(unrelated)).bytes).entity).toBeUndefined();
});

test('RPM-06-partial the same as GeoJSON; a reader that has it already gets 304 without content', async () => {
  const answer = await ask(user, { format: 'geojson' });
  expect(answer.headers['content-type']).toContain('application/geo+json');
  expect(JSON.parse(answer.text).features).toContainEqual({
    type: 'Feature',
    id: moving.id,
    geometry: { type: 'Point', coordinates: [-87.6233, 41.8826] },
    properties: { vehicle: 'Bus 1', group: 'default', at: '2026-11-20T11:59:30.000Z', speedKmh: 36, heading: 270 },
  });
  const tag = String((await ask(user)).headers['etag']);
  app.clock.advance(1_000);
  const again = await ask(user, {}, { 'if-none-match': tag });
  expect({ status: again.status, bytes: again.bytes.length }).toEqual({ status: 304, bytes: 0 });
  await app.owner.query('update router_positions set latitude = 41.9 where router_id = $1', [moving.routerId]);
  expect((await ask(user, {}, { 'if-none-match': tag })).status).toBe(200);
});

test('RPM-06-partial an API key that may call the feed reads its organization, and nothing else', async () => {
  const accountId = await app.seeding.account(own, 'feeds@highline.invalid', 'admin');
  const maker = Object.assign(app.person(own, 'admin'), { accountId });
  const { json } = await app.call('POST', '/data_manager/v1/dm/api_keys', {
    as: maker,
    body: { name: 'Passenger map', operations: ['positions.feed'] },
  });
  const key = { authorization: `Bearer ${json.secret}` };
  expect(read((await app.call('GET', PATH, { headers: key })).bytes).entity!.map(({ id }) => id)).toContain(moving.id);
  expect((await app.call('GET', '/data_manager/v1/dm/positions', { headers: key })).status).toBe(403);
});
