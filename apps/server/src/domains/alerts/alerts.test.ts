import { alerts } from '@highline/contract';
import { describe, expect, it } from 'vitest';
import { createNode } from '../../platform/nodes/index.ts';
import { newId, type Actor } from '../../kernel/index.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createGeofenceEvaluation } from '../geofences/index.ts';
import { createPositions } from '../positions/index.ts';
import { createPresence, createTelemetry, type ReadingKey, type Telemetry } from '../router-state/index.ts';
import {
  compareAll,
  compareCrossings,
  comparePositions,
  comparePresence,
  createReadingAlerts,
  endOutOfViews,
  fireAndResolve,
  sendMessages,
} from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const path = '/data_manager/v1/alerts';
const MINUTE_MS = 60_000;

const usual = {
  name: 'Weak signal',
  enabled: true,
  severity: 'warning',
  condition: { kind: 'reading', reading: 'rsrp', operator: 'below', threshold: -110, clear: -105 },
  forSeconds: 60,
  scope: { kind: 'all' },
  hours: null,
  channels: { mails: [], escalation: null, quiet: null },
} as const;

interface TestRouter {
  readonly routerId: string;
  readonly deviceId: string;
  readonly serial: string;
}

/** An organization with an admin, a group, and devices; what its routers measure and how they connect. */
async function open(devices: number) {
  const { scope: main } = await app.seeding.mainAccount('Main');
  const scope = await app.seeding.organization(main, 'Own');
  const group = await app.seeding.group(scope, 'Buses');
  const mark = newId().slice(-8).toUpperCase();
  const registered = await app.seeding.routers(
    main,
    Array.from({ length: devices }, (_, index) => ({
      serial: `AL${mark}${index}`,
      mac: `02${mark}${(16 + index).toString(16)}`.toUpperCase(),
    })),
  );
  const ids = await app.seeding.devices(
    scope,
    registered.map(({ serial, mac }) => ({ serial, mac })),
  );
  const routers = registered.map(({ id, serial }, index): TestRouter => ({ routerId: id, deviceId: ids[index]!, serial }));
  return { main, scope, group, routers, admin: app.person(scope, 'admin'), user: app.person(scope, 'user') };
}

const later = (ms: number) => app.clock.set(new Date(app.clock.now().getTime() + ms).toISOString());
const run = () => fireAndResolve({ ...app }, app.clock.now());

async function withTelemetry(work: (telemetry: Telemetry) => Promise<void>): Promise<void> {
  const lookAt = createReadingAlerts({ clock: app.clock });
  const telemetry = createTelemetry({ ...app, log: silentLog, retentionDays: 30, lookAt, settings: { collectMs: 1 } });
  await telemetry.start();
  await work(telemetry);
  await telemetry.stop();
}

const measure = (telemetry: Telemetry, { routerId }: TestRouter, value: number, parameter: ReadingKey = 'rsrp', ageMs = 0) =>
  telemetry.write(routerId, [{ at: app.clock.now().getTime() - ageMs, parameter, value }]);

async function addRule(admin: Actor, more: Partial<Record<keyof alerts.RuleInput, unknown>> = {}): Promise<alerts.Rule> {
  const answer = await app.call('POST', `${path}/rules`, { as: admin, body: { ...usual, ...more } });
  expect(answer.text).toContain('"result"');
  return answer.json.result;
}

const listed = async (as: Actor, query: Record<string, string> = {}): Promise<alerts.Alert[]> =>
  (await app.call('GET', path, { as, query: { limit: 50, ...query } })).json.result;
const statesOf = async (as: Actor) => (await listed(as)).map(({ state, resolution }) => resolution ?? state);

/** Connect or disconnect routers, as their sockets do. */
async function withPresence(work: (presence: ReturnType<typeof createPresence>) => Promise<void>): Promise<void> {
  const shared = { database: app.database, log: silentLog };
  const node = createNode({ ...shared, shared: { bus: true, files: true }, name: 'test', version: 'test' });
  await node.start();
  const presence = createPresence({
    ...shared,
    clock: app.clock,
    node,
    settings: { collectMs: 1 },
    compare: (tx, ids) => comparePresence(tx, ids, app.clock.now()),
  });
  await presence.start();
  await work(presence);
  await presence.stop();
  await node.stop();
}

/** A geofence of 200 m around a place on the meridian of London. */
async function addFence(as: Actor, name: string, latitude: number): Promise<string> {
  const body = { name, shape: { kind: 'circle', latitude, longitude: 0, radius: 200 } };
  return (await app.call('POST', '/data_manager/v1/dm/geofences', { as, body })).json.result.id;
}

/** Report positions on that meridian, 40 s apart, the last one now. */
async function drive({ routerId }: TestRouter, latitudes: readonly number[]): Promise<void> {
  const positions = createPositions({
    ...app,
    log: silentLog,
    retentionDays: 30,
    settings: { collectMs: 1 },
    onStored: createGeofenceEvaluation((tx, ids) => compareCrossings(tx, ids, app.clock.now())),
    compare: (tx, ids) => comparePositions(tx, ids, app.clock.now()),
  });
  await positions.start();
  const now = Math.floor(app.clock.now().getTime() / 1_000);
  const trail = latitudes.map((latitude, index) => `${now - (latitudes.length - 1 - index) * 40},${latitude},0`);
  await positions.pushed(routerId, JSON.stringify({ Report: [{ 'Device.X_HIGHLINE_GPS.Trail': trail.join(';') }] }));
  await positions.stop();
}

type Tuple<Item, Length extends number, Rest extends Item[] = []> = Rest['length'] extends Length
  ? Rest
  : Tuple<Item, Length, [...Rest, Item]>;

describe('rules', () => {
  it('ALR-01-partial admins add, change and delete rules, users read them, and the log has it', async () => {
    const { scope, admin, user, group } = await open(0);
    const rule = await addRule(admin, { scope: { kind: 'group', group } });
    expect(rule).toMatchObject({ ...usual, scope: { kind: 'group', group }, missing: false, open: 0, version: 1 });
    expect((await app.call('POST', `${path}/rules`, { as: user, body: { ...usual, name: 'Mine' } })).status).toBe(403);
    expect((await app.call('GET', `${path}/rules`, { as: user })).json.result).toEqual([rule]);
    const saved = await app.call('PUT', `${path}/rules/${rule.id}`, {
      as: admin,
      body: { ...usual, name: 'Weak', enabled: false },
      headers: { 'if-match': '"1"' },
    });
    expect(saved.json.result).toMatchObject({ name: 'Weak', enabled: false, version: 2 });
    const stale = await app.call('PUT', `${path}/rules/${rule.id}`, { as: admin, body: usual, headers: { 'if-match': '"1"' } });
    expect(stale.status).toBe(412);
    expect((await app.call('DELETE', `${path}/rules/${rule.id}`, { as: admin })).status).toBe(200);
    expect((await app.call('DELETE', `${path}/rules/${rule.id}`, { as: admin })).json.error.key).toBe('alert.rule_not_found');
    expect(await app.logOf(scope.organizationId)).toEqual(
      expect.arrayContaining(['Added alert rule Weak signal', 'Changed alert rule Weak', 'Deleted alert rule Weak']),
    );
  });

  it('ALR-01-partial contradicting thresholds, unknown groups, views and zones, and a taken name are rejected by name', async () => {
    const { admin } = await open(0);
    await addRule(admin);
    const problem = async (more: object) => {
      const { status, json } = await app.call('POST', `${path}/rules`, { as: admin, body: { ...usual, name: 'Other', ...more } });
      return [status, json.error.field, json.error.message];
    };
    const above = { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70, clear: 75 };
    const reason = 'because the alert would clear and fire at once';
    expect(await problem({ condition: above })).toEqual([
      400,
      'condition.clear',
      expect.stringContaining(`must not be above the threshold, ${reason}`),
    ]);
    expect(await problem({ condition: { ...usual.condition, clear: -115 } })).toEqual([
      400,
      'condition.clear',
      expect.stringContaining(`must not be below the threshold, ${reason}`),
    ]);
    expect(await problem({ scope: { kind: 'group', group: 'gone' } })).toEqual([400, 'scope.group', expect.any(String)]);
    expect(await problem({ scope: { kind: 'view', view: newId() } })).toEqual([400, 'scope.view', expect.any(String)]);
    const hours = { days: [1], from: '08:00', until: '17:00', zone: 'Nowhere/Town' };
    expect(await problem({ hours })).toEqual([400, 'hours.zone', expect.stringContaining('is not a time zone')]);
    expect(await problem({ condition: { kind: 'reading', reading: 'colour', operator: 'above', threshold: 1 } })).toEqual([
      400,
      'condition.reading',
      expect.any(String),
    ]);
    expect((await problem({ name: usual.name }))[0]).toBe(409);
  });
});

describe('readings', () => {
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
    const rules: alerts.Rule[] = (await app.call('GET', `${path}/rules`, { as: admin })).json.result;
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
      expect((await app.call('GET', `${path}/rules`, { as: admin })).json.result[0].missing).toBe(true);
    });
  });
});

describe('offline', () => {
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
    await app.call('PUT', `${path}/rules/${rule.id}`, { as: admin, body: { ...usual, forSeconds: 5 } });
    await app.call('DELETE', `${path}/rules/${other.id}`, { as: admin });
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
});

describe('other conditions', () => {
  it('ALR-01 every kind of condition fires on the device that meets it and on no other, with its severity, and clears', async () => {
    const { scope, admin, group, routers } = await open(10);
    const kinds = [
      'position-silent',
      'firmware-mismatch',
      'config-mismatch',
      'rollout-paused',
      'rollout-failed',
      'esim-failed',
      'esim-switched',
    ] as const;
    for (const kind of kinds)
      await addRule(admin, { name: kind, condition: { kind }, forSeconds: kind === 'position-silent' ? 600 : 0 });
    await addRule(admin, { name: 'data-use', condition: { kind: 'data-use', megabytes: 5 }, forSeconds: 0 });
    await addRule(admin, { name: 'subscription-ends', condition: { kind: 'subscription-ends', days: 7 }, forSeconds: 0 });
    await addRule(admin, { name: 'offline', condition: { kind: 'offline' }, forSeconds: 300, severity: 'critical' });
    for (const [reading, operator, threshold] of [
      ['rsrp', 'below', -110],
      ['temperature', 'above', 70],
      ['voltage', 'below', 11],
    ] as const)
      await addRule(admin, { name: reading, condition: { kind: 'reading', reading, operator, threshold }, severity: 'info' });
    const depot = await addFence(admin, 'Depot', 41);
    const left = { kind: 'geofence', event: 'left', geofence: depot };
    await addRule(admin, { name: 'left', condition: left, forSeconds: 0 });
    await addRule(admin, { name: 'entered', condition: { ...left, event: 'entered', geofence: null }, forSeconds: 0 });
    const unknown = await app.call('POST', `${path}/rules`, {
      as: admin,
      body: { ...usual, name: 'Other', condition: { ...left, geofence: newId() } },
    });
    expect([unknown.status, unknown.json.error.field]).toEqual([400, 'condition.geofence']);
    const rules: alerts.Rule[] = (await app.call('GET', `${path}/rules`, { as: admin })).json.result;
    expect(new Set(rules.map(({ condition }) => condition.kind))).toEqual(new Set(alerts.conditionKinds));
    const ids = routers.map(({ deviceId }) => deviceId) as Tuple<string, 10>;
    const [silent, bound, paused, failed, profile, switched, ending, lost, measured, driving] = ids;
    const now = app.clock.now();
    const run2 = async () => {
      await compareAll(app.database, app.clock.now());
      await run();
      return (await listed(admin, { state: 'open' })).map(({ ruleName, device }) => `${ruleName} ${device}`).toSorted();
    };
    const owner = (text: string, ...values: unknown[]) => app.owner.query(text, values);
    await owner(
      `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at) values ($1, $2, 1, 1, false, $2)`,
      routers[0]!.routerId,
      now,
    );
    await owner('update devices set expires_on = $1 where id = $2', '2026-11-25', ending);
    const use = (cycle: string, bytes: number) =>
      owner(
        `insert into usage_cycles (organization_id, cycle_from, iccid, device_id, sent, received) values ($1, $2, '8901', $3, $4, $4)`,
        scope.organizationId,
        cycle,
        silent,
        bytes,
      );
    await owner(`insert into usage_sims (organization_id, iccid) values ($1, '8901')`, scope.organizationId);
    await use('2026-11-01', 2_600_000);
    // Of the cycle before, on another device it would be enough.
    await use('2026-10-01', 9_000_000);
    await owner('update devices set group_key = $1 where id = any ($2)', group, [bound, paused, failed]);
    const file = await app.seeding.config(scope, { name: 'depot.cfg' });
    const binding = await app.seeding.binding(scope, { kind: 'config', group, file, schedule: 'bootup' });
    const target = (device: string, state: string) =>
      owner(
        `insert into rollout_targets (organization_id, binding_id, device_id, router_id, state)
         select organization_id, $1, id, router_id, $3 from devices where id = $2
         on conflict (binding_id, device_id) do update set state = excluded.state`,
        binding,
        device,
        state,
      );
    await target(bound, 'waiting');
    await target(paused, 'successful');
    await target(failed, 'failed');
    const { rows: esims } = await app.owner.query(
      `insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, status, priority, created_at, updated_at)
       select organization_id, gen_random_uuid(), main_account_id, id, router_id, serial, 'Fail to download', 1, $2, $2 from devices where id = $1 returning id`,
      [profile, now],
    );
    const fact = (value: string, at: Date) =>
      owner(
        `insert into router_facts (router_id, at, fact, value) values ($1, $2, 'iccid', $3)`,
        routers[5]!.routerId,
        at,
        value,
      );
    await fact('8901', new Date(now.getTime() - 86_400_000));
    await owner("update devices set presence = 'offline', presence_since = $2 where id = $1", lost, now);
    await owner("update router_ownership set owned_from = '2026-11-01' where organization_id = $1", scope.organizationId);
    // A vehicle that is in the depot already has not entered it.
    await drive(routers[9]!, [41, 41]);
    await withTelemetry(async (telemetry) => {
      await measure(telemetry, routers[8]!, -115);
      await measure(telemetry, routers[8]!, 75, 'temperature');
      await measure(telemetry, routers[8]!, 10.5, 'voltage');
    });
    later(11 * MINUTE_MS);
    await drive(routers[9]!, [41.1, 41.1]);
    await fact('8902', app.clock.now());
    expect(await run2()).toEqual(
      [
        `left ${driving}`,
        `offline ${lost}`,
        `rsrp ${measured}`,
        `temperature ${measured}`,
        `voltage ${measured}`,
        `position-silent ${silent}`,
        `data-use ${silent}`,
        `config-mismatch ${bound}`,
        `config-mismatch ${failed}`,
        `rollout-failed ${failed}`,
        `esim-failed ${profile}`,
        `esim-switched ${switched}`,
        `subscription-ends ${ending}`,
      ].toSorted(),
    );
    await owner("update bindings set state = 'paused', paused_reason = 'person' where id = $1", binding);
    expect(await run2()).toContain(`rollout-paused ${bound}`);
    const severities = new Map((await listed(admin)).map(({ ruleName, severity }) => [ruleName, severity]));
    expect(['offline', 'left', 'voltage'].map((name) => severities.get(name))).toEqual(['critical', 'warning', 'info']);

    // It returns: one alert ends, another one begins, in the transaction that stores the positions.
    later(MINUTE_MS);
    await drive(routers[9]!, [41, 41]);
    await run();
    expect((await listed(admin, { device: driving })).map(({ ruleName, state }) => [ruleName, state])).toEqual([
      ['entered', 'firing'],
      ['left', 'resolved'],
    ]);
    await app.call('DELETE', `/data_manager/v1/dm/geofences/${depot}`, { as: admin });
    const missing: alerts.Rule[] = (await app.call('GET', `${path}/rules`, { as: admin })).json.result;
    expect(missing.filter((rule) => rule.missing).map(({ name }) => name)).toEqual(['left']);
    await owner("update devices set presence = 'online', presence_since = $2 where id = $1", lost, app.clock.now());
    await withTelemetry(async (telemetry) => {
      await measure(telemetry, routers[8]!, -90);
      await measure(telemetry, routers[8]!, 20, 'temperature');
      await measure(telemetry, routers[8]!, 12.5, 'voltage');
    });

    // A position ends it in the transaction that stores it.
    await owner(
      'update router_positions set at = $2, stored_at = $2 where router_id = $1',
      routers[0]!.routerId,
      app.clock.now(),
    );
    await app.database.write((tx) => comparePositions(tx, [routers[0]!.routerId], app.clock.now()));
    await run();
    expect((await listed(admin, { device: silent, state: 'resolved' })).map(({ resolution }) => resolution)).toEqual(['cleared']);
    await owner('delete from usage_cycles where device_id = $1', silent);
    await owner('update bindings set ended_at = now() where id = $1', binding);
    await owner('delete from esim_profiles where id = $1', esims[0].id);
    await owner('update devices set expires_on = $1 where id = $2', '2027-11-25', ending);
    later(61 * MINUTE_MS);
    await owner(
      'update router_positions set at = $2 where router_id = any ($1)',
      [routers[0]!.routerId, routers[9]!.routerId],
      app.clock.now(),
    );
    expect(await run2()).toEqual([]);
  });
});

describe('messages', () => {
  const send = async (ms: number) => {
    later(ms);
    await sendMessages({ ...app, log: silentLog, origin: () => 'https://cloud.test' }, app.clock.now());
  };
  const subjects = async (mail: string) => (await app.mailsTo(mail)).map(({ subject }) => subject);

  it('ALR-05-partial people get one mail for a burst, in their language and zone, and others when no one acknowledges in time', async () => {
    const { scope, admin, routers } = await open(3);
    const [dispatch, night, boss] = [
      `d-${scope.organizationId}@x.invalid`,
      `n-${scope.organizationId}@x.invalid`,
      `b-${scope.organizationId}@x.invalid`,
    ];
    await app.owner.query(
      `insert into notification_subscriptions (organization_id, mail, events, language, zone) values ($1, $2, '{}', 'zh-TW', 'Asia/Taipei')`,
      [scope.organizationId, night],
    );
    const channels = { mails: [dispatch, night], escalation: { afterMinutes: 5, mails: [boss] }, quiet: null };
    await addRule(admin, { forSeconds: 0, channels });
    await withTelemetry(async (telemetry) => {
      for (const router of routers.slice(0, 2)) await measure(telemetry, router, -120);
      await run();
      await send(10_000);
      expect(await subjects(dispatch)).toEqual([]);
      await send(11_000);
      expect(await subjects(dispatch)).toEqual(['Warning alert: Weak signal: 2 devices']);
      expect(await subjects(night)).toEqual(['警告警報：Weak signal: 2 台裝置']);
      const [first, second] = await Promise.all([app.mailsTo(dispatch), app.mailsTo(night)]);
      expect(first[0]!.plain).toContain(routers[0]!.serial);
      expect(first[0]!.plain).toContain('– −120 dBm');
      expect(first[0]!.plain).toContain('https://cloud.test/alerts?rule=');
      expect(second[0]!.plain).toContain('GMT+8');
      // Nothing is reported twice; what follows waits for the pause of the rule.
      await send(5_000);
      await measure(telemetry, routers[2]!, -125);
      await run();
      await send(25_000);
      expect(await subjects(dispatch)).toHaveLength(1);
      await send(60_000);
      expect(await subjects(dispatch)).toHaveLength(2);
    });
    // One of three is acknowledged in time.
    const [one] = await listed(admin);
    await app.call('POST', `${path}/acknowledge`, { as: admin, body: { alerts: [one!.id] } });
    expect(await subjects(boss)).toEqual([]);
    await send(6 * MINUTE_MS);
    expect(await subjects(boss)).toEqual(['Warning alert: Weak signal: 2 devices']);
    expect((await app.mailsTo(boss))[0]!.plain).toContain('No one has acknowledged these alerts within 5 min');
    await send(6 * MINUTE_MS);
    expect(await subjects(boss)).toHaveLength(1);
  });

  it('ALR-05-partial messages wait for the end of the quiet hours, and the alert does not', async () => {
    const { scope, admin, routers } = await open(1);
    const mail = `q-${scope.organizationId}@x.invalid`;
    app.clock.set('2026-11-23T02:00:00Z');
    const quiet = { days: [0, 1, 2, 3, 4, 5, 6], from: '22:00', until: '06:00', zone: 'UTC' };
    await addRule(admin, { forSeconds: 0, channels: { mails: [mail], escalation: null, quiet } });
    await withTelemetry(async (telemetry) => {
      await measure(telemetry, routers[0]!, -120);
      await run();
    });
    expect(await statesOf(admin)).toEqual(['firing']);
    await send(60_000);
    expect(await subjects(mail)).toEqual([]);
    app.clock.set('2026-11-23T06:00:01Z');
    await send(0);
    expect(await subjects(mail)).toHaveLength(1);
  });

  it('ALR-06 many alerts of one rule at once are one mail with a count by carrier and group, and one line that opens its members', async () => {
    const { scope, admin, group, routers } = await open(14);
    const mail = `s-${scope.organizationId}@x.invalid`;
    const ids = routers.map(({ deviceId }) => deviceId);
    await app.owner.query("update devices set carrier = 'Verizon' where id = any ($1)", [ids.slice(0, 9)]);
    await app.owner.query("update devices set carrier = 'AT&T' where id = any ($1)", [ids.slice(9)]);
    await app.owner.query('update devices set group_key = $2 where id = any ($1)', [ids.slice(0, 4), group]);
    await addRule(admin, { forSeconds: 0, channels: { mails: [mail], escalation: null, quiet: null } });
    await withTelemetry(async (telemetry) => {
      for (const router of routers.slice(0, 12)) await measure(telemetry, router, -120);
      await run();
      await send(30_000);
      expect(await subjects(mail)).toEqual(['Warning alert: Weak signal: 12 devices']);
      const [text] = await app.mailsTo(mail);
      for (const line of ['Carrier Verizon: 9', 'Carrier AT&T: 3', 'Group default: 8', 'Group Buses: 4'])
        expect(text!.plain).toContain(line);
      // Two more belong to it.
      for (const router of routers.slice(12)) await measure(telemetry, router, -120);
      await run();
      await send(120_000);
    });
    expect(await listed(admin)).toHaveLength(14);
    const [storm, ...others] = await listed(admin, { grouped: 'true' });
    expect(others).toEqual([]);
    expect(storm!.storm).toMatchObject({ count: 14 });
    expect(await listed(admin, { storm: storm!.storm!.id })).toHaveLength(14);
    const acknowledged = storm!.id;
    await app.call('POST', `${path}/acknowledge`, { as: admin, body: { alerts: [acknowledged] } });
    const firing = await listed(admin, { grouped: 'true', state: 'firing' });
    expect(firing.map(({ storm: group13 }) => group13?.count)).toEqual([13]);
  });
});

describe('replay', () => {
  it('ALR-02 a rule is replayed over stored readings, connections, positions and geofence crossings before it is saved, with devices and moments', async () => {
    const { scope, admin, routers } = await open(3);
    const [first, second] = routers as [TestRouter, TestRouter];
    const now = app.clock.now().getTime();
    const ago = (minutes: number) => new Date(now - minutes * MINUTE_MS);
    await app.owner.query('update router_ownership set owned_from = $2 where organization_id = $1', [
      scope.organizationId,
      ago(60 * 24 * 6),
    ]);
    const ask = async (condition: object, forSeconds: number, more: object = {}) => {
      const body = { condition, forSeconds, scope: { kind: 'all' }, hours: null, ...more };
      const answer = await app.call('POST', `${path}/rules/replay`, { as: admin, body });
      expect(answer.status, answer.text).toBe(200);
      return answer.json.result;
    };
    await app.owner.query(
      "select ensure_partitions(($1::timestamptz - interval '8 days')::date, ($1::timestamptz + interval '1 day')::date)",
      [ago(0)],
    );
    const report = (router: TestRouter, minutes: number, rsrp: number) =>
      app.owner.query('insert into telemetry_reports (router_id, at, rsrp) values ($1, $2, $3)', [
        router.routerId,
        ago(minutes),
        rsrp,
      ]);
    // Weak for ten minutes with a value between the thresholds, then again too short; the other one still is.
    for (const [minutes, value] of [
      [100, -90],
      [90, -120],
      [85, -107],
      [80, -100],
      [50, -120],
      [49, -90],
    ] as const)
      await report(first, minutes, value);
    await report(second, 30, -119);
    // From before the organization had it.
    await report(second, 60 * 24 * 6 + 10, -119);
    const found = await ask(usual.condition, 300);
    expect(found).toMatchObject({ replayed: true, count: 2, devices: 2, isCut: false });
    expect(found.moments).toEqual([
      expect.objectContaining({ serial_number: second.serial, fired: ago(25).getTime() / 1_000, cleared: null, value: -119 }),
      expect.objectContaining({
        serial_number: first.serial,
        fired: ago(85).getTime() / 1_000,
        cleared: ago(80).getTime() / 1_000,
      }),
    ]);
    expect((await ask(usual.condition, 0)).count).toBe(3);
    // Outside of the active hours nothing fires.
    const day = ago(0).getUTCDay();
    const never = { days: [(day + 3) % 7], from: '00:00', until: '00:01', zone: 'UTC' };
    expect((await ask(usual.condition, 0, { hours: never })).count).toBeLessThan(3);

    const connection = (minutes: number, kind: string) =>
      app.owner.query("insert into connectivity (router_id, at, kind, reason) values ($1, $2, $3, 'no-answer')", [
        first.routerId,
        ago(minutes),
        kind,
      ]);
    for (const [minutes, kind] of [
      [300, 'online'],
      [200, 'offline'],
      [150, 'boot'],
      [140, 'online'],
      [20, 'offline'],
      [19, 'online'],
    ] as const)
      await connection(minutes, kind);
    expect(await ask({ kind: 'offline' }, 600)).toMatchObject({ count: 1, moments: [{ fired: ago(190).getTime() / 1_000 }] });

    await app.owner.query("select ensure_position_partitions(($1::timestamptz - interval '8 days')::date, $1::date)", [ago(0)]);
    for (const minutes of [400, 390, 100, 5])
      await app.owner.query('insert into positions (router_id, at, latitude, longitude, is_jump) values ($1, $2, 1, 1, false)', [
        first.routerId,
        ago(minutes),
      ]);
    expect(await ask({ kind: 'position-silent' }, 3_600)).toMatchObject({ count: 2, devices: 1 });
    const [depot, yard] = [await addFence(admin, 'Depot', 41), await addFence(admin, 'Yard', 42)];
    for (const [minutes, fence, kind] of [
      [90, depot, 'left'],
      [60, yard, 'entered'],
      [50, yard, 'left'],
      [30, depot, 'entered'],
    ] as const)
      await app.owner.query(
        `insert into geofence_events (organization_id, device_id, router_id, geofence_id, geofence_name, kind, at)
         values ($1, $2, $3, $4, 'x', $5, $6)`,
        [scope.organizationId, first.deviceId, first.routerId, fence, kind, ago(minutes)],
      );
    const leaving = { kind: 'geofence', event: 'left' };
    expect(await ask({ ...leaving, geofence: depot }, 0)).toMatchObject({
      count: 1,
      moments: [{ fired: ago(90).getTime() / 1_000, cleared: ago(30).getTime() / 1_000 }],
    });
    expect(await ask({ ...leaving, geofence: null }, 0)).toMatchObject({ count: 2, devices: 1 });
    expect(await ask({ kind: 'rollout-paused' }, 0)).toMatchObject({ replayed: false, count: 0 });
  });
});

describe('inbox', () => {
  /** An organization with alerts that fire. */
  async function firing(count: number) {
    const own = await open(count);
    await addRule(own.admin, { forSeconds: 0 });
    await withTelemetry(async (telemetry) => {
      for (const router of own.routers) await measure(telemetry, router, -120);
      await run();
    });
    return { ...own, alerts: await listed(own.admin) };
  }

  it('ALR-03-partial alerts are acknowledged together with a note, once, and the log and the outbox have it; a foreign id is a 404', async () => {
    const { admin, user, scope, alerts: own } = await firing(3);
    const { alerts: foreign } = await firing(1);
    await app.takeOutbox();
    const acknowledge = (as: Actor, ids: readonly string[]) =>
      app.call('POST', `${path}/acknowledge`, { as, body: { alerts: ids, note: 'On it' } });
    const mixed = await acknowledge(admin, [own[0]!.id, foreign[0]!.id]);
    expect([mixed.status, mixed.json.error.key]).toEqual([404, 'alert.not_found']);
    expect(await statesOf(admin)).toEqual(['firing', 'firing', 'firing']);
    expect((await acknowledge(user, [own[0]!.id, own[1]!.id])).json.result).toEqual({ acknowledged: 2 });
    expect((await acknowledge(admin, [own[0]!.id])).json.result).toEqual({ acknowledged: 0 });
    expect((await listed(admin, { state: 'acknowledged' }))[0]).toMatchObject({ acknowledgedBy: user.email, note: 'On it' });
    expect((await app.call('GET', `${path}/count`, { as: admin })).json.result).toEqual({
      firing: 1,
      critical: 0,
      acknowledged: 2,
    });
    expect((await app.logOf(scope.organizationId)).at(-1)).toBe('Acknowledged 2 alerts');
    expect((await app.takeOutbox()).filter(({ topic }) => topic === 'alerts')).toHaveLength(1);
  });

  it('ALR-03-partial the inbox has filters, pages by key and a CSV, and the main account sees all of its organizations', async () => {
    const { main, admin, routers, group } = await firing(5);
    const first = await app.call('GET', path, { as: admin, query: { limit: 2 } });
    expect([first.json.total, first.json.result.length]).toEqual([5, 2]);
    const next = await app.call('GET', path, { as: admin, query: { limit: 2, cursor: first.json.next } });
    const ids = [...first.json.result, ...next.json.result].map(({ id }: alerts.Alert) => id);
    expect(new Set(ids).size).toBe(4);
    const count = async (query: Record<string, string>) => (await listed(admin, query)).length;
    expect(await count({ state: 'open', severity: 'warning', kind: 'reading' })).toBe(5);
    expect(await count({ severity: 'critical' })).toBe(0);
    expect(await count({ state: 'resolved' })).toBe(0);
    expect(await count({ device: routers[0]!.deviceId })).toBe(1);
    expect(await count({ group })).toBe(0);
    expect(await count({ search: routers[1]!.serial, field: 'serial' })).toBe(1);
    expect(await listed(app.person(main, 'main'))).toHaveLength(5);
    const csv = await app.call('GET', `${path}/export`, { as: admin, query: { search: routers[1]!.serial, language: 'zh-TW' } });
    expect(csv.text.trim().split('\r\n')).toEqual([
      expect.stringContaining('嚴重程度'),
      expect.stringContaining(`警告,觸發中,Weak signal,Own,${routers[1]!.serial}`),
    ]);
  });

  it('ALR-03-partial ATT-01-partial alerts are on the timeline of their device, on the map and in what needs attention', async () => {
    const { main, admin, routers, alerts: own } = await firing(2);
    const dm = '/data_manager/v1/dm';
    const attention = async (as: Actor) => (await app.call('GET', `${dm}/attention`, { as })).json.result.alerts;
    expect(await attention(admin)).toEqual({ firing: 2, critical: 0 });
    expect(await attention(app.person(main, 'main'))).toEqual({ firing: 2, critical: 0 });
    const mine = own.find(({ device }) => device === routers[0]!.deviceId)!;
    later(1_000);
    await app.call('POST', `${path}/acknowledge`, { as: admin, body: { alerts: [mine.id], note: 'On it' } });
    expect(await attention(admin)).toEqual({ firing: 1, critical: 0 });
    await app.owner.query(
      `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at) values ($1, now(), 1, 1, false, now())`,
      [routers[0]!.routerId],
    );
    await app.owner.query("update router_ownership set owned_from = '2026-01-01' where router_id = $1", [routers[0]!.routerId]);
    const map = (await app.call('GET', `${dm}/positions`, { as: admin })).json.result.vehicles;
    expect(map.map((vehicle: unknown[]) => [vehicle[0], vehicle.at(-1)])).toEqual([[routers[0]!.deviceId, 'warning']]);
    later(1_000);
    await withTelemetry(async (telemetry) => {
      await measure(telemetry, routers[0]!, -90);
      await run();
    });
    const events = await app.call('GET', `${dm}/device/timeline`, {
      as: admin,
      query: { device: routers[0]!.deviceId, kind: 'alert' },
    });
    expect(events.json.result).toEqual([
      expect.objectContaining({
        kind: 'alert',
        alert: mine.id,
        label: 'Weak signal',
        state: 'resolved',
        reason: 'cleared',
        severity: 'warning',
      }),
      expect.objectContaining({ kind: 'alert', state: 'acknowledged', reason: 'On it', by: admin.email }),
      expect.objectContaining({ kind: 'alert', state: 'firing' }),
    ]);
  });

  it('resolved alerts are deleted after 90 days', async () => {
    const { admin, scope } = await firing(1);
    await app.owner.query("update alerts set state = 'resolved', resolved_at = $2 where organization_id = $1", [
      scope.organizationId,
      new Date(app.clock.now().getTime() - (alerts.ALERT_DAYS + 1) * 86_400_000),
    ]);
    const { purgeAlerts } = await import('./alerts.job.ts');
    await purgeAlerts(app.database, app.clock.now());
    expect(await listed(admin)).toEqual([]);
  });
});
