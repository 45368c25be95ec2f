import { alerts } from '@highline/contract';
import { createManualScheduler, createSimulatedPlatform } from '@highline/router';
import { expect, test } from 'vitest';
import { compareCrossings, fireAndResolve } from '../domains/alerts/index.ts';
import { createGeofenceEvaluation, importGeofences } from '../domains/geofences/index.ts';
import { createPositions } from '../domains/positions/index.ts';
import { addDevice, openHome, routersNamed } from '../testing/home.ts';
import { silentLog } from '../testing/log.ts';
import { useTestApp } from '../testing/test-app.ts';
import { seedAlertRules } from './alert-rules.ts';
import { demoOrganizations } from './fleet-data.ts';

/** What the router of a vehicle on a route records from a moment to another, epoch milliseconds. */
function drivenFixes(route: string, from: number, until: number) {
  const scheduler = createManualScheduler(until);
  const modem = { imei: '', imsi: '', iccid: '', msisdn: '', eid: '', carrier: 'AT&T', apn: '' };
  type Options = Parameters<typeof createSimulatedPlatform>[0];
  return createSimulatedPlatform({ seed: 5, scheduler, modem, route: route as NonNullable<Options['route']> }).sensors.fixesSince(
    from,
  );
}

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
    await positions.pushed(routerId, [{ values: [['Device.X_HIGHLINE_GPS.Trail', trail]] }]);
    await fireAndResolve({ ...app }, app.clock.now());
  };
  const listed = async () => {
    const response = await app.call('GET', '/data_manager/v1/alerts', { as: user, query: { limit: 50 } });
    return (response.json.result as alerts.Alert[]).map(({ ruleName, device, state }) => [ruleName, device, state]);
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

test('POS-05-partial ALR-01-partial within ten minutes of any start, a vehicle of the demo leaves the depot by itself, after which an alert fires', async () => {
  const { own: scope, admin, user } = await openHome(app);
  const plow = await addDevice(app, scope, named());
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
  const { route } = demoOrganizations[0]!.vehicles.find(({ vehicle }) => vehicle === 'Plow 12')!;
  // Two hours of its drive, as its router reports it.
  const begin = app.clock.now().getTime();
  const hours = 2;
  const fixes = drivenFixes(route, begin, begin + hours * 3_600_000);
  for (let minute = 1; minute <= hours * 60; minute++) {
    const now = begin + minute * 60_000;
    app.clock.set(new Date(now).toISOString());
    const trail = fixes.filter(({ at }) => at > now - 60_000 && at <= now);
    const text = trail.map(({ at, latitude, longitude }) => `${at / 1_000},${latitude},${longitude}`).join(';');
    if (text !== '') await positions.pushed(plow.routerId, [{ values: [['Device.X_HIGHLINE_GPS.Trail', text]] }]);
    await fireAndResolve({ ...app }, app.clock.now());
  }
  const response = await app.call('GET', '/data_manager/v1/alerts', { as: user, query: { limit: 100, sort: 'fired' } });
  const raised = response.json.result as alerts.Alert[];
  expect(new Set(raised.map(({ ruleName }) => ruleName))).toEqual(new Set(['Left the depot']));
  const moments = [begin, ...raised.map(({ fired }) => fired * 1_000), begin + hours * 3_600_000];
  const pauses = moments.slice(1).map((at, index) => at - moments[index]!);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(600_000);
  await positions.stop();
});

test('an organization of the demo without that area has the other rules only', async () => {
  const { own: scope, admin, user } = await openHome(app);
  await seedAlertRules(app, scope, admin);
  const response = await app.call('GET', '/data_manager/v1/alerts/rules', { as: user });
  const names = (response.json.result as alerts.Rule[]).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['Subscription ends soon', 'Vehicle lost', 'Weak signal']);
});
