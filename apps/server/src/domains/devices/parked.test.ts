import { beforeAll, expect, test } from 'vitest';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { useAlertFleet } from '../../testing/alert-fleet.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { compareAll } from '../alerts/index.ts';
import { recordOnlineShares } from './online-shares.ts';
import { markPlannedWork } from './planned-work.job.queries.ts';

const NOW = '2026-11-20T12:00:00Z';
const DM = '/data_manager/v1/dm';

const app = useTestApp(NOW);
const { addRule, run, later, listed: alertsOf } = useAlertFleet(app);
const fresh = routersNamed('PK');
let own: OrganizationScope;
let user: Actor;
let admin: Actor;
let mainPerson: Actor;
let lost: TestDevice;
let parked: TestDevice;
let working: TestDevice;

const now = new Date(NOW);
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
const get = async (path: string, query: Record<string, string> = {}, as = user) =>
  (await app.call('GET', path, { as, query })).json;
const listed = async (presence: string) =>
  ((await get(`${DM}/devices`, { presence })).result as { device: string }[]).map(({ device }) => device);

beforeAll(async () => {
  ({ own, user, mainPerson } = await openHome(app));
  admin = app.person(own, 'admin');
  const add = (columns: Record<string, unknown>, more = {}) => addDevice(app, own, fresh(), { columns, ...more });
  await add({ presence: 'online', presence_since: ago(50), ignition: 'on' });
  lost = await add({ presence: 'offline', presence_since: ago(2), ignition: 'on' });
  parked = await add({ presence: 'offline', presence_since: ago(2), ignition: 'off' });
  const group = await app.seeding.group(own, 'Worked on');
  working = await add({ presence: 'offline', presence_since: ago(0.1), ignition: 'off', group_key: group });
  const file = await app.seeding.config(own, { name: 'night.cfg' });
  await app.seeding.binding(own, { kind: 'config', group, file, schedule: 'immediate' });
  await app.owner.query(
    `insert into rollout_targets (organization_id, binding_id, device_id, router_id, state, phase, step_begun_at)
     select $1, id, $2, $3, 'rebooting', 'applied', $4 from bindings where organization_id = $1
     on conflict (binding_id, device_id) do update set phase = 'applied', step_begun_at = $4`,
    [own.organizationId, working.id, working.routerId, ago(0.2)],
  );
  await markPlannedWork(app.database, now);
});

test('SAY-04 parked and planned are states of their own, outside of what is offline, of shares and of what needs attention', async () => {
  expect(await Promise.all(['offline', 'parked', 'planned', 'never'].map(listed))).toEqual([
    [lost.id],
    [parked.id],
    [working.id],
    [],
  ]);
  const [device] = (await get(`${DM}/devices`, { presence: 'parked' })).result as unknown[];
  expect(device).toMatchObject({ presence: 'offline', offline_expected: 'parked', properties: expect.anything() as unknown });
  expect((await get(`${DM}/statistics`)).result).toMatchObject({ online: 1, offline: 1, parked: 1, planned: 1, devices: 4 });
  expect((await get(`${DM}/attention`, { offline: '15m' })).result).toMatchObject({
    offline: { total: 1, latest: [{ device: lost.id }] },
    parked: 1,
    planned: 1,
  });
  expect(await listed('offline')).toEqual(
    (await get(`${DM}/devices`, { offline: '1h' })).result.map((row: { device: string }) => row.device),
  );
  await recordOnlineShares(app.database, now, new Date(0));
  expect((await get(`${DM}/statistics/online`, { hours: '24' })).result).toEqual([
    expect.objectContaining({ online: 1, devices: 2 }),
  ]);
  const file = await app.call('GET', `${DM}/devices/export`, { as: user, query: { columns: 'serial,presence', format: 'csv' } });
  expect(file.text).toContain('Parked (ignition off)');
  expect(file.text).toContain('Planned work');
  const { result } = await get('/dmp_aa/api/v1/services/', {}, mainPerson);
  expect(result.list.find(({ id }: { id: string }) => id === own.organizationId)).toMatchObject({
    online: 1,
    offlineExpected: 2,
  });
});

test('SAY-04 a rule for offline devices fires for neither, until planned work takes longer than an hour', async () => {
  await addRule(admin, { name: 'Off', condition: { kind: 'offline' }, forSeconds: 300 });
  const alerted = async () => {
    await compareAll(app.database, app.clock.now());
    await run();
    return (await alertsOf(admin)).map(({ serial_number: serial }) => serial).toSorted();
  };
  expect(await alerted()).toEqual([lost.serial]);
  later(3_600_000);
  await app.owner.query('update devices set ignition = null where id = $1', [working.id]);
  await markPlannedWork(app.database, app.clock.now());
  expect(await listed('planned')).toEqual([]);
  expect(await alerted()).toEqual([lost.serial, working.serial].toSorted());
});
