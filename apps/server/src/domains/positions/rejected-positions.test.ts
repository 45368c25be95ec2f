import { afterAll, beforeAll, expect, test } from 'vitest';
import { useAlertFleet } from '../../testing/alert-fleet.ts';
import { addDevice, openHome, routersNamed, type Home, type TestDevice } from '../../testing/home.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { compareAll } from '../alerts/index.ts';
import { createPositions, type Positions } from './index.ts';
import type { ReportedValues } from './push.ts';

const DM = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const app = useTestApp(NOW);
const fresh = routersNamed('PR');
const { addRule, run, listed: alertsOf } = useAlertFleet(app);
const SECOND = Date.parse(NOW) / 1_000;

let home: Home;
let wrong: TestDevice;
let good: TestDevice;
let positions: Positions;

const trail = (...entries: readonly string[]): ReportedValues[] => [
  { values: [['Device.X_HIGHLINE_GPS.Trail', entries.join(';')]] },
];
/** A Push! with these entries, written. */
async function push(device: TestDevice, ...entries: readonly string[]): Promise<void> {
  await positions.pushed(device.routerId, trail(...entries));
  await positions.stop();
  positions = await start();
}
async function start(): Promise<Positions> {
  const started = createPositions({
    database: app.database,
    clock: app.clock,
    log: silentLog,
    retentionDays: 30,
    settings: { collectMs: 1 },
  });
  await started.start();
  return started;
}
const faultsOf = async (device: TestDevice, as = home.user) =>
  (await app.call('GET', `${DM}/device/trail`, { as, query: { device: device.id } })).json.result.faults;
const listed = async (as = home.user) =>
  (await app.call('GET', `${DM}/devices`, { as, query: { position: 'rejected', limit: 50 } })).json.result.map(
    ({ device }: { device: string }) => device,
  );

beforeAll(async () => {
  home = await openHome(app);
  wrong = await addDevice(app, home.own, fresh());
  good = await addDevice(app, home.own, fresh());
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  positions = await start();
});
afterAll(() => positions.stop());

test('POS-07-partial rejected positions are on the page of the device with reason, count, since when and what came; the list and the map count them', async () => {
  await push(wrong, `${SECOND - 11 * 365 * 86_400},41,-87`, `${SECOND + 90},41,-87`, 'a,b,\u0007c', '1,2');
  app.clock.set('2026-11-20T12:10:00Z');
  await push(wrong, `${SECOND + 690},41,-87`);
  expect(await faultsOf(wrong)).toEqual([
    { reason: 'future', since: SECOND, last: SECOND + 600, count: 2, received: '2026-11-20T12:11:30.000Z' },
    { reason: 'malformed', since: SECOND, last: SECOND, count: 2, received: '1,2' },
    { reason: 'old', since: SECOND, last: SECOND, count: 1, received: '2015-11-23T12:00:00.000Z' },
  ]);
  expect(await listed()).toEqual([wrong.id]);
  expect((await app.call('GET', `${DM}/positions`, { as: home.user })).json.result).toMatchObject({ never: 2, rejected: 1 });
  // Another organization sees none of it, also when the router comes to it.
  const foreign = await app.call('GET', `${DM}/device/trail`, {
    as: app.person(home.sibling, 'admin'),
    query: { device: wrong.id },
  });
  expect(foreign.status).toBe(404);
  expect(await listed(app.person(home.sibling, 'admin'))).toEqual([]);
});

test('POS-07-partial the rule for a device without positions also fires where all of them are rejected', async () => {
  await addRule(home.admin, { condition: { kind: 'position-silent' }, forSeconds: 3_600 });
  const firing = async () => {
    await compareAll(app.database, app.clock.now());
    await run();
    return (await alertsOf(home.admin, { state: 'open' })).map(({ device }) => device);
  };
  app.clock.set('2026-11-20T12:59:00Z');
  expect(await firing()).toEqual([]);
  app.clock.set('2026-11-20T13:01:00Z');
  expect(await firing()).toEqual([wrong.id]);
});

test('POS-07-partial corrected times are said and stored; an accepted position ends the state, and the next owner of the router sees nothing', async () => {
  const now = app.clock.now().getTime() / 1_000;
  await push(good, `${now - 1_024 * 7 * 86_400},41,-87`);
  await push(good, '0,0,0');
  expect(await faultsOf(good)).toMatchObject([{ reason: 'week-rollover', count: 1, received: '2007-04-06T13:01:00.000Z' }]);
  expect((await app.call('GET', `${DM}/device`, { as: home.user, query: { device: good.id } })).json.result.position_at).toBe(
    now,
  );
  expect(await listed()).toEqual([wrong.id]);
  app.clock.set('2026-11-20T13:02:00Z');
  await push(wrong, `${now + 30},41,-87`);
  expect(await listed()).toEqual([]);
  expect(await faultsOf(wrong)).toHaveLength(3);
  app.clock.set('2026-11-22T13:02:00Z');
  expect(await faultsOf(wrong)).toEqual([]);
  const given = await app.call('POST', `${DM}/org/device`, {
    as: home.mainPerson,
    body: { target: home.sibling.organizationId, serials: [good.serial] },
  });
  expect(given.status, given.text).toBe(200);
  const owner = app.person(home.sibling, 'admin');
  expect(await faultsOf(good, owner)).toEqual([]);
  app.clock.set('2026-11-22T13:03:00Z');
  const late = app.clock.now().getTime() / 1_000;
  await push(good, `${late - 1_024 * 7 * 86_400},41,-87`);
  expect(await faultsOf(good, owner)).toMatchObject([{ reason: 'week-rollover', count: 1, since: late }]);
});

test('POS-07-partial of a Push! with 174,000 positions of a wrong time 10,000 are looked at, and the page says that there were too many', async () => {
  const device = await addDevice(app, home.own, fresh());
  const reports = Array.from({ length: 25 }, () => trail(...Array.from({ length: 6_960 }, () => '1,9,9'))[0]!);
  await positions.pushed(device.routerId, reports);
  await positions.stop();
  positions = await start();
  expect(await faultsOf(device)).toMatchObject([
    { reason: 'old', count: 10_000, received: '1970-01-01T00:00:01.000Z' },
    { reason: 'too_many', count: 164_000, received: null },
  ]);
});
