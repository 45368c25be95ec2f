import { alerts } from '@highline/contract';
import { expect, it } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { alertsPath, MINUTE_MS, useAlertFleet, weakSignal } from '../../testing/alert-fleet.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { compareAll, comparePositions } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, listed, addFence, drive } = useAlertFleet(app);

type Tuple<Item, Length extends number, Rest extends Item[] = []> = Rest['length'] extends Length
  ? Rest
  : Tuple<Item, Length, [...Rest, Item]>;

it('ALR-01 SAY-02-partial SAY-03 LIV-10-partial TPL-05 every kind of condition fires on the device that meets it and on no other, with its severity, and clears', async () => {
  const { main, scope, admin, group, routers } = await open(10);
  const kinds = [
    'position-silent',
    'firmware-mismatch',
    'config-mismatch',
    'rollout-paused',
    'rollout-failed',
    'esim-failed',
    'esim-switched',
    'on-backup',
    'uplink-down',
    'settings-differ',
  ] as const;
  for (const kind of kinds)
    await addRule(admin, { name: kind, condition: { kind }, forSeconds: kind === 'position-silent' ? 600 : 0 });
  await addRule(admin, { name: 'data-use', condition: { kind: 'data-use', megabytes: 5 }, forSeconds: 0 });
  await addRule(admin, { name: 'subscription-ends', condition: { kind: 'subscription-ends', days: 7 }, forSeconds: 0 });
  await addRule(admin, { name: 'on-and-off', condition: { kind: 'connection-lost', losses: 3, minutes: 30 }, forSeconds: 0 });
  await addRule(admin, { name: 'found', condition: { kind: 'diagnosis', diagnosis: null }, forSeconds: 0 });
  await addRule(admin, { name: 'found-heat', condition: { kind: 'diagnosis', diagnosis: 'heat' }, forSeconds: 0 });
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
  const unknown = await app.call('POST', `${alertsPath}/rules`, {
    as: admin,
    body: { ...weakSignal, name: 'Other', condition: { ...left, geofence: newId() } },
  });
  expect([unknown.status, unknown.json.error.field]).toEqual([400, 'condition.geofence']);
  const rules: alerts.Rule[] = (await app.call('GET', `${alertsPath}/rules`, { as: admin })).json.result;
  // That of a test is met by what a router answers: alert-tests.test.ts.
  const others = alerts.conditionKinds.filter((kind) => kind !== 'test');
  expect(new Set(rules.map(({ condition }) => condition.kind))).toEqual(new Set(others));
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
  // Its ignition is off, and its router connected.
  await owner("update devices set presence = 'online', presence_since = $2 where id = $1", silent, now);
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
    owner(`insert into router_facts (router_id, at, fact, value) values ($1, $2, 'iccid', $3)`, routers[5]!.routerId, at, value);
  await fact('8901', new Date(now.getTime() - 86_400_000));
  await owner("update devices set presence = 'offline', presence_since = $2 where id = $1", lost, now);
  await owner("update router_ownership set owned_from = '2026-11-01' where organization_id = $1", scope.organizationId);
  // A vehicle that is in the depot already has not entered it.
  await drive(routers[9]!, [41, 41]);
  // Lost three times within the half hour; another one twice, and once by the server; others while they were parked, and for a rollout.
  await owner("select ensure_partitions('2026-11-20', '2026-11-20')");
  for (const [router, reasons] of [
    [routers[7]!, ['no-answer', 'no-answer', 'connection-lost']],
    [routers[6]!, ['no-answer', 'no-answer', 'server-restarted']],
    [routers[0]!, ['no-answer', 'no-answer', 'no-answer']],
    [routers[1]!, ['no-answer', 'no-answer', 'no-answer']],
  ] as const)
    for (const [index, reason] of reasons.entries())
      await owner(
        `insert into connectivity values ($1, $2, 'offline', $3)`,
        router.routerId,
        new Date(now.getTime() - index * MINUTE_MS),
        reason,
      );
  await owner(
    "insert into router_facts (router_id, at, fact, value) values ($1, '2026-11-20', 'ignition', 'off')",
    routers[0]!.routerId,
  );
  await owner(
    `insert into outages (organization_id, device_id, router_id, began_at, kind, reason, carrier, technology, serving_cell)
     select $1, $2, router_id, at, 'planned', reason, '', '', '' from connectivity where router_id = $3`,
    scope.organizationId,
    bound,
    routers[1]!.routerId,
  );
  await owner(
    `insert into device_diagnoses (organization_id, main_account_id, device_id, kind, number, is_first, since, computed_at, evidence)
     select organization_id, main_account_id, id, 'antenna', 30, true, $2, $2, '{}' from devices where id = $1`,
    measured,
    now,
  );
  // One is on its backup. The other one was so for another owner.
  await owner(
    `insert into router_tables (router_id, name, read_at, content)
     select id, 'uplinks', case id when $1 then $3::timestamptz else '2026-10-01' end, '{"uplinks": [], "backup": true, "down": true}'
     from routers where id in ($1, $2)`,
    routers[4]!.routerId,
    routers[3]!.routerId,
    now,
  );
  // One has other settings than those that are set; of the other one its former router had; for a third one nothing is set any more.
  await owner(
    `insert into router_settings (id, organization_id, device_id, version, content, created_by, created_at)
     select gen_random_uuid(), organization_id, id, 1, case id when $3 then '{}'::jsonb else '{"Time.NTPServer1": {"value": "x"}}'::jsonb end, 'a@x.invalid', now()
     from devices where id in ($1, $2, $3)`,
    profile,
    measured,
    switched,
  );
  await owner(
    `insert into router_settings_states (organization_id, device_id, router_id, state, content, checked_at)
     select organization_id, id, case id when $2 then gen_random_uuid() else router_id end, 'differs', '{}', $4 from devices
     where id in ($1, $2, $3)`,
    profile,
    measured,
    switched,
    now,
  );
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
      `on-and-off ${lost}`,
      `found ${measured}`,
      `on-backup ${profile}`,
      `uplink-down ${profile}`,
      `settings-differ ${profile}`,
    ].toSorted(),
  );
  await owner("update bindings set state = 'paused', paused_reason = 'person' where id = $1", binding);
  expect(await run2()).toContain(`rollout-paused ${bound}`);
  // Its router has no command for it, as it reports: that will not end, so it is no alert.
  await target(bound, 'unsupported');
  expect((await run2()).filter((alert) => alert.endsWith(bound))).toEqual([]);
  await target(bound, 'waiting');
  await run2();
  const severities = new Map((await listed(admin)).map(({ ruleName, severity }) => [ruleName, severity]));
  expect(['offline', 'left', 'voltage'].map((name) => severities.get(name))).toEqual(['critical', 'warning', 'info']);

  // It returns: one alert ends, another one begins, in the transaction that stores the positions.
  later(MINUTE_MS);
  await drive(routers[9]!, [41, 41]);
  await run();
  expect((await listed(admin, { device: driving })).map(({ ruleName, state, geofence }) => [ruleName, state, geofence])).toEqual([
    ['entered', 'firing', 'Depot'],
    ['left', 'resolved', 'Depot'],
  ]);
  // It stays in the depot when its router is replaced there.
  const spare = { serial: 'SPARE9', mac: '02AA00000001' };
  await app.seeding.routers(main, [spare]);
  const body = { device: driving, serial_number: spare.serial, mac: spare.mac };
  const replaced = await app.call('POST', '/data_manager/v1/dm/device/router', { as: admin, body });
  expect(replaced.status, replaced.text).toBe(200);
  expect(await run2()).toContain(`entered ${driving}`);
  await app.call('DELETE', `/data_manager/v1/dm/geofences/${depot}`, { as: admin });
  const missing: alerts.Rule[] = (await app.call('GET', `${alertsPath}/rules`, { as: admin })).json.result;
  expect(missing.filter((rule) => rule.missing).map(({ name }) => name)).toEqual(['left']);
  await owner("update devices set presence = 'online', presence_since = $2 where id = $1", lost, app.clock.now());
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[8]!, -90);
    await measure(telemetry, routers[8]!, 20, 'temperature');
    await measure(telemetry, routers[8]!, 12.5, 'voltage');
  });

  // A position ends it in the transaction that stores it.
  await owner('update router_positions set at = $2, stored_at = $2 where router_id = $1', routers[0]!.routerId, app.clock.now());
  await app.database.write((tx) => comparePositions(tx, [routers[0]!.routerId], app.clock.now()));
  await run();
  expect((await listed(admin, { device: silent, state: 'resolved' })).map(({ resolution }) => resolution)).toEqual(['cleared']);
  await owner(`update router_tables set content = '{"uplinks": [], "backup": false, "down": false}'`);
  await owner('delete from usage_cycles where device_id = $1', silent);
  await owner('delete from device_diagnoses where device_id = $1', measured);
  await owner("update router_settings_states set state = 'as-set' where device_id = $1", profile);
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
