import { expect, it } from 'vitest';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import { alertsPath, MINUTE_MS, useAlertFleet } from '../../testing/alert-fleet.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { compareAll, sendMessages } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, addFence, drive, listed, statesOf } = useAlertFleet(app);

const send = async (ms: number) => {
  later(ms);
  await sendMessages({ ...app, log: silentLog, origin: () => 'https://cloud.test' }, app.clock.now());
};
const subjects = async (mail: string) => (await app.mailsTo(mail)).map(({ subject }) => subject);
/** An address that reads Chinese. */
async function readChinese(organizationId: string): Promise<string> {
  const mail = `zh-${organizationId}@x.invalid`;
  await app.owner.query(
    `insert into notification_subscriptions (organization_id, mail, events, language, zone) values ($1, $2, '{}', 'zh-TW', 'Asia/Taipei')`,
    [organizationId, mail],
  );
  return mail;
}
async function addWebhook(scope: OrganizationScope, events: readonly string[]): Promise<string> {
  const id = newId();
  await app.owner.query(
    `insert into webhook_endpoints (id, main_account_id, organization_id, name, url, format, event_types, is_enabled, sealed_secret,
       created_by_email, created_at, updated_at)
     values ($1, $2, $3, 'Bot', 'https://receiver.example', 'standard', $4, true, '', 'x@y.invalid', now(), now())`,
    [id, scope.mainAccountId, scope.organizationId, events],
  );
  return id;
}
async function recordedFor(webhook: string): Promise<{ type: string; data: unknown }[]> {
  const recorded = 'select type, data from webhook_deliveries where endpoint_id = $1 order by position';
  return (await app.owner.query<{ type: string; data: unknown }>(recorded, [webhook])).rows;
}

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
    expect(await subjects(night)).toEqual(['警告警報：Weak signal：2 台裝置']);
    const [first, second] = await Promise.all([app.mailsTo(dispatch), app.mailsTo(night)]);
    expect(first[0]!.plain).toContain(routers[0]!.serial);
    expect(first[0]!.plain).toContain('– −120 dBm');
    // Also when they are over.
    expect(first[0]!.plain).toMatch(/https:\/\/cloud\.test\/alerts\?rule=[0-9a-f-]+$/mu);
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
  await app.call('POST', `${alertsPath}/acknowledge`, { as: admin, body: { alerts: [one!.id] } });
  expect(await subjects(boss)).toEqual([]);
  await send(6 * MINUTE_MS);
  expect(await subjects(boss)).toEqual(['Warning alert: Weak signal: 2 devices']);
  expect((await app.mailsTo(boss))[0]!.plain).toContain('No one acknowledged these alerts within 5 min');
  await send(6 * MINUTE_MS);
  expect(await subjects(boss)).toHaveLength(1);
});

it('ALR-05-partial an alert of any geofence names the one that was crossed: in the inbox, the file, the mails of both languages and webhooks', async () => {
  const { scope, admin, routers } = await open(1);
  const english = `e-${scope.organizationId}@x.invalid`;
  const chinese = await readChinese(scope.organizationId);
  const webhook = await addWebhook(scope, ['alert.fired', 'alert.resolved']);
  await addFence(admin, 'Depot', 41);
  await addFence(admin, '"Yard", north', 41.05);
  const condition = { kind: 'geofence', event: 'entered', geofence: null };
  const channels = { mails: [english, chinese], escalation: null, quiet: null };
  await addRule(admin, { name: 'Entered', condition, forSeconds: 0, channels });
  later(MINUTE_MS);
  await drive(routers[0]!, [41.1, 41.1]);
  later(MINUTE_MS);
  await drive(routers[0]!, [41.05, 41.05]);
  await run();
  expect((await listed(admin)).map(({ geofence, value }) => [geofence, value])).toEqual([['"Yard", north', null]]);
  const { text } = await app.call('GET', `${alertsPath}/export`, { as: admin });
  expect(text).toContain('""Yard"", north');
  await send(30_000);
  const [first, second] = await Promise.all([app.mailsTo(english), app.mailsTo(chinese)]);
  expect(first[0]!.plain).toContain(`${routers[0]!.serial} – geofence "Yard", north`);
  expect(second[0]!.plain).toContain(`${routers[0]!.serial} – 地理圍欄「"Yard", north」`);
  // Renamed since, and left: the alert keeps the name that it fired with.
  await app.owner.query("update geofences set name = 'Other' where organization_id = $1 and name <> 'Depot'", [
    scope.organizationId,
  ]);
  later(MINUTE_MS);
  await drive(routers[0]!, [41.1, 41.1]);
  await run();
  expect(await recordedFor(webhook)).toEqual(
    ['alert.fired', 'alert.resolved'].map((type) => ({
      type,
      data: expect.objectContaining({ geofence: '"Yard", north', summary: 'Entered: "Yard", north' }),
    })),
  );
});

it('ALR-05-partial messages wait for the end of the quiet hours, and the alert does not', async () => {
  const { scope, admin, routers } = await open(1);
  const mail = `q-${scope.organizationId}@x.invalid`;
  const chinese = await readChinese(scope.organizationId);
  app.clock.set('2026-11-23T02:00:00Z');
  const quiet = { days: [0, 1, 2, 3, 4, 5, 6], from: '22:00', until: '06:00', zone: 'UTC' };
  const webhook = await addWebhook(scope, []);
  await addRule(admin, { forSeconds: 0, channels: { mails: [mail, chinese], webhooks: [webhook], escalation: null, quiet } });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    expect(await statesOf(admin)).toEqual(['firing']);
    await send(60_000);
    expect(await subjects(mail)).toEqual([]);
    later(19 * MINUTE_MS);
    await measure(telemetry, routers[0]!, -70);
    await run();
  });
  app.clock.set('2026-11-23T06:00:01Z');
  await send(0);
  expect(await subjects(mail)).toHaveLength(1);
  // It is over since 02:20.
  const [english, inChinese] = [(await app.mailsTo(mail))[0]!, (await app.mailsTo(chinese))[0]!];
  expect(english.plain).toContain('These devices met the condition of this rule:');
  expect(english.plain).toContain(`Nov 23, 2026, 02:00 UTC – ${routers[0]!.serial} – over after 20 min`);
  expect(inChinese.plain).toContain('以下裝置曾符合此規則的條件：');
  expect(inChinese.plain).toContain(`${routers[0]!.serial} – 已恢復正常，歷時 20 分鐘`);
  const said = { type: 'alert.fired', data: { resolution: 'cleared', minutes: 20 } };
  expect(await recordedFor(webhook)).toMatchObject([said]);
});

it('ALR-01-partial ALR-05-partial hours that are taken off a rule hold nothing back any more: neither its alerts nor their messages', async () => {
  const { scope, admin, routers } = await open(2);
  const [mail, boss] = ['h', 'i'].map((name) => `${name}-${scope.organizationId}@x.invalid`) as [string, string];
  app.clock.set('2026-11-30T22:30:00Z');
  const days = [0, 1, 2, 3, 4, 5, 6];
  const [quiet, hours] = [
    { days, from: '22:00', until: '08:00', zone: 'UTC' },
    { days, from: '08:00', until: '18:00', zone: 'UTC' },
  ];
  const channels = { mails: [mail], escalation: { afterMinutes: 5, mails: [boss] }, quiet };
  const silent = await addRule(admin, { name: 'Silent', forSeconds: 0, channels });
  const closed = await addRule(admin, { name: 'Closed', forSeconds: 0, hours, channels: { ...channels, quiet: null } });
  const save = async (rule: typeof silent) => {
    expect((await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body: rule })).status).toBe(200);
  };
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    await send(10 * MINUTE_MS);
    // Other quiet hours hold them back as well.
    await save({ ...silent, channels: { ...silent.channels, quiet: { ...quiet, until: '07:00' } } });
    await send(MINUTE_MS);
    expect([await subjects(mail), await subjects(boss)]).toEqual([[], []]);
    await save({ ...silent, channels: { ...silent.channels, quiet: null } });
    await send(0);
    expect(await subjects(mail)).toEqual([`Warning alert: Silent: ${routers[0]!.serial}`]);
    // No one was informed before, who could have acknowledged it.
    expect(await subjects(boss)).toEqual([]);
    // The pause after a message stays.
    await measure(telemetry, routers[1]!, -120);
    await run();
    await save({ ...silent, channels: { ...silent.channels, quiet: null } });
    await send(30_000);
    expect(await subjects(mail)).toHaveLength(1);
    await send(6 * MINUTE_MS);
    expect(await subjects(boss)).toEqual([`Warning alert: Silent: ${routers[0]!.serial}`]);
  });
  const ofClosed = async () => (await listed(admin)).filter(({ rule }) => rule === closed.id);
  await save({ ...closed, hours: { ...hours, from: '09:00' } });
  await run();
  expect(await ofClosed()).toEqual([]);
  await save({ ...closed, hours: null });
  await run();
  expect(await ofClosed()).toHaveLength(2);
});

it('ALR-05-partial quiet hours that are taken off a rule together with another change of it hold no message back', async () => {
  const { scope, admin, routers } = await open(2);
  const mail = `both-${scope.organizationId}@x.invalid`;
  app.clock.set('2026-12-03T22:30:00Z');
  const quiet = { days: [0, 1, 2, 3, 4, 5, 6], from: '22:00', until: '08:00', zone: 'UTC' };
  const rule = await addRule(admin, { forSeconds: 0, channels: { mails: [mail], escalation: null, quiet } });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    await send(MINUTE_MS);
    const body = { ...rule, channels: { ...rule.channels, quiet: null }, condition: { ...rule.condition, threshold: -111 } };
    expect((await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body })).status).toBe(200);
    await run();
    await send(0);
    expect(await subjects(mail)).toEqual([`Warning alert: Weak signal: ${routers[0]!.serial}`]);
    later(2 * MINUTE_MS);
    await measure(telemetry, routers[1]!, -120);
    await run();
    await send(MINUTE_MS);
    expect(await subjects(mail)).toHaveLength(2);
  });
});

it('SAY-06-partial SAY-07-partial a mail says the street and what is near, and a second one that it is over and how long it was', async () => {
  const { scope, admin, routers } = await open(1);
  const [mail, chinese, silent] = ['w', 'c', 'q'].map((name) => `${name}-${scope.organizationId}@x.invalid`) as [
    string,
    string,
    string,
  ];
  await app.owner.query(
    `insert into notification_subscriptions (organization_id, mail, events, language, zone) values ($1, $2, '{}', 'zh-TW', 'Asia/Taipei')`,
    [scope.organizationId, chinese],
  );
  const describe = async () => [
    {
      street: 'Foster Avenue',
      crossing: 'Western Avenue',
      near: { kind: 'geofence' as const, name: 'North depot', chinese: null, metres: 4_667, direction: 'w' as const },
    },
  ];
  const sendDescribed = async (ms: number) => {
    later(ms);
    await sendMessages({ ...app, log: silentLog, origin: () => 'https://cloud.test', describe }, app.clock.now());
  };
  await app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at) values ($1, $2, 41.9755, -87.6894, false, now())`,
    [routers[0]!.routerId, app.clock.now()],
  );
  await addRule(admin, { forSeconds: 0, channels: { mails: [mail, chinese], ends: true, escalation: null, quiet: null } });
  await addRule(admin, { name: 'Silent', forSeconds: 0, channels: { mails: [silent], escalation: null, quiet: null } });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    await sendDescribed(30_000);
    const place = 'Foster Avenue at Western Avenue, 2.9 mi (4.7 km) west of North depot';
    expect((await app.mailsTo(mail))[0]!.plain).toContain(` – −120 dBm – ${place}`);
    expect((await app.mailsTo(chinese))[0]!.plain).toContain('Foster Avenue與Western Avenue路口，「North depot」西方 4.7 公里');
    later(5 * MINUTE_MS);
    await measure(telemetry, routers[0]!, -70);
    await run();
    await sendDescribed(30_000);
  });
  const name = routers[0]!.serial;
  expect(await subjects(mail)).toEqual([`Resolved: Warning alert: Weak signal: ${name}`, `Warning alert: Weak signal: ${name}`]);
  const [over] = await app.mailsTo(mail);
  expect(over!.plain).toContain('The condition of this rule ended for these devices:');
  expect(over!.plain).toMatch(/ – after \d min – /u);
  expect(await subjects(chinese)).toHaveLength(2);
  expect(await subjects(silent)).toHaveLength(1);
  await sendDescribed(60 * MINUTE_MS);
  expect(await subjects(mail)).toHaveLength(2);
});

it('SAY-07-partial an alert has no place where the newest position is probably wrong', async () => {
  const { admin, routers } = await open(2);
  for (const [router, isJump] of [
    [routers[0]!, true],
    [routers[1]!, false],
  ] as const)
    await app.owner.query(
      `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at) values ($1, $2, 41.9, -87.6, $3, now())`,
      [router.routerId, app.clock.now(), isJump],
    );
  await addRule(admin, { forSeconds: 0 });
  await withTelemetry(async (telemetry) => {
    for (const router of routers) await measure(telemetry, router, -120);
    await run();
  });
  const places = new Map((await listed(admin)).map(({ device, place }) => [device, place]));
  expect(routers.map(({ deviceId }) => places.get(deviceId))).toEqual([
    null,
    { latitude: 41.9, longitude: -87.6, geofence: null },
  ]);
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
  await app.call('POST', `${alertsPath}/acknowledge`, { as: admin, body: { alerts: [acknowledged] } });
  const firing = await listed(admin, { grouped: 'true', state: 'firing' });
  expect(firing.map(({ storm: group13 }) => group13?.count)).toEqual([13]);
});

it('ALR-06-partial alerts that fire within ten minutes of the last message of a storm belong to it, also when the pause before theirs is longer', async () => {
  const { admin, routers } = await open(16);
  await addRule(admin, { forSeconds: 0 });
  const lines = async () => (await listed(admin, { grouped: 'true', sort: 'fired' })).map(({ storm }) => storm?.count ?? 'alone');
  await withTelemetry(async (telemetry) => {
    const lose = async (from: number, until: number) => {
      for (const router of routers.slice(from, until)) await measure(telemetry, router, -120);
      await run();
    };
    await lose(0, 10);
    await send(30_000);
    // The pause is doubled with each message, up to 15 minutes.
    for (const [index, seconds] of [70, 130, 250, 490].entries()) {
      await lose(10 + index, 11 + index);
      await send(seconds * 1_000);
    }
    later(MINUTE_MS);
    await lose(14, 15);
    await send(15 * MINUTE_MS);
    expect(await lines()).toEqual([15]);
    later(11 * MINUTE_MS);
    await lose(15, 16);
    await send(5 * MINUTE_MS);
    expect(await lines()).toEqual([15, 'alone']);
  });
});

it('ALR-06-partial an outage hours after the last alert of a storm is a new storm, also when quiet hours hold all of them back', async () => {
  const { scope, admin, routers } = await open(21);
  const webhook = await addWebhook(scope, []);
  app.clock.set('2026-12-01T21:50:00Z');
  const quiet = { days: [0, 1, 2, 3, 4, 5, 6], from: '22:00', until: '06:00', zone: 'UTC' };
  await addRule(admin, { forSeconds: 0, channels: { mails: [], webhooks: [webhook], escalation: null, quiet } });
  await withTelemetry(async (telemetry) => {
    const lose = async (time: string, from: number, until: number) => {
      app.clock.set(time);
      for (const router of routers.slice(from, until)) await measure(telemetry, router, -120);
      await run();
    };
    await lose('2026-12-01T21:55:00Z', 0, 10);
    await send(30_000);
    await lose('2026-12-01T22:03:00Z', 10, 11);
    await send(MINUTE_MS);
    await lose('2026-12-02T02:00:00Z', 11, 21);
    await send(MINUTE_MS);
    app.clock.set('2026-12-02T06:00:01Z');
    await send(0);
  });
  expect((await listed(admin, { grouped: 'true' })).map(({ storm }) => storm?.count ?? 0).toSorted((a, b) => a - b)).toEqual([
    10, 11,
  ]);
  const incidents = (await recordedFor(webhook)).map(({ data }) => (data as { storm?: string }).storm);
  expect(new Set(incidents).size).toBe(2);
});

/** A webhook that opens an incident with an alert. */
async function addIncidentWebhook(scope: OrganizationScope): Promise<string> {
  const id = await addWebhook(scope, []);
  await app.owner.query("update webhook_endpoints set format = 'pagerduty' where id = $1", [id]);
  return id;
}

it('ALR-06-partial ALR-05-partial alerts whose message waits are escalated after it, as the storm that it is about, whose end closes that incident', async () => {
  const { scope, admin, routers } = await open(11);
  const [duty, mail] = [await addIncidentWebhook(scope), `first-${scope.organizationId}@x.invalid`];
  const channels = { mails: [mail], escalation: { afterMinutes: 5, mails: [], webhooks: [duty] }, quiet: null };
  const { id } = await addRule(admin, { forSeconds: 0, channels });
  // The pause after an earlier message is longer than the time until the others are informed.
  await app.owner.query(
    `insert into alert_bursts (organization_id, rule_id, kind, next_at, seconds) values ($1, $2, 'fired', $3, 900)`,
    [scope.organizationId, id, new Date(app.clock.now().getTime() + 10 * MINUTE_MS)],
  );
  const sent = async () => [(await recordedFor(duty)).length, (await subjects(mail)).length];
  await withTelemetry(async (telemetry) => {
    const measureAll = async (value: number) => {
      for (const router of routers) await measure(telemetry, router, value);
      await run();
    };
    await measureAll(-120);
    await send(6 * MINUTE_MS);
    expect(await sent()).toEqual([0, 0]);
    await send(5 * MINUTE_MS);
    expect(await sent()).toEqual([0, 1]);
    await send(6 * MINUTE_MS);
    expect(await sent()).toEqual([1, 1]);
    await measureAll(-70);
    await send(30_000);
  });
  expect(await recordedFor(duty)).toMatchObject([
    { type: 'alert.fired', data: { count: 11, summary: 'Weak signal: 11 devices – not acknowledged within 5 min' } },
    { type: 'alert.resolved', data: { count: 11, resolution: 'cleared' } },
  ]);
});

/** A storm of ten devices, and the addresses that its rule informs in English and Chinese. */
async function withStorm(
  work: (
    storm: Awaited<ReturnType<typeof open>> & {
      readonly rule: Awaited<ReturnType<typeof addRule>>;
      readonly mail: string;
      readonly chinese: string;
      readonly recover: (from: number, until: number) => Promise<void>;
    },
  ) => Promise<void>,
): Promise<void> {
  const own = await open(10);
  const mail = `st-${own.scope.organizationId}@x.invalid`;
  const chinese = await readChinese(own.scope.organizationId);
  const rule = await addRule(own.admin, {
    forSeconds: 0,
    channels: { mails: [mail, chinese], escalation: null, quiet: null },
  });
  await withTelemetry(async (telemetry) => {
    const measureAll = async (from: number, until: number, value: number) => {
      for (const router of own.routers.slice(from, until)) await measure(telemetry, router, value);
      await run();
    };
    await measureAll(0, 10, -120);
    await send(30_000);
    await work({ ...own, rule, mail, chinese, recover: (from, until) => measureAll(from, until, -90) });
  });
}

it('ALR-06-partial the mail about a storm whose rule was switched off does not say that it is over, but what still held', async () => {
  await withStorm(async ({ admin, rule, routers, mail, chinese }) => {
    later(5 * MINUTE_MS);
    await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body: { ...rule, enabled: false } });
    await run();
    expect(new Set(await statesOf(admin))).toEqual(new Set(['rule-changed']));
    await send(30_000);
    expect((await subjects(mail)).toSorted()).toEqual([
      'Rule changed: Warning alert: Weak signal: 10 devices',
      'Warning alert: Weak signal: 10 devices',
    ]);
    expect(await subjects(chinese)).toContain('規則已變更：警告警報：Weak signal：10 台裝置');
    const changed = (await app.mailsTo(mail)).find(({ subject }) => subject.startsWith('Rule changed'))!;
    expect(changed.plain).toContain('This rule was changed or switched off while 10 of 10 devices still met its condition.');
    expect(changed.plain).toContain(`${routers[0]!.serial} – rule changed after 6 min`);
    expect(changed.plain).not.toContain('ended for');
    const inChinese = (await app.mailsTo(chinese)).find(({ subject }) => subject.startsWith('規則已變更'))!;
    expect(inChinese.plain).toContain('此規則變更或停用時，10 台裝置中仍有 10 台符合條件。');
    expect(inChinese.plain).toContain(`${routers[0]!.serial} – 規則已變更，歷時 6 分鐘`);
    await send(20 * MINUTE_MS);
    expect(await subjects(mail)).toHaveLength(2);
  });
});

it('ALR-06-partial the people and webhooks that know of a storm are informed that its rule was deleted, and what still held', async () => {
  app.clock.set('2026-11-26T12:00:00Z');
  await withStorm(async ({ scope, admin, rule, routers, mail, chinese }) => {
    const [webhook, alone] = [await addWebhook(scope, []), await addIncidentWebhook(scope)];
    const quiet = { days: [0, 1, 2, 3, 4, 5, 6], from: '12:00', until: '13:00', zone: 'UTC' };
    const channels = { ...rule.channels, webhooks: [webhook], quiet };
    const changed = await app.call('PUT', `${alertsPath}/rules/${rule.id}`, { as: admin, body: { ...rule, channels } });
    expect(changed.status).toBe(200);
    const single = await addRule(admin, {
      name: 'Single',
      forSeconds: 0,
      scope: { kind: 'tag', tag: 'one' },
      channels: { mails: [], webhooks: [alone], escalation: null, quiet: null },
    });
    await app.owner.query("update devices set tags = '{one}' where id = $1", [routers[0]!.deviceId]);
    await withTelemetry((telemetry) => measure(telemetry, routers[0]!, -120));
    await run();
    await send(30_000);
    expect(await recordedFor(alone)).toMatchObject([{ type: 'alert.fired' }]);
    later(5 * MINUTE_MS);
    for (const { id } of [rule, single])
      expect((await app.call('DELETE', `${alertsPath}/rules/${id}`, { as: admin, body: {} })).status).toBe(200);
    await run();
    // The incident of an alert that fired alone is over at once; the storm waits for the end of its quiet hours.
    expect(await recordedFor(alone)).toMatchObject([
      { type: 'alert.fired' },
      { type: 'alert.resolved', data: { resolution: 'rule-deleted' } },
    ]);
    await send(30_000);
    expect(await subjects(mail)).toHaveLength(1);
    await send(60 * MINUTE_MS);
    expect((await subjects(mail)).toSorted()).toEqual([
      'Rule deleted: Warning alert: Weak signal: 10 devices',
      'Warning alert: Weak signal: 10 devices',
    ]);
    const end = (await app.mailsTo(mail)).find(({ subject }) => subject.startsWith('Rule deleted'))!;
    expect(end.plain).toContain('This rule was deleted while 10 of 10 devices still met its condition.');
    expect(end.plain).toMatch(new RegExp(`${routers[0]!.serial} – rule deleted after \\d+ min`, 'u'));
    const inChinese = (await app.mailsTo(chinese)).find(({ subject }) => subject.startsWith('規則已刪除'))!;
    expect(inChinese.plain).toContain('此規則刪除時，10 台裝置中仍有 10 台符合條件。');
    expect(await recordedFor(webhook)).toMatchObject([
      {
        type: 'alert.resolved',
        data: { resolution: 'rule-deleted', summary: 'Weak signal: 10 devices, 10 had not recovered when the rule was deleted' },
      },
    ]);
    await send(20 * MINUTE_MS);
    expect(await subjects(mail)).toHaveLength(2);
  });
});

it('ALR-06-partial a storm of which devices left the rule, recovered, or go on is partly resolved, and nothing is said before one has recovered', async () => {
  await withStorm(async ({ routers, mail, chinese, recover }) => {
    await app.owner.query('update devices set archived_at = now() where id = $1', [routers[0]!.deviceId]);
    await compareAll(app.database, app.clock.now());
    await run();
    await send(30_000);
    await send(11 * MINUTE_MS);
    expect(await subjects(mail)).toHaveLength(1);
    await recover(1, 4);
    await send(30_000);
    expect(await subjects(mail)).toHaveLength(1);
    await send(11 * MINUTE_MS);
    expect(await subjects(mail)).toHaveLength(2);
    const partly = (await app.mailsTo(mail)).find(({ subject }) => subject.startsWith('Partly'))!;
    expect(partly.subject).toBe('Partly resolved: Warning alert: Weak signal: 10 devices');
    expect(partly.plain).toContain(
      'The condition of this rule ended for 3 of 10 devices. 1 of 10 devices had not recovered when this rule stopped watching them (moved, transferred or deleted, or their router replaced). Alerts that are still open: 6.',
    );
    expect(partly.plain).toContain(`${routers[9]!.serial} – still open`);
    expect(partly.plain).toMatch(new RegExp(`${routers[0]!.serial} – device deleted after \\d+ min`, 'u'));
    const inChinese = (await app.mailsTo(chinese)).find(({ subject }) => subject.startsWith('部分'))!;
    expect(inChinese.subject).toBe('部分已恢復正常：警告警報：Weak signal：10 台裝置');
    expect(inChinese.plain).toContain(
      '10 台裝置中，有 3 台已不再符合此規則的條件。10 台裝置中，有 1 台在恢復正常前已不再由此規則監看（已變更群組、移轉、刪除，或更換路由器）。尚未解除的警報：6。',
    );
    await recover(4, 10);
    await send(30_000);
    const last = (await app.mailsTo(mail)).find(({ plain }) => plain.includes('ended for 9 of 10 devices'));
    expect(last?.subject).toBe('Partly resolved: Warning alert: Weak signal: 10 devices');
    expect(last?.plain).not.toContain('still open');
  });
});

it('SAY-11-partial a temperature has both units in an English mail, and °C alone in a Chinese one', async () => {
  const { scope, admin, routers } = await open(1);
  const [english, chinese] = ['e', 'c'].map((name) => `${name}-${scope.organizationId}@x.invalid`) as [string, string];
  await app.owner.query(
    `insert into notification_subscriptions (organization_id, mail, events, language, zone) values ($1, $2, '{}', 'zh-TW', 'Asia/Taipei')`,
    [scope.organizationId, chinese],
  );
  const condition = { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70, clear: 65 };
  await addRule(admin, { condition, forSeconds: 0, channels: { mails: [english, chinese], escalation: null, quiet: null } });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, 75, 'temperature');
    await run();
    await send(60_000);
  });
  expect((await app.mailsTo(english))[0]!.plain).toContain(' – 167 °F (75 °C)');
  expect((await app.mailsTo(chinese))[0]!.plain).toContain(' – 75 °C');
});

it('ALR-05-partial a mail about a subscription says the days that are left, in both languages', async () => {
  const { scope, admin, routers } = await open(1);
  const english = `days-${scope.organizationId}@x.invalid`;
  const chinese = await readChinese(scope.organizationId);
  const channels = { mails: [english, chinese], escalation: null, quiet: null };
  await addRule(admin, { condition: { kind: 'subscription-ends', days: 30 }, forSeconds: 0, channels });
  const day = new Date(app.clock.now().getTime() + 30 * 1_440 * MINUTE_MS).toISOString().slice(0, 10);
  await app.owner.query('update devices set expires_on = $1 where id = $2', [day, routers[0]!.deviceId]);
  await compareAll(app.database, app.clock.now());
  await run();
  await send(60_000);
  expect((await app.mailsTo(english))[0]!.plain).toContain(`${routers[0]!.serial} – 30 days left`);
  expect((await app.mailsTo(chinese))[0]!.plain).toContain(`${routers[0]!.serial} – 剩餘 30 天`);
});
