import { alerts } from '@highline/contract';
import { expect, test } from 'vitest';
import { compareCrossings, fireAndResolve } from '../domains/alerts/index.ts';
import { createGeofenceEvaluation, importGeofences } from '../domains/geofences/index.ts';
import { createPositions } from '../domains/positions/index.ts';
import { addDevice, openHome, routersNamed } from '../testing/home.ts';
import { silentLog } from '../testing/log.ts';
import { useTestApp } from '../testing/test-app.ts';
import { seedAlertRules } from './alert-rules.ts';
import { demoOrganizations } from './fleet-data.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const named = routersNamed('DA');
/** The demo's depot, and a place 3 km south of it. */
const depot = [41.9763, -87.6861] as const;
const away = [41.9493, -87.6861] as const;

test('ALR-01-partial POS-05-partial a vehicle of the demo that leaves the depot raises an alert, and its return resolves it', async () => {
  const { own: scope, admin, user } = await openHome(app);
  const [bus, parked] = [await addDevice(app, scope, named()), await addDevice(app, scope, named())];
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  await importGeofences(app, scope, admin, JSON.stringify(demoOrganizations[0]!.geofences));
  await seedAlertRules(app, scope, admin);
  const positions = createPositions({
    ...app,
    log: silentLog,
    retentionDays: 30,
    settings: { collectMs: 1 },
    onStored: createGeofenceEvaluation((tx, ids) => compareCrossings(tx, ids, app.clock.now())),
  });
  await positions.start();
  /** Be there for two minutes. */
  const stay = async (routerId: string, [latitude, longitude]: readonly [number, number]) => {
    app.clock.set(new Date(app.clock.now().getTime() + 120_000).toISOString());
    const now = app.clock.now().getTime() / 1_000;
    const trail = [80, 40, 0].map((ago) => `${now - ago},${latitude},${longitude}`).join(';');
    await positions.pushed(routerId, JSON.stringify({ Report: [{ 'Device.X_HIGHLINE_GPS.Trail': trail }] }));
    await fireAndResolve({ ...app }, app.clock.now());
  };
  const listed = async () => {
    const answer = await app.call('GET', '/data_manager/v1/alerts', { as: user, query: { limit: 50 } });
    return (answer.json.result as alerts.Alert[]).map(({ ruleName, device, state }) => [ruleName, device, state]);
  };
  await stay(parked.routerId, depot);
  await stay(bus.routerId, depot);
  expect(await listed()).toEqual([]);
  await stay(bus.routerId, away);
  expect(await listed()).toEqual([['Left the depot', bus.id, 'firing']]);
  await stay(bus.routerId, depot);
  expect(await listed()).toEqual([['Left the depot', bus.id, 'resolved']]);
  await positions.stop();
});

test('an organization of the demo without that area has the other rules only', async () => {
  const { own: scope, admin, user } = await openHome(app);
  await seedAlertRules(app, scope, admin);
  const answer = await app.call('GET', '/data_manager/v1/alerts/rules', { as: user });
  const names = (answer.json.result as alerts.Rule[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['Subscription ends soon', 'Vehicle lost', 'Weak signal']);
});
