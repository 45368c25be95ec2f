import { createManualScheduler, createSimulatedPlatform } from '@highline/router';
import type { positions as calls } from '@highline/contract';
import { expect, test } from 'vitest';
import type { Actor } from '../../kernel/scope.ts';
import { silentLog } from '../../testing/log.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createPositions } from './index.ts';

const NOW = '2026-11-20T12:00:00Z';
const NOON = Date.parse(NOW);
const HOURS = 3_600_000;
const TICK_MS = 5_000;
const BASE = '/data_manager/v1/dm';
const app = useTestApp(NOW);

/** What the vehicle of a router recorded in the two hours before noon, and when it was switched on or off. */
function recorded() {
  const scheduler = createManualScheduler(NOON - 2 * HOURS);
  const modem = { imei: '', imsi: '', iccid: '', msisdn: '', eid: '', carrier: 'Verizon', apn: '' };
  const { sensors } = createSimulatedPlatform({ seed: 5, scheduler, modem, home: [41.88, -87.63], parks: true });
  const switched: number[] = [];
  for (let was = sensors.ignition(); scheduler.now() < NOON; was = sensors.ignition()) {
    scheduler.advance(TICK_MS);
    if (sensors.ignition() !== was) switched.push(scheduler.now());
  }
  return { fixes: sensors.fixesSince(NOON - 2 * HOURS), switched };
}

/** PIDF-LO as another maker writes it, with accuracy, speed in metres per second, and heading. */
const document = `<p:presence xmlns:p="urn:ietf:params:xml:ns:pidf" xmlns:g="urn:ietf:params:xml:ns:pidf:geopriv10"
    xmlns:m="http://www.opengis.net/gml" xmlns:s="http://www.opengis.net/pidflo/1.0" xmlns:d="urn:ietf:params:xml:ns:pidf:geopriv10:dynamic"
    entity="pres:b@example.net"><p:tuple id="t"><p:status><g:geopriv><g:location-info><s:Circle srsName="urn:ogc:def:crs:EPSG::4326">
    <m:pos>25.0478 121.517</m:pos><s:radius uom="urn:ogc:def:uom:EPSG::9001">12.5</s:radius></s:Circle>
    <d:Dynamic><d:heading>90</d:heading><d:speed>10</d:speed></d:Dynamic></g:location-info><g:usage-rules/></g:geopriv></p:status>
    <p:timestamp>2026-11-20T11:59:30Z</p:timestamp></p:tuple></p:presence>`;

test('POS-01 PIDF-LO of any agent and our trails are stored by day with all that was reported of each fix, kept for POSITION_DAYS, and hidden from the next owner', async () => {
  const { own, sibling, user, mainPerson } = await openHome(app);
  const receiver = app.person(sibling, 'user');
  const fresh = routersNamed('PW');
  const [ours, others] = [await addDevice(app, own, fresh()), await addDevice(app, own, fresh())];
  await app.owner.query(`update router_ownership set owned_from = '2026-11-01'`);
  const clock = { now: () => new Date(NOON) };
  const { database } = app;
  const positions = createPositions({ database, clock, log: silentLog, retentionDays: 30, settings: { collectMs: 1 } });
  await positions.start();
  const trailOf = async ({ id }: TestDevice, as: Actor): Promise<calls.TrailFix[]> =>
    (await app.call('GET', `${BASE}/device/trail`, { as, query: { device: id, day: '2026-11-20' } })).json.result.fixes;

  // Another maker's document.
  await positions.located(others.routerId, document);
  expect(await trailOf(others, user)).toEqual([[NOON / 1_000 - 30, 25.0478, 121.517, 36, 90, 12.5, null, false]]);

  // A trail of our agent: at least every ten minutes, while it drives every ten seconds, and when it is switched on and off.
  const { fixes, switched } = recorded();
  const trail = fixes
    .map(({ at, latitude, longitude, accuracy, speed, heading }) =>
      [at / 1_000, latitude, longitude, accuracy, speed, heading].join(','),
    )
    .join(';');
  await positions.pushed(ours.routerId, [{ values: [['Device.X_HIGHLINE_GPS.Trail', trail]] }]);
  const stored = await trailOf(ours, user);
  expect(stored).toHaveLength(fixes.length);
  expect(stored.length).toBeGreaterThan(300);
  expect(stored[0]!.slice(3, 6)).toEqual([fixes[0]!.speed, Math.round(fixes[0]!.heading), fixes[0]!.accuracy]);
  expect(switched.length).toBeGreaterThan(1);
  for (const at of switched) expect(stored.map(([time]) => time)).toContain(at / 1_000);
  const steps = stored.slice(1).map(([at, , , speed], index) => {
    const [before, , , slower] = stored[index]!;
    return { seconds: at - before, isDriving: speed! > 0 && slower! > 0 };
  });
  expect(Math.max(...steps.map(({ seconds }) => seconds))).toBeLessThanOrEqual(600);
  expect(Math.max(...steps.filter(({ isDriving }) => isDriving).map(({ seconds }) => seconds))).toBeLessThanOrEqual(10);

  // Stored by router in few rows, in the partition of their day.
  const { rows } = await app.owner.query(
    `select tableoid::regclass::text as part, max(cardinality(seconds)) as longest, count(*)::int as n
     from position_segments where router_id = $1 group by 1`,
    [ours.routerId],
  );
  expect(rows).toMatchObject([{ part: 'position_segments_20261120', longest: 60 }]);
  expect(rows[0]!.n).toBeLessThan(fixes.length / 10);

  // A transfer hides the trail and the newest position from the next owner; the vehicle is theirs from then on.
  const moved = await app.call('POST', `${BASE}/org/device`, {
    as: mainPerson,
    body: { target: sibling.organizationId, serials: [ours.serial] },
  });
  expect(moved.status).toBe(200);
  expect(await trailOf(ours, receiver)).toEqual([]);
  const map = await app.call('GET', `${BASE}/positions`, { as: receiver });
  expect(map.json.result).toMatchObject({ vehicles: [], never: 1 });
  expect((await app.call('GET', `${BASE}/device/trail`, { as: user, query: { device: ours.id } })).status).toBe(404);

  // Own retention: whole days go.
  const { stop, retention } = createPositions({ database, clock, log: silentLog, retentionDays: 2 });
  await retention.run(new Date(NOON + 2 * 24 * HOURS));
  expect(await trailOf(others, user)).toHaveLength(1);
  await retention.run(new Date(NOON + 3 * 24 * HOURS));
  expect(await trailOf(others, user)).toEqual([]);
  await Promise.all([stop(), positions.stop()]);
});
