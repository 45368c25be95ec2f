import { expect, it } from 'vitest';
import { alertsPath, MINUTE_MS, type TestRouter, useAlertFleet, weakSignal } from '../../testing/alert-fleet.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { sql } from 'kysely';
import type { ReadRows } from '../../platform/listing/index.ts';
import { readEpisodes } from './replay.queries.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, addFence } = useAlertFleet(app);

it('ALR-02 a rule is replayed over stored readings, connections, positions and geofence crossings before it is saved, with devices and moments', async () => {
  const { scope, admin, routers } = await open(3);
  const [first, second, third] = routers as [TestRouter, TestRouter, TestRouter];
  const now = app.clock.now().getTime();
  const ago = (minutes: number) => new Date(now - minutes * MINUTE_MS);
  await app.owner.query('update router_ownership set owned_from = $2 where organization_id = $1', [
    scope.organizationId,
    ago(60 * 24 * 6),
  ]);
  const ask = async (condition: object, forSeconds: number, more: object = {}) => {
    const body = { condition, forSeconds, scope: { kind: 'all' }, hours: null, ...more };
    const response = await app.call('POST', `${alertsPath}/rules/replay`, { as: admin, body });
    expect(response.status, response.text).toBe(200);
    return response.json.result;
  };
  await app.owner.query(
    "select ensure_partitions(($1::timestamptz - interval '8 days')::date, ($1::timestamptz + interval '1 day')::date)",
    [ago(0)],
  );
  const report = (router: TestRouter, minutes: number, rsrp: number) =>
    app.owner.query('insert into telemetry_reports (router_id, at, rsrp) values ($1, $2, $3)', [
      router.routerId,
      ago(minutes),
      rsrp,
    ]);
  // Weak for ten minutes with a value between the thresholds, then again too short; the other one still is.
  for (const [minutes, value] of [
    [100, -90],
    [90, -120],
    [85, -107],
    [80, -100],
    [50, -120],
    [49, -90],
  ] as const)
    await report(first, minutes, value);
  await report(second, 30, -119);
  // From before the organization had it.
  await report(second, 60 * 24 * 6 + 10, -119);
  const found = await ask(weakSignal.condition, 300);
  expect(found).toMatchObject({ replayed: true, count: 2, devices: 2, isCut: false });
  expect(found.moments).toEqual([
    expect.objectContaining({ serial_number: second.serial, fired: ago(25).getTime() / 1_000, cleared: null, value: -119 }),
    expect.objectContaining({
      serial_number: first.serial,
      fired: ago(85).getTime() / 1_000,
      cleared: ago(80).getTime() / 1_000,
    }),
  ]);
  expect((await ask(weakSignal.condition, 0)).count).toBe(3);
  // Outside of the active hours nothing fires.
  const day = ago(0).getUTCDay();
  const never = { days: [(day + 3) % 7], from: '00:00', until: '00:01', zone: 'UTC' };
  expect((await ask(weakSignal.condition, 0, { hours: never })).count).toBeLessThan(3);

  const connection = (minutes: number, kind: string) =>
    app.owner.query("insert into connectivity (router_id, at, kind, reason) values ($1, $2, $3, 'no-answer')", [
      first.routerId,
      ago(minutes),
      kind,
    ]);
  for (const [minutes, kind] of [
    [300, 'online'],
    [200, 'offline'],
    [150, 'boot'],
    [140, 'online'],
    [20, 'offline'],
    [19, 'online'],
  ] as const)
    await connection(minutes, kind);
  expect(await ask({ kind: 'offline' }, 600)).toMatchObject({ count: 1, moments: [{ fired: ago(190).getTime() / 1_000 }] });

  await app.owner.query("select ensure_position_partitions(($1::timestamptz - interval '8 days')::date, $1::date)", [ago(0)]);
  for (const minutes of [400, 390, 100, 5])
    await app.owner.query('insert into positions (router_id, at, latitude, longitude, is_jump) values ($1, $2, 1, 1, false)', [
      first.routerId,
      ago(minutes),
    ]);
  expect(await ask({ kind: 'position-silent' }, 3_600)).toMatchObject({ count: 2, devices: 1 });
  // Two others start again after parking: one after hours, with ten minutes for its first position, one after a short break.
  for (const [router, positions, parked, started] of [
    [second, [300, 55], 290, 130],
    [third, [200, 100], 190, 170],
  ] as const) {
    for (const minutes of positions)
      await app.owner.query('insert into positions (router_id, at, latitude, longitude, is_jump) values ($1, $2, 1, 1, false)', [
        router.routerId,
        ago(minutes),
      ]);
    for (const [minutes, ignition, kind] of [
      [parked, 'off', 'offline'],
      [started, 'on', 'online'],
    ] as const) {
      await app.owner.query("insert into router_facts (router_id, at, fact, value) values ($1, $2, 'ignition', $3)", [
        router.routerId,
        ago(minutes),
        ignition,
      ]);
      await app.owner.query("insert into connectivity (router_id, at, kind, reason) values ($1, $2, $3, 'no-answer')", [
        router.routerId,
        ago(minutes),
        kind,
      ]);
    }
  }
  const silent = await ask({ kind: 'position-silent' }, 3_600);
  const of = ({ serial }: TestRouter) =>
    silent.moments
      .filter((moment: { serial_number: string }) => moment.serial_number === serial)
      .map(({ fired, cleared }: { fired: number; cleared: number | null }) => [fired, cleared]);
  const seconds = (minutes: number) => ago(minutes).getTime() / 1_000;
  expect(of(second)).toEqual([[seconds(120), seconds(55)]]);
  expect(of(third)).toEqual([
    [seconds(40), null],
    [seconds(130), seconds(100)],
  ]);
  expect(silent).toMatchObject({ count: 5, devices: 3 });
  const [depot, yard] = [await addFence(admin, 'Depot', 41), await addFence(admin, 'Yard', 42)];
  for (const [minutes, fence, kind] of [
    [90, depot, 'left'],
    [60, yard, 'entered'],
    [50, yard, 'left'],
    [30, depot, 'entered'],
  ] as const)
    await app.owner.query(
      `insert into geofence_events (organization_id, device_id, router_id, geofence_id, geofence_name, kind, at)
       values ($1, $2, $3, $4, 'x', $5, $6)`,
      [scope.organizationId, first.deviceId, first.routerId, fence, kind, ago(minutes)],
    );
  const leaving = { kind: 'geofence', event: 'left' };
  expect(await ask({ ...leaving, geofence: depot }, 0)).toMatchObject({
    count: 1,
    moments: [{ fired: ago(90).getTime() / 1_000, cleared: ago(30).getTime() / 1_000 }],
  });
  expect(await ask({ ...leaving, geofence: null }, 0)).toMatchObject({ count: 2, devices: 1 });
  expect(await ask({ kind: 'rollout-paused' }, 0)).toMatchObject({ replayed: false, count: 0 });
});

it('ALR-02-partial a rule over more history than a replay may read is not replayed, instead of occupying the database', async () => {
  const { scope, routers } = await open(2);
  const now = app.clock.now();
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  await app.owner.query('update router_ownership set owned_from = $2 where organization_id = $1', [
    scope.organizationId,
    minutesAgo(1_000),
  ]);
  await app.owner.query("select ensure_position_partitions(($1::timestamptz - interval '8 days')::date, $1::date)", [now]);
  for (const { routerId } of routers)
    for (const minutes of [300, 100, 90])
      await app.owner.query('insert into positions (router_id, at, latitude, longitude, is_jump) values ($1, $2, 1, 1, false)', [
        routerId,
        minutesAgo(minutes),
      ]);
  const rows: ReadRows = async (statement) => (await statement.execute(app.database.read)).rows as never;
  const question = { condition: { kind: 'position-silent' }, forSeconds: 3_600 } as const;
  const read = (mostRows: number, devices = sql`d.organization_id = ${scope.organizationId}::uuid`) =>
    readEpisodes(rows, scope, question, devices, { from: minutesAgo(600), now }, mostRows);
  expect(await read(5)).toBeUndefined();
  expect((await read(6))!.map(({ at }) => at)).toEqual([90, 90, 300, 300].map(minutesAgo));
  const one = sql`d.organization_id = ${scope.organizationId}::uuid and d.router_id = ${routers[0]!.routerId}::uuid`;
  expect(await read(5, one)).toHaveLength(2);
});
