import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../kernel/index.ts';
import type { Actor } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { deleteHistory, rollupJob } from '../router-state/index.ts';
import { computeDeviceHealth } from './device-health.job.ts';
import { purgeArchivedDevices } from './devices.purge.ts';

// What people and programs read of a vehicle before its router is replaced, and after. Both routers were also others': before the vehicle had
// them, and the former one after it.

const DM = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:10:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('RH');

let home: Home;
let group: string;
let device: TestDevice;
let next: TestDevice;
let before: Awaited<ReturnType<typeof readAll>>;

const insert = (table: string, row: Readonly<Record<string, unknown>>) => {
  const names = Object.keys(row);
  return app.owner.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
};

/** Readings, connections, facts, positions and events of a router, from hours before now until others; values tell whose they are. */
async function live(router_id: string, from: number, until: number, value: number, label: string): Promise<void> {
  const time = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000);
  for (let hours = from; hours > until; hours -= 0.25) {
    await insert('telemetry_reports', { router_id, at: time(hours), rssi: value, rsrp: value - 20, temperature: 40 });
    if (hours % 1 === 0)
      await insert('positions', { router_id, at: time(hours), latitude: value / 2, longitude: 10, is_jump: false });
  }
  await insert('connectivity', { router_id, at: time(from - 0.1), kind: 'online', reason: 'connected' });
  await insert('connectivity', { router_id, at: time(from - 0.2), kind: 'offline', reason: 'connection-lost' });
  await insert('connectivity', { router_id, at: time(from - 0.7), kind: 'online', reason: 'connected' });
  await insert('router_facts', { router_id, at: time(from - 0.1), fact: 'carrier', value: label });
  await insert('router_events', {
    router_id,
    at: time(from - 0.3),
    kind: 'rollout',
    subject: 'config',
    label,
    state: 'successful',
    reason: '',
  });
}

async function readAll(as: Actor) {
  const get = async (path: string, query: Record<string, string> = {}) => {
    const response = await app.call('GET', path, { as, query });
    expect(response.status, `${path} ${response.text}`).toBe(200);
    return response;
  };
  const ofDevice = { device: device.id };
  const period = { on: String(Date.parse('2026-11-18T00:00:00Z')), to: String(Date.parse(NOW)) };
  const readings = async (range: string) => {
    const { series, offline } = (await get(`${DM}/device/readings`, { ...ofDevice, range })).json.result;
    return { series, offline };
  };
  const records = (await get('/data_manager/api/v1/records', { ...ofDevice, ...period, limit: '1000' })).json;
  const { health, health_inputs: inputs, position_at: positioned } = (await get(`${DM}/device`, ofDevice)).json.result;
  return {
    timeline: (await get(`${DM}/device/timeline`, { ...ofDevice, limit: '100' })).json.result.filter(
      ({ kind }: { kind: string }) => kind !== 'action',
    ),
    hour: await readings('1h'),
    day: await readings('24h'),
    month: await readings('30d'),
    records: {
      total: records.total,
      // A device without a name is called by its serial number; the router that reported a record stays.
      result: records.result.map((one: object) => ({ ...one, device_name: '' })),
    },
    allRecords: (await get('/data_manager/api/v1/records', { ...period, limit: '1000' })).json.total,
    counted: (await get('/data_manager/api/v1/statistics/query_count', { ...ofDevice, ...period })).json.result.count,
    statistics: (
      await get('/data_manager/api/v1/statistics/average', {
        ...ofDevice,
        on: '2026-11-18T00:00:00Z',
        to: NOW,
        window: '1h',
        property: 'rssi',
      })
    ).json.result,
    csv: (await get('/data_manager/api/v1/records/export', { ...ofDevice, ...period, format: 'csv' })).text
      .split('\n')
      .map((line) => line.replace(/^"?RH0\d+"?,/u, 'RH,')),
    health: { health, inputs },
    trail: (await get(`${DM}/device/trail`, { ...ofDevice, day: '2026-11-20' })).json.result,
    trailFile: (await get(`${DM}/device/trail/file`, { ...ofDevice, day: '2026-11-20', format: 'csv' })).text.replaceAll(
      /RH0\d+/gu,
      'RH',
    ),
    positioned,
    map: (await get(`${DM}/positions`)).json.result.vehicles.map((one: unknown[]) => one.slice(0, 5)),
    noPosition: (await get(`${DM}/devices`, { position: 'never' })).json.total,
    usage: (await get(`${DM}/usage/of`, { devices: device.id })).json.result,
    coverage: (await get(`${DM}/coverage/vehicles`)).json.result,
  };
}

beforeAll(async () => {
  await app.owner.query(
    "select ensure_partitions('2026-11-17', '2026-11-21'), ensure_position_partitions('2026-11-17', '2026-11-21')",
  );
  await app.owner.query(
    "update telemetry_rollup set rolled_from = '2026-11-17', closed_until = '2026-11-17', rolled_until = '2026-11-17'",
  );
  home = await openHome(app);
  group = await app.seeding.group(home.own, 'North');
  device = await addDevice(app, home.own, fresh(), { group, columns: { vehicle_number: 'Bus 7' } });
  next = await addDevice(app, home.sibling, fresh());
  const own = (router: string, organization: string, of: string, from: string, until: string | null) =>
    insert('router_ownership', {
      router_id: router,
      organization_id: organization,
      device_id: of,
      owned_from: from,
      owned_until: until,
    });
  await app.owner.query('delete from router_ownership');
  await own(device.routerId, home.sibling.organizationId, newId(), '2026-11-18T00:00:00Z', '2026-11-19T06:10:00Z');
  await own(device.routerId, home.own.organizationId, device.id, '2026-11-19T06:10:00Z', null);
  await own(next.routerId, home.sibling.organizationId, next.id, '2026-11-19T00:00:00Z', null);
  // 30 hours ago the vehicle got its router; the values of others are -99.
  await live(device.routerId, 54, 30, -99, 'Sibling');
  await live(device.routerId, 30, 0, -60, 'Own');
  await live(next.routerId, 36, 0, -99, 'Sibling');
  for (const [router, at, latitude] of [
    [device.routerId, '2026-11-20T11:10:00Z', 41],
    [next.routerId, '2026-11-20T12:00:00Z', 50],
  ])
    await insert('router_positions', { router_id: router, at, latitude, longitude: 10, is_jump: false, stored_at: NOW });
  await rollupJob(app.database).run(new Date('2026-11-20T12:05:00Z'));
  await computeDeviceHealth(app.database);
  before = await readAll(home.admin);
  await app.call('DELETE', `${DM}/devices`, {
    as: home.mainPerson,
    body: { org: home.sibling.organizationId, devices: [next.id] },
  });
  await app.call('POST', `${DM}/device/router`, {
    as: home.admin,
    body: { device: device.id, serial_number: next.serial, mac: next.mac },
  });
  // Another organization gets the former router, and it goes on there.
  await app.seeding.devices(home.sibling, [device]);
});

test('BLK-06-partial after a replacement every call answers the same history of the vehicle as before', async () => {
  // A pass over the health of devices begins again, as with the next hour.
  await app.owner.query("update device_health_pass set computed_until = '2026-11-18', target = null, after_device = null");
  await computeDeviceHealth(app.database);
  const after = await readAll(home.admin);
  const { result } = (await app.call('GET', `${DM}/device`, { as: home.admin, query: { device: device.id } })).json;
  expect(result.serial_number).toBe(next.serial);
  for (const [name, response] of Object.entries(before)) expect.soft(after[name as keyof typeof after], name).toEqual(response);
  expect(before.timeline.length).toBeGreaterThan(3);
  expect(before.month.series[0].points.length).toBeGreaterThan(5);
  expect(before.records.total).toBeGreaterThan(300);
  expect(before.trail.fixes.length).toBeGreaterThan(5);
  expect(before.health.health).toBeGreaterThan(0);
  expect(before.map).toHaveLength(1);
});

test('BLK-06-partial the days that an organization keeps also end the history of routers that its vehicles had elsewhere, and a purge leaves none', async () => {
  const response = await app.call('POST', `${DM}/org/device`, {
    as: home.mainPerson,
    body: { target: home.sibling.organizationId, serials: [next.serial] },
  });
  expect(response.status, response.text).toBe(200);
  const connections = async () =>
    (await app.call('GET', `${DM}/device/timeline`, { as: home.mainPerson, query: { device: device.id, kind: 'connection' } }))
      .json.result;
  expect(await connections()).toHaveLength(3);
  await deleteHistory(app.database, home.sibling, new Date(NOW));
  expect(await connections()).toEqual([]);
  await app.call('DELETE', `${DM}/devices`, {
    as: home.mainPerson,
    body: { org: home.sibling.organizationId, devices: [device.id] },
  });
  await purgeArchivedDevices(app.database, new Date('2030-01-01'));
  const { rows } = await app.owner.query('select from router_ownership where device_id = $1', [device.id]);
  expect(rows).toEqual([]);
});
