import { alerts } from '@highline/contract';
import { expect, it } from 'vitest';
import type { Actor } from '../../kernel/index.ts';
import { alertsPath, MINUTE_MS, useAlertFleet, weakSignal } from '../../testing/alert-fleet.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { actOnAlerts, type RuleActions } from './alert-actions.job.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule } = useAlertFleet(app);

/** What other domains would do; the job of a command and the switch of a profile have tests of their own. */
function actionsOf(started: string[], mayAct = true): RuleActions {
  return {
    mayAct: () => Promise.resolve(mayAct),
    startCommandJob(_tx, _scope, actor, command, devices) {
      started.push(...devices.map(({ serial }) => `${actor.email} ${command} ${serial}`));
      return Promise.resolve('started');
    },
    switchToOthers(_tx, _scope, _actor, sims, _now, _leftOut, later) {
      started.push(...sims.map(({ iccid }) => `${iccid} ${JSON.stringify(later?.window)}`));
      return Promise.resolve(sims.map(() => 'started' as const));
    },
  };
}
const act = (actions: RuleActions) => actOnAlerts({ ...app, log: silentLog, actions, wakeJobs: () => {} }, app.clock.now());
const logged = async (as: Actor): Promise<alerts.AlertAction[]> =>
  (await app.call('GET', `${alertsPath}/actions`, { as, query: { limit: 50, sort: 'at' } })).json.result;
const outcomes = async (as: Actor) =>
  (await logged(as)).map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`)).toSorted();

const limits = { dryRun: false, cooldownMinutes: 30, atOnce: 2, perDay: 20 };

/** An organization with a command, whose routers are connected. */
async function start(count: number) {
  const own = await open(count);
  const command = await app.call('POST', '/data_manager/v1/dm/commands', {
    as: own.admin,
    body: { name: 'Restart', kind: 'reboot' },
  });
  await app.owner.query("update devices set presence = 'online' where organization_id = $1", [own.scope.organizationId]);
  const weaken = (value: number) =>
    withTelemetry(async (telemetry) => {
      for (const router of own.routers) await measure(telemetry, router, value);
      await run();
    });
  return { ...own, command: command.json.result.id as string, weaken };
}

it('WIN-03-partial a rule acts in the name of who saved it, on as many vehicles as it may at once, and each alert once', async () => {
  const { admin, command, weaken, routers } = await start(3);
  const does = { kind: 'command', command };
  const rule = await addRule(admin, { forSeconds: 0, action: { does, ...limits } });
  expect(rule).toMatchObject({ actsFor: admin.email, action: { does, ...limits } });
  await weaken(-120);
  const started: string[] = [];
  await act(actionsOf(started));
  // Another process, or the next run, begins nothing twice.
  await act(actionsOf(started));
  expect(started).toEqual(routers.slice(0, 2).map(({ serial }) => `${admin.email} ${command} ${serial}`));
  expect(await outcomes(admin)).toEqual(['started', 'started', 'waiting: at-once']);
  // The others have recovered: the last one is acted on.
  later(MINUTE_MS);
  await withTelemetry(async (telemetry) => {
    for (const router of routers.slice(0, 2)) await measure(telemetry, router, -90);
    await run();
  });
  await act(actionsOf(started));
  expect(started).toHaveLength(3);
  expect((await app.logOf(admin.organizationId!)).filter((action) => action.startsWith('Alert rule'))).toEqual([
    'Alert rule Weak signal acted on 2 devices',
    'Alert rule Weak signal acted on 1 devices',
  ]);
});

it('WIN-03-partial the log says what a rule did, also when it was changed while the action waited', async () => {
  const { admin, command, weaken, routers } = await start(2);
  const own = { ...limits, atOnce: 1 };
  const rule = await addRule(admin, { forSeconds: 0, action: { does: { kind: 'command', command }, ...own } });
  await weaken(-120);
  await act(actionsOf([]));
  const action = { does: { kind: 'send', send: 'reboot' }, ...own, atOnce: 2 };
  const saved = await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body: { ...rule, action } });
  expect(saved.status, saved.text).toBe(200);
  await act(actionsOf([]));
  const done = (await logged(admin)).map(({ serial_number: serial, does, state }) => [serial, does, state]);
  expect(done).toEqual([
    [routers[0]!.serial, 'command', 'started'],
    [routers[1]!.serial, 'send', 'started'],
  ]);
  const { rows } = await app.owner.query<{ kind: string }>('select kind from sent_commands where device_id = $1', [
    routers[1]!.deviceId,
  ]);
  expect(rows).toEqual([{ kind: 'reboot' }]);
});

it('WIN-03-partial a run reaches the rules of everyone, however many have actions that wait', async () => {
  const { scope, admin, command, weaken, routers } = await start(1);
  await addRule(admin, { forSeconds: 0, action: { does: { kind: 'command', command }, ...limits } });
  await weaken(-120);
  // Of 250 other rules, which come before it.
  await app.owner.query(
    `insert into alert_actions (organization_id, id, rule_id, rule_name, alert_id, device_id, serial, vehicle_number, action, state, created_at)
     select a.organization_id, gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, a.rule_name, gen_random_uuid(),
       a.device_id, a.serial, a.vehicle_number, a.action, 'waiting', a.created_at
     from alert_actions a cross join generate_series(1, 250) n where a.organization_id = $1`,
    [scope.organizationId],
  );
  const started: string[] = [];
  await act(actionsOf(started));
  expect(started).toEqual([`${admin.email} ${command} ${routers[0]!.serial}`]);
});

it('WIN-03-partial HKS-01-partial a rule whose webhook is off does not say that it acted; the list of rules names the webhook as one that does not work', async () => {
  const { admin, weaken } = await start(1);
  const hook = { name: 'Dispatch', url: 'https://hooks.example.com/x', events: [] };
  const made = await app.call('POST', '/data_manager/v1/dm/webhooks', { as: admin, body: hook });
  expect(made.status, made.text).toBe(200);
  const { id } = made.json.result;
  await addRule(admin, { forSeconds: 0, action: { does: { kind: 'webhook', webhook: id }, ...limits } });
  const failing = async () => (await app.call('GET', `${alertsPath}/rules`, { as: admin })).json.result[0].failingChannels;
  expect(await failing()).toBe(0);
  const off = await app.call('PUT', `/data_manager/v1/dm/webhooks/${id}`, { as: admin, body: { ...hook, enabled: false } });
  expect(off.status, off.text).toBe(200);
  expect(await failing()).toBe(1);
  await weaken(-120);
  await act(actionsOf([]));
  expect(await outcomes(admin)).toEqual(['skipped: webhook_off']);
  expect((await app.logOf(admin.organizationId!)).filter((action) => action.startsWith('Alert rule'))).toEqual([]);
  const csv = await app.call('GET', `${alertsPath}/actions/export`, { as: admin });
  expect(csv.text).toContain('the webhook is off');
});

it('WIN-03-partial an action that raises its own alert ends: first by the cool-down, then after three times within a day', async () => {
  const { admin, command, weaken } = await start(1);
  await addRule(admin, { forSeconds: 0, action: { does: { kind: 'command', command }, ...limits } });
  const started: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    await weaken(-120);
    await act(actionsOf(started));
    later(MINUTE_MS);
    await weaken(-90);
    later(19 * MINUTE_MS);
  }
  expect(started).toHaveLength(3);
  expect(await outcomes(admin)).toEqual([
    'skipped: cool-down',
    'skipped: cool-down',
    'skipped: repeats',
    'started',
    'started',
    'started',
  ]);
});

it('WIN-03-partial a rule restarts a router or its modem without a command of the organization, or runs one of it, within a window', async () => {
  const { admin, scope, command, weaken, routers } = await start(1);
  const window = { zone: 'UTC', ignitionOffMinutes: 10 };
  const save = (name: string, does: object) => addRule(admin, { name, forSeconds: 0, action: { does, ...limits } });
  const foreign = { ...window, geofences: ['00000000-0000-4000-8000-000000000000'] };
  for (const does of [{ kind: 'send', send: 'reboot' }, { kind: 'command', command }, { kind: 'profile' }]) {
    const body = { ...weakSignal, action: { does: { ...does, window: foreign }, ...limits } };
    expect((await app.call('POST', `${alertsPath}/rules`, { as: admin, body })).status).toBe(404);
  }
  await save('Modem', { kind: 'send', send: 'restart-modem', window });
  await save('Command', { kind: 'command', command, window });
  await weaken(-120);
  await act(actionsOf([]));
  await act(actionsOf([]));
  expect(await outcomes(admin)).toEqual(['started', 'started']);
  const { rows } = await app.owner.query(
    'select kind, name, work_window, device_id, actor from sent_commands where organization_id = $1 order by kind desc',
    [scope.organizationId],
  );
  const sent = {
    work_window: window,
    device_id: routers[0]!.deviceId,
    actor: expect.objectContaining({ email: admin.email }) as unknown,
  };
  expect(rows).toEqual([
    { kind: 'restart-modem', name: '', ...sent },
    { kind: 'reboot', name: 'Restart', ...sent },
  ]);
});

it('WIN-03-partial what waits for a window counts as under way, for as long as it waits, and does not wait twice for one vehicle', async () => {
  const { admin, scope, command, routers } = await start(2);
  const does = { kind: 'command', command, window: { zone: 'UTC', uplinks: ['satellite'] } };
  await addRule(admin, { forSeconds: 0, action: { does, ...limits, atOnce: 1 } });
  const [first] = routers;
  const measured = (value: number, those = [first!]) =>
    withTelemetry(async (telemetry) => {
      for (const router of those) await measure(telemetry, router, value);
      await run();
    });
  const decided = async () => {
    await act(actionsOf([]));
    return outcomes(admin);
  };
  await measured(-120, routers);
  expect(await decided()).toEqual(['started', 'waiting: at-once']);
  // Its cool-down is over, and so is its alert.
  later(31 * MINUTE_MS);
  await measured(-90);
  expect(await decided()).toEqual(['started', 'waiting: at-once']);
  later(MINUTE_MS);
  await measured(-120);
  expect(await decided()).toEqual(['skipped: already-waiting', 'started', 'waiting: at-once']);
  await app.owner.query("update sent_commands set state = 'expired', ended_at = $2, due_at = null where organization_id = $1", [
    scope.organizationId,
    app.clock.now(),
  ]);
  expect(await decided()).toEqual(['skipped: already-waiting', 'started', 'started']);
});

it('WIN-03-partial nothing is done in a dry run, by who may not act any more, with a rule that is off, or on a router that is offline', async () => {
  const { admin, scope, command, weaken } = await start(1);
  const does = { kind: 'command', command } as const;
  const started: string[] = [];
  const dry = await addRule(admin, { name: 'Dry', forSeconds: 0, action: { does, ...limits, dryRun: true } });
  await addRule(admin, { name: 'Off soon', forSeconds: 0, action: { does, ...limits } });
  await weaken(-120);
  const off = (await app.call('GET', `${alertsPath}/rules`, { as: admin })).json.result[1] as alerts.Rule;
  await app.call('PUT', `${alertsPath}/rules/${off.id}`, { as: admin, body: { ...off, action: null } });
  await act(actionsOf(started));
  expect(await outcomes(admin)).toEqual(['dry-run', 'skipped: rule-changed']);
  await app.call('PUT', `${alertsPath}/rules/${dry.id}`, { as: admin, body: { ...dry, enabled: false, action: null } });
  await addRule(admin, { name: 'Not allowed', forSeconds: 0, action: { does, ...limits } });
  later(MINUTE_MS);
  await weaken(-121);
  await act(actionsOf(started, false));
  await addRule(admin, { name: 'Offline', forSeconds: 0, action: { does, ...limits } });
  await app.owner.query("update devices set presence = 'offline' where organization_id = $1", [scope.organizationId]);
  later(MINUTE_MS);
  await weaken(-122);
  await act(actionsOf(started));
  expect(started).toEqual([]);
  expect((await outcomes(admin)).filter((outcome) => !outcome.includes('rule-changed'))).toEqual([
    'dry-run',
    'skipped: not_allowed',
    'skipped: offline',
  ]);
  expect((await app.logOf(scope.organizationId)).at(-2)).toContain('may not do this any more');
  await app.owner.query("update alert_actions set vehicle_number = '12-05' where organization_id = $1", [scope.organizationId]);
  const fileIn = async (language: string) =>
    (await app.call('GET', `${alertsPath}/actions/export`, { as: admin, query: { language } })).text;
  expect(await fileIn('en-US')).toContain('Not done,the person who saved the rule is no longer allowed to do this');
  expect(await fileIn('en-US')).toContain(",'12-05,");
  expect(await fileIn('zh-TW')).toContain('未執行,儲存規則的使用者已無此權限');
});

it('WIN-03-partial only who may run commands saves a rule that does, and what it names has to exist', async () => {
  const { admin, main, scope, command } = await start(1);
  const save = (as: Actor, does: object) =>
    app.call('POST', `${alertsPath}/rules`, {
      as,
      body: {
        org: scope.organizationId,
        name: 'Acts',
        enabled: true,
        severity: 'info',
        condition: { kind: 'offline' },
        forSeconds: 60,
        scope: { kind: 'all' },
        hours: null,
        channels: { mails: [], escalation: null, quiet: null },
        action: { does, ...limits },
      },
    });
  expect((await save(app.person(main, 'main'), { kind: 'command', command })).json.error.key).toBe('permission.denied');
  expect((await save(admin, { kind: 'command', command: scope.organizationId })).json.error.key).toBe('command.not_found');
  expect((await save(admin, { kind: 'webhook', webhook: command })).json.error.key).toBe('alert.channel_not_found');
  expect((await save(admin, { kind: 'shell', command: 'rm' })).json.error.key).toBe('request.invalid');
  const csv = await app.call('GET', `${alertsPath}/actions/export`, { as: admin });
  expect(csv.text).toContain('Outcome');
});
