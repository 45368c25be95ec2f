import { alerts } from '@highline/contract';
import { expect, it } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { alertsPath, MINUTE_MS, type TestRouter, useAlertFleet, weakSignal } from '../../testing/alert-fleet.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { Telemetry } from '../router-state/index.ts';
import { compareAll, endOutOfViews } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, listed, statesOf } = useAlertFleet(app);

it('ALR-04-partial a value fires after its time, and clears beyond the clear threshold; a flapping one never fires', async () => {
  const { admin, routers } = await open(2);
  const [weak, flapping] = routers as [TestRouter, TestRouter];
  const rule = await addRule(admin);
  await withTelemetry(async (telemetry) => {
    for (let step = 0; step < 4; step++) {
      await measure(telemetry, weak, -120);
      await measure(telemetry, flapping, step % 2 === 0 ? -120 : -90);
      await run();
      if (step < 2) expect(await listed(admin)).toEqual([]);
      later(30_000);
    }
    await run();
    expect(await listed(admin)).toEqual([
      expect.objectContaining({
        state: 'firing',
        rule: rule.id,
        ruleName: 'Weak signal',
        device: weak.deviceId,
        serial_number: weak.serial,
        value: -120,
        reading: 'rsrp',
      }),
    ]);
    // Between the thresholds nothing changes.
    await measure(telemetry, weak, -107);
    await run();
    expect(await statesOf(admin)).toEqual(['firing']);
    await measure(telemetry, weak, -104);
    await run();
    expect(await statesOf(admin)).toEqual(['cleared']);
  });
});

it('ALR-04-partial reports that arrive late or have a wrong clock change nothing, and a backlog counts from its own times', async () => {
  const { admin, routers } = await open(2);
  const [first, second] = routers as [TestRouter, TestRouter];
  await addRule(admin);
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, first, -90);
    await measure(telemetry, first, -120, 'rsrp', 5 * MINUTE_MS);
    // From a clock that is ahead: stored with the time of the server.
    await measure(telemetry, second, -120, 'rsrp', -60 * MINUTE_MS);
    await run();
    expect(await listed(admin)).toEqual([]);
    later(2 * MINUTE_MS);
    // What a router measured while it had no coverage.
    const at = app.clock.now().getTime();
    const sample = (ageMs: number) => ({ at: at - ageMs, parameter: 'rsrp' as const, value: -121 });
    await telemetry.write(first.routerId, [sample(100_000), sample(1_000)]);
    await run();
    expect((await listed(admin)).map(({ serial_number: serial }) => serial).toSorted()).toEqual([first.serial, second.serial]);
  });
});

it('ALR-01-partial only the devices in scope fire, and only in the active hours', async () => {
  const { admin, routers, group, scope } = await open(2);
  const [inside, outside] = routers as [TestRouter, TestRouter];
  await app.owner.query('update devices set group_key = $1 where id = $2', [group, inside.deviceId]);
  await app.owner.query("update devices set tags = '{night}' where id = $1", [outside.deviceId]);
  await addRule(admin, { scope: { kind: 'group', group }, forSeconds: 0 });
  // 2026-11-20 is a Friday, 13:00 in Paris.
  const hours = { days: [5], from: '14:00', until: '15:00', zone: 'Europe/Paris' };
  await addRule(admin, { name: 'Later', scope: { kind: 'tag', tag: 'night' }, forSeconds: 0, hours });
  app.clock.set('2026-11-20T12:00:00Z');
  await withTelemetry(async (telemetry) => {
    for (const router of routers) await measure(telemetry, router, -120);
    await run();
    expect((await listed(admin)).map(({ serial_number: serial }) => serial)).toEqual([inside.serial]);
    app.clock.set('2026-11-20T13:00:30Z');
    await run();
    expect((await listed(admin)).map(({ serial_number: serial }) => serial)).toEqual([outside.serial, inside.serial]);
  });
  // A group that is left, and one that is deleted.
  await app.owner.query('update devices set group_key = $1 where id = $2', ['default+group+id', inside.deviceId]);
  await compareAll(app.database, app.clock.now());
  await run();
  expect((await listed(admin, { device: inside.deviceId }))[0]).toMatchObject({
    state: 'resolved',
    resolution: 'out-of-scope',
  });
  await app.owner.query('delete from groups where organization_id = $1 and key = $2', [scope.organizationId, group]);
  const rules: alerts.Rule[] = (await app.call('GET', `${alertsPath}/rules`, { as: admin })).json.result;
  expect(rules.map(({ name, missing }) => [name, missing])).toEqual([
    ['Later', false],
    ['Weak signal', true],
  ]);
});

it('ALR-01-partial the devices of a shared view fire; without the view none does', async () => {
  const { scope, admin, routers } = await open(2);
  const [chosen, other] = routers as [TestRouter, TestRouter];
  const content = { search: { search: chosen.serial, field: 'serial' }, layout: {} };
  const view = newId();
  await app.owner.query(
    `insert into saved_views (id, main_account_id, organization_id, list, name, is_shared, content)
     values ($1, $2, $3, 'devices', 'Chosen', true, $4)`,
    [view, scope.mainAccountId, scope.organizationId, content],
  );
  await addRule(admin, { scope: { kind: 'view', view }, forSeconds: 0 });
  await withTelemetry(async (telemetry) => {
    for (const router of [other, chosen]) await measure(telemetry, router, -120);
    await run();
    expect((await listed(admin)).map(({ serial_number: serial }) => serial)).toEqual([chosen.serial]);
    // It leaves the view, and returns.
    const search = (serial: string) =>
      app.owner.query('update saved_views set content = $2 where id = $1', [
        view,
        { ...content, search: { search: serial, field: 'serial' } },
      ]);
    await search(other.serial);
    later(2 * MINUTE_MS);
    await endOutOfViews(app, app.clock.now());
    await run();
    expect((await listed(admin)).map(({ serial_number: serial, resolution }) => [serial, resolution])).toEqual([
      [other.serial, null],
      [chosen.serial, 'out-of-scope'],
    ]);
    await app.owner.query('delete from saved_views where id = $1', [view]);
    later(2 * MINUTE_MS);
    await endOutOfViews(app, app.clock.now());
    await run();
    expect(await listed(admin, { state: 'open' })).toEqual([]);
    expect(await listed(admin)).toHaveLength(2);
    expect((await app.call('GET', `${alertsPath}/rules`, { as: admin })).json.result[0].missing).toBe(true);
  });
});

it('ALR-04-partial a router that moves between processes keeps its condition, and what another process changes is seen with the next report', async () => {
  const { admin, routers, group } = await open(1);
  const router = routers[0]!;
  const rule = await addRule(admin, { forSeconds: 0 });
  const statesAfter = async (telemetry: Telemetry, value: number) => {
    await measure(telemetry, router, value);
    await run();
    later(1_000);
    return statesOf(admin);
  };
  await withTelemetry((first) =>
    withTelemetry(async (second) => {
      expect(await statesAfter(first, -120)).toEqual(['firing']);
      expect(await statesAfter(second, -120)).toEqual(['firing']);
      // The first one has in memory that the condition holds.
      expect(await statesAfter(second, -90)).toEqual(['cleared']);
      expect(await statesAfter(first, -120)).toEqual(['firing', 'cleared']);
      expect(await statesAfter(second, -90)).toEqual(['cleared', 'cleared']);

      const body = { ...weakSignal, forSeconds: 0, scope: { kind: 'group', group } };
      await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body });
      expect(await statesAfter(first, -120)).toEqual(['cleared', 'cleared']);
      await app.owner.query('update devices set group_key = $1 where id = $2', [group, router.deviceId]);
      expect(await statesAfter(first, -120)).toEqual(['firing', 'cleared', 'cleared']);
      // It leaves the group for a moment: what held is taken away, and begins again.
      await app.owner.query(
        'update devices d set group_key = (select key from groups g where g.organization_id = d.organization_id and key <> $1 limit 1) where id = $2',
        [group, router.deviceId],
      );
      await compareAll(app.database, app.clock.now());
      await app.owner.query('update devices set group_key = $1 where id = $2', [group, router.deviceId]);
      await run();
      expect(await statesAfter(first, -120)).toEqual(['firing', 'out-of-scope', 'cleared', 'cleared']);
    }),
  );
});

it('ALR-04-partial after a restart a report from before the newest one still says nothing about now', async () => {
  const { admin, routers } = await open(1);
  const router = routers[0]!;
  await addRule(admin, { forSeconds: 0 });
  await withTelemetry((before) => measure(before, router, -90));
  await withTelemetry(async (after) => {
    await measure(after, router, -120, 'rsrp', MINUTE_MS);
    await run();
    expect(await listed(admin)).toEqual([]);
    await measure(after, router, -120);
    await run();
  });
  expect(await statesOf(admin)).toEqual(['firing']);
});
