import { randomUUID } from 'node:crypto';
import type { rollouts } from '@highline/contract';
import { makeMac } from '@highline/usp';
import { beforeAll, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { readWindowFacts } from './window-facts.job.queries.ts';

const NOW = '2026-11-20T12:00:00Z';
const CHICAGO = { latitude: 41.9, longitude: -87.6 };

const app = useTestApp(NOW);
let main: MainScope;
let own: OrganizationScope;
let count = 0;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Windows')).scope;
  own = await app.seeding.organization(main, 'Own');
  await app.owner.query(`select ensure_position_partitions('2026-11-19', '2026-11-21')`);
  await app.owner.query(`select ensure_partitions('2026-11-19', '2026-11-21')`);
});

async function router(): Promise<string> {
  const serial = `WF${++count}`;
  await app.seeding.routers(main, [{ serial, mac: makeMac(0x99000 + count) }]);
  const { rows } = await app.owner.query<{ id: string }>('select id from routers where serial = $1', [serial]);
  return rows[0]!.id;
}
const before = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();
async function position(id: string, minutes: number, speed: number | null, { latitude, longitude } = CHICAGO) {
  const values = [id, before(minutes), latitude, longitude, speed];
  await app.owner.query(
    'insert into positions (router_id, at, latitude, longitude, speed, is_jump) values ($1, $2, $3, $4, $5, false)',
    values,
  );
  await app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, speed, is_jump, stored_at) values ($1, $2, $3, $4, $5, false, $2)
     on conflict (router_id) do update set at = $2, latitude = $3, longitude = $4, speed = $5`,
    values,
  );
}
const reportIgnition = (ignition: 'on' | 'off', ...ids: string[]) =>
  app.owner.query(`update routers set reported = reported || $2 where id = any ($1)`, [ids, JSON.stringify({ ignition })]);
const factsOf = async (routerId: string, window: Partial<rollouts.UpdateWindow> = { stillMinutes: 10 }) =>
  (await readWindowFacts(app.database.read, [{ id: routerId, routerId, window: { zone: 'UTC', ...window } }], new Date(NOW))).get(
    routerId,
  );

test('WIN-02-partial a vehicle stands still when no position of the time is away from the newest, or fast', async () => {
  const [parked, wandering, moving, stopped, silent] = (await Promise.all(Array.from({ length: 5 }, router))) as [
    string,
    string,
    string,
    string,
    string,
  ];
  for (const minutes of [9, 5, 1]) await position(parked, minutes, 0);
  await position(wandering, 5, null, { latitude: 41.9003, longitude: -87.6 });
  await position(wandering, 1, null);
  await position(moving, 5, null, { latitude: 41.91, longitude: -87.6 });
  await position(moving, 1, null);
  // It drove until eleven minutes ago.
  await position(stopped, 11, 60);
  await position(stopped, 10.5, 0);
  await position(silent, 500, 40);
  const all = await Promise.all([parked, wandering, moving, stopped, silent, randomUUID()].map((id) => factsOf(id)));
  expect(all.map((facts) => facts?.isStill)).toEqual([true, true, false, true, false, null]);
  expect((await factsOf(stopped, { stillMinutes: 12 }))?.isStill).toBe(false);
  expect(all.map((facts) => facts?.zone)).toEqual([...Array.from({ length: 5 }, () => 'America/Chicago'), null]);
});

test('WIN-02-partial where positions of a vehicle that may drive have stopped, it does not count as standing still', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, router));
  const [driving, brief, rejected, off] = ids as [string, string, string, string];
  for (const id of ids) await position(id, id === brief ? 59 : 500, 0);
  await reportIgnition('on', driving, brief);
  await reportIgnition('off', off);
  const fault = (reason: string, minutes: number) =>
    app.owner.query(
      `insert into position_faults (router_id, reason, since, last_at, count) select id, $2, $3, $3, 1 from unnest($1::uuid[]) id
       on conflict (router_id, reason) do update set last_at = $3`,
      [[rejected, off], reason, before(minutes)],
    );
  const all = async () => (await Promise.all(ids.map((id) => factsOf(id)))).map((facts) => facts?.isStill);
  await fault('future', 61);
  // What receivers without a fix report every day, and times that were corrected, say nothing.
  for (const reason of ['zero', 'too_many', 'local-time', 'week-rollover']) await fault(reason, 1);
  expect(await all()).toEqual([null, true, true, true]);
  await fault('future', 1);
  expect(await all()).toEqual([null, true, null, true]);
  // A position is older than its arrival: what counts is that one was stored since.
  await app.owner.query('update router_positions set stored_at = $2 where router_id = $1', [rejected, before(0)]);
  expect(await all()).toEqual([null, true, true, true]);
});

test('WIN-02-partial without a speed, the positions before the last one say for an hour whether a vehicle stands', async () => {
  const ids = await Promise.all(Array.from({ length: 7 }, router));
  const [parked, driven, off, creeping, sparse, recent, silent] = ids as [string, string, string, string, string, string, string];
  const away = { latitude: 41.91, longitude: -87.6 };
  await position(parked, 50, null);
  await position(driven, 31, null, away);
  await position(off, 31, null, away);
  await position(creeping, 39, null, away);
  await position(creeping, 31, null);
  await position(sparse, 95, null, away);
  await position(silent, 62, null, away);
  for (const id of [parked, driven, off, creeping, sparse]) await position(id, 30, null);
  await position(recent, 5, null);
  await position(silent, 61, null);
  await reportIgnition('off', off);
  const all = await Promise.all(ids.map((id) => factsOf(id)));
  expect(all.map((facts) => facts?.isStill)).toEqual([true, false, true, false, true, false, true]);
});

test('WIN-02-partial the ignition is off for a time, and the uplink is what its router last reported', async () => {
  const id = await router();
  const facts = (minutes = 30) => factsOf(id, { ignitionOffMinutes: minutes });
  expect(await facts()).toMatchObject({ isOff: null, uplink: null });
  const report = async (ignition: string, minutes: number) => {
    await app.owner.query('update routers set reported = reported || $2 where id = $1', [
      id,
      JSON.stringify({ ignition, uplink_kind: 'wifi' }),
    ]);
    await app.owner.query("insert into router_facts (router_id, at, fact, value) values ($1, $2, 'ignition', $3)", [
      id,
      before(minutes),
      ignition,
    ]);
  };
  await report('on', 60);
  expect(await facts()).toMatchObject({ isOff: false, uplink: 'wifi' });
  await report('off', 20);
  expect([(await facts())?.isOff, (await facts(15))?.isOff]).toEqual([false, true]);
});

test('WIN-02-partial readings are the newest of the last hour, and geofences those that it is inside of', async () => {
  const id = await router();
  const report = (minutes: number, voltage: number | null, rsrp: number | null) =>
    app.owner.query('insert into telemetry_reports (router_id, at, voltage, rsrp) values ($1, $2, $3, $4)', [
      id,
      before(minutes),
      voltage,
      rsrp,
    ]);
  await report(70, 9, -60);
  expect(await factsOf(id)).toMatchObject({ voltage: null, signal: null, inside: [] });
  await report(20, 12.5, -101);
  await report(10, null, -95);
  expect(await factsOf(id)).toMatchObject({ voltage: 12.5, signal: -95 });
  const fence = randomUUID();
  await app.owner.query(
    `insert into geofences (id, organization_id, name, shape, corners) values ($1, $2, 'Yard', '{}'::jsonb, 1)`,
    [fence, own.organizationId],
  );
  await app.owner.query('insert into geofence_states (router_id, geofence_id, is_inside) values ($1, $2, true)', [id, fence]);
  expect((await factsOf(id))?.inside).toEqual([fence]);
});
