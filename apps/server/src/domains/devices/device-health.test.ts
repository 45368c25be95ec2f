import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { rollupJob } from '../router-state/index.ts';
import { computeDeviceHealth } from './device-health.job.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:20:00Z';

const app = useTestApp(NOW);
const fresh = routersNamed('HE');
/** By serial number. */
const inOrder = <Row extends readonly [string, unknown]>(rows: readonly Row[]) => rows.toSorted(([a], [b]) => (a < b ? -1 : 1));
let own: OrganizationScope;
let user: Actor;
let mainPerson: Actor;
let unrelated: Actor;
let well: TestDevice;
let weak: TestDevice;
let hot: TestDevice;
let silent: TestDevice;
let recent: TestDevice;

const report = (
  device: TestDevice,
  time: string,
  values: { rsrp?: number; rssi?: number; temperature?: number; voltage?: number },
) =>
  app.owner.query(
    'insert into telemetry_reports (router_id, at, rsrp, rssi, temperature, voltage) values ($1, $2, $3, $4, $5, $6)',
    [device.routerId, time, values.rsrp ?? null, values.rssi ?? null, values.temperature ?? null, values.voltage ?? null],
  );
const drop = (device: TestDevice, time: string, reason = 'connection-lost') =>
  app.owner.query('insert into connectivity values ($1, $2, $3, $4)', [device.routerId, time, 'offline', reason]);
const ownedFrom = (device: TestDevice, time: string) =>
  app.owner.query('update router_ownership set owned_from = $2 where router_id = $1', [device.routerId, time]);

/** Roll up the hours until a time, and compute. */
async function compute(until: string): Promise<void> {
  await rollupJob(app.database).run(new Date(until));
  await computeDeviceHealth(app.database);
}

beforeAll(async () => {
  await app.owner.query("select ensure_partitions('2026-11-18', '2026-11-22')");
  await app.owner.query(
    "update telemetry_rollup set rolled_from = '2026-11-18', closed_until = '2026-11-18', rolled_until = '2026-11-18'",
  );
  ({ own, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  [well, weak, hot, silent, recent] = (await Promise.all(Array.from({ length: 5 }, () => addDevice(app, own, fresh(), {})))) as [
    TestDevice,
    TestDevice,
    TestDevice,
    TestDevice,
    TestDevice,
  ];
  for (const device of [well, weak, hot, silent]) await ownedFrom(device, '2026-11-18T00:00:00Z');
  await report(well, '2026-11-20T09:10:00Z', { rsrp: -90, rssi: -60, temperature: 40, voltage: 12.6 });
  await report(well, '2026-11-20T09:20:00Z', { rsrp: -94, rssi: -62, temperature: 44, voltage: 12.5 });
  // The mean of the signal counts, the greatest temperature, the least voltage.
  await report(weak, '2026-11-20T08:10:00Z', { rsrp: -120 });
  await report(weak, '2026-11-20T09:10:00Z', { rsrp: -130 });
  for (const minute of [10, 20, 30, 40]) await drop(weak, `2026-11-20T07:${minute}:00Z`);
  // Not the fault of the router; and longer ago than a day.
  await drop(weak, '2026-11-20T07:50:00Z', 'not-seen-since-restart');
  await drop(weak, '2026-11-19T02:00:00Z');
  await report(hot, '2026-11-20T03:10:00Z', { rsrp: -90, temperature: 85, voltage: 21 });
  await report(hot, '2026-11-20T05:10:00Z', { rsrp: -90, temperature: 40, voltage: 24.5 });
  await report(silent, '2026-11-18T09:10:00Z', { rsrp: -90, temperature: 40 });
  // Measured before the device had its router.
  await ownedFrom(recent, '2026-11-20T11:30:00Z');
  await report(recent, '2026-11-20T10:10:00Z', { rsrp: -140 });
  await compute(NOW);
});

async function list(as: Actor, query: Record<string, string> = {}) {
  const { status, json } = await app.call('GET', `${BASE}/devices`, { as, query: { limit: '50', ...query } });
  expect(status).toBe(200);
  return (json.result as { serial_number: string; health: number | null }[]).map(({ serial_number: serial, health }) => [
    serial,
    health,
  ]);
}

const details = async (as: Actor, { id }: TestDevice) =>
  (await app.call('GET', `${BASE}/device`, { as, query: { device: id } })).json.result as {
    health: number | null;
    health_inputs: Record<string, number | null> | null;
  };

describe('health of devices', () => {
  test('DPG-03-partial the score follows from the last 24 hours, with its inputs; without measurements there is none', async () => {
    expect(await details(user, well)).toMatchObject({
      health: 100,
      health_inputs: {
        at: Date.parse('2026-11-20T12:00:00Z') / 1_000,
        rsrp: -92,
        rssi: -61,
        drops: 0,
        temperature: 44,
        voltage: 12.5,
      },
    });
    // Signal 0 of 40, four drops 60 % of 30; no other part.
    expect(await details(user, weak)).toMatchObject({ health: 26, health_inputs: { rsrp: -125, drops: 4, temperature: null } });
    // Too hot, and its 24 V supply as low as it may be: 70 of 100.
    expect(await details(user, hot)).toMatchObject({ health: 70, health_inputs: { temperature: 85, voltage: 21 } });
    for (const device of [silent, recent])
      expect(await details(user, device)).toMatchObject({ health: null, health_inputs: null });
  });

  test('DPG-03-partial the list sorts by it, devices without a score last, and filters by its rating, for an organization and a main account', async () => {
    const known = [
      [weak.serial, 26],
      [hot.serial, 70],
      [well.serial, 100],
    ];
    const unknown = [silent, recent].map(({ serial }) => [serial, null] as const);
    for (const as of [user, mainPerson]) {
      expect(await list(as, { sort: 'health' })).toEqual([...known, ...inOrder(unknown)]);
      expect(await list(as, { sort: '-health' })).toEqual([...known.toReversed(), ...inOrder(unknown).toReversed()]);
      expect(await list(as, { health: 'poor' })).toEqual([known[0]]);
      expect(await list(as, { health: 'fair' })).toEqual([known[1]]);
      expect(await list(as, { health: 'good' })).toEqual([known[2]]);
    }
    expect(await list(unrelated)).toEqual([]);
    expect((await app.call('GET', `${BASE}/devices`, { as: user, query: { health: 'bad' } })).status).toBe(400);
    const { text } = await app.call('GET', `${BASE}/devices/export`, {
      as: user,
      query: { columns: 'serial,health', sort: 'health' },
    });
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/Device Serial#,Health$/u),
      expect.stringContaining(weak.serial),
    ]);
    expect(text).toMatch(new RegExp(`${weak.serial}[",=]*,26\r\n`, 'u'));
  });

  test('DPG-03-partial a list by health and its filter read an index in order', async () => {
    await app.owner.query('set enable_seqscan = off');
    await app.owner.query('set enable_sort = off');
    for (const [column, id, index] of [
      ['organization_id', own.organizationId, 'devices_by_health'],
      ['main_account_id', own.mainAccountId, 'devices_of_main_by_health'],
    ] as const) {
      const { rows } = await app.owner.query<{ 'QUERY PLAN': string }>(
        `explain select id from devices d where d.${column} = $1 and d.archived_at is null and d.health is not null
          and d.health < 50 order by d.health, d.serial, d.id limit 50`,
        [id],
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
    }
    await app.owner.query('reset enable_seqscan');
    await app.owner.query('reset enable_sort');
  });

  test('DPG-03-partial a score follows the next hour, ends when nothing is measured for a day, and an interrupted pass continues', async () => {
    await report(silent, '2026-11-20T13:10:00Z', { rssi: -95 });
    // As if a process ended after the device before the last one.
    const { rows } = await app.owner.query<{ id: string }>('select id from devices order by id');
    await app.owner.query("update device_health_pass set target = '2026-11-20T13:00:00Z', after_device = $1", [rows.at(-1)!.id]);
    await computeDeviceHealth(app.database);
    const { rows: pass } = await app.owner.query<{ target: Date | null; computed: string }>(
      `select target, computed_until::text as computed from device_health_pass`,
    );
    expect(pass).toEqual([{ target: null, computed: '2026-11-20 13:00:00+00' }]);
    await compute('2026-11-20T14:20:00Z');
    expect(await details(user, silent)).toMatchObject({ health: 71 });
    await compute('2026-11-21T16:20:00Z');
    expect((await list(user, { sort: 'health' })).every(([, health]) => health === null)).toBe(true);
    const { rows: left } = await app.owner.query('select * from device_health');
    expect(left).toEqual([]);
  });
});
