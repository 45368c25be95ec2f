import { expect, it } from 'vitest';
import { alertsPath, MINUTE_MS, type TestRouter, useAlertFleet, weakSignal } from '../../testing/alert-fleet.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { compareAll } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, listed, statesOf, withPresence } = useAlertFleet(app);

it('ALR-04-partial a router that stays offline fires once, also one silent since before the rule; one that returns in time does not', async () => {
  const { admin, routers } = await open(4);
  const [before, lost, back, never] = routers as [TestRouter, TestRouter, TestRouter, TestRouter];
  await withPresence(async (presence) => {
    for (const [epoch, { routerId }] of [before, lost, back].entries()) presence.connected(routerId, 1_000 + epoch);
    await presence.flush();
    presence.disconnected(before.routerId, 'no-answer', app.clock.now());
    await presence.flush();
    later(10 * MINUTE_MS);
    await addRule(admin, { name: 'Offline', condition: { kind: 'offline' }, forSeconds: 300 });
    for (const { routerId } of [lost, back]) presence.disconnected(routerId, 'no-answer', app.clock.now());
    await presence.flush();
    await compareAll(app.database, app.clock.now());
    await run();
    expect((await listed(admin)).map(({ serial_number: serial }) => serial)).toEqual([before.serial]);
    later(4 * MINUTE_MS);
    presence.connected(back.routerId, 2_000);
    await presence.flush();
    later(2 * MINUTE_MS);
    await run();
    await run();
    const open = (await listed(admin)).map(({ serial_number: serial }) => serial);
    expect(open.toSorted()).toEqual([before.serial, lost.serial].toSorted());
    expect(open).not.toContain(never.serial);
    presence.connected(lost.routerId, 2_001);
    await presence.flush();
    await run();
    expect((await listed(admin, { device: lost.deviceId }))[0]).toMatchObject({ state: 'resolved', resolution: 'cleared' });
  });
});

it('ALR-04-partial a kind of condition that fails keeps no other from firing and none from ending', async () => {
  const { admin, routers } = await open(2);
  const [lost, ending] = routers as [TestRouter, TestRouter];
  await app.owner.query("update devices set presence = 'offline', presence_since = $2 where id = $1", [
    lost.deviceId,
    app.clock.now(),
  ]);
  await app.owner.query("update devices set expires_on = '2026-11-25' where id = $1", [ending.deviceId]);
  await addRule(admin, { name: 'Offline', condition: { kind: 'offline' }, forSeconds: 0 });
  await addRule(admin, { name: 'Ends', condition: { kind: 'subscription-ends', days: 7 }, forSeconds: 0 });
  await app.owner.query(`create function reject_state() returns trigger language plpgsql as $$ begin raise 'canceled'; end $$`);
  await app.owner.query(`create trigger reject_state before insert on alert_states for each row when (new.kind = 'offline')
    execute function reject_state()`);
  const compare = () => compareAll(app.database, app.clock.now());
  await expect(compare()).rejects.toThrow('Comparing offline failed.');
  await run();
  expect((await listed(admin)).map(({ ruleName, device }) => [ruleName, device])).toEqual([['Ends', ending.deviceId]]);
  await app.call('DELETE', '/data_manager/v1/dm/devices', { as: admin, body: { devices: [ending.deviceId] } });
  await expect(compare()).rejects.toThrow('Comparing offline failed.');
  await run();
  expect(await statesOf(admin)).toEqual(['deleted']);
  await app.owner.query('drop trigger reject_state on alert_states');
  await compare();
  await run();
  expect((await listed(admin, { state: 'open' })).map(({ device }) => device)).toEqual([lost.deviceId]);
});

it('ALR-03-partial an alert of a device that was transferred or deleted is resolved and says so, as those of a changed or deleted rule', async () => {
  const { main, admin, routers } = await open(3);
  const target = await app.seeding.organization(main, 'Target');
  const owner = app.person(main, 'main');
  const rule = await addRule(admin, { forSeconds: 0 });
  const other = await addRule(admin, {
    name: 'Hot',
    forSeconds: 0,
    condition: { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70 },
  });
  await withTelemetry(async (telemetry) => {
    for (const router of routers) await measure(telemetry, router, -120);
    await measure(telemetry, routers[2]!, 80, 'temperature');
    await run();
  });
  expect(await statesOf(admin)).toEqual(['firing', 'firing', 'firing', 'firing']);
  const moved = await app.call('POST', '/data_manager/v1/dm/org/device', {
    as: owner,
    body: { target: target.organizationId, serials: [routers[0]!.serial] },
  });
  expect(moved.status, moved.text).toBe(200);
  const deleted = await app.call('DELETE', '/data_manager/v1/dm/devices', {
    as: admin,
    body: { devices: [routers[1]!.deviceId] },
  });
  expect(deleted.status, deleted.text).toBe(200);
  await compareAll(app.database, app.clock.now());
  await run();
  await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body: { ...weakSignal, forSeconds: 5 } });
  await app.call('DELETE', `${alertsPath}/rules/${other.id}`, { as: admin });
  await run();
  const reasons = new Map(
    (await listed(admin)).map(({ serial_number: serial, ruleName, resolution }) => [`${serial} ${ruleName}`, resolution]),
  );
  expect(Object.fromEntries(reasons)).toEqual({
    [`${routers[0]!.serial} Weak signal`]: 'transferred',
    [`${routers[1]!.serial} Weak signal`]: 'deleted',
    [`${routers[2]!.serial} Weak signal`]: 'rule-changed',
    [`${routers[2]!.serial} Hot`]: 'rule-deleted',
  });
});

it('SAY-04-partial ALR-01-partial a parked vehicle without positions raises no alert, nor does one that starts again before its first position; a restart of the server ends none', async () => {
  const { scope, admin, routers } = await open(4);
  const [parked, planned, starting, broken] = routers.map(({ deviceId }) => deviceId) as [string, string, string, string];
  const hourAgo = new Date(app.clock.now().getTime() - 60 * MINUTE_MS);
  await app.owner.query("update router_ownership set owned_from = '2026-11-01' where organization_id = $1", [
    scope.organizationId,
  ]);
  for (const { routerId } of routers)
    await app.owner.query(
      `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at) values ($1, $2, 1, 1, false, $2)`,
      [routerId, hourAgo],
    );
  const set = (device: string, presence: string, since: Date, ignition: string, isPlanned = false) =>
    app.owner.query('update devices set presence = $2, presence_since = $3, ignition = $4, is_planned = $5 where id = $1', [
      device,
      presence,
      since,
      ignition,
      isPlanned,
    ]);
  await set(parked, 'offline', hourAgo, 'off');
  await set(planned, 'offline', hourAgo, 'on', true);
  await set(starting, 'online', app.clock.now(), 'on');
  await set(broken, 'online', hourAgo, 'on');
  await addRule(admin, { name: 'Silent', condition: { kind: 'position-silent' }, forSeconds: 1_800 });
  const silent = async () => {
    await compareAll(app.database, app.clock.now());
    await run();
    return (await listed(admin, { state: 'open' })).map(({ device }) => device).toSorted();
  };
  expect(await silent()).toEqual([broken]);
  // It has had ten minutes, and its connection begins again.
  later(11 * MINUTE_MS);
  expect(await silent()).toEqual([broken, starting].toSorted());
  await set(starting, 'online', app.clock.now(), 'on');
  expect(await silent()).toEqual([broken, starting].toSorted());
  // After a restart of the server, and during planned work, it is unknown: none begins, and none ends.
  await set(parked, 'unknown', app.clock.now(), 'on');
  await set(broken, 'unknown', app.clock.now(), 'off');
  await set(starting, 'offline', app.clock.now(), 'on', true);
  expect(await silent()).toEqual([broken, starting].toSorted());
  // An outage is no parking.
  await set(parked, 'offline', app.clock.now(), 'off');
  await set(broken, 'offline', app.clock.now(), 'on');
  await set(starting, 'offline', app.clock.now(), 'off');
  expect(await silent()).toEqual([broken]);
});
