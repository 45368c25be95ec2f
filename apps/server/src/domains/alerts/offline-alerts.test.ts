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
