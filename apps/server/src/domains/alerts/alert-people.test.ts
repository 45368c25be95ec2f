import { randomUUID } from 'node:crypto';
import { alertPeople, alerts } from '@highline/contract';
import { expect, it } from 'vitest';
import { alertsPath, MINUTE_MS, useAlertFleet } from '../../testing/alert-fleet.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { sendMessages } from './index.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule, listed } = useAlertFleet(app);

const send = async (ms: number) => {
  later(ms);
  await sendMessages({ ...app, log: silentLog, origin: () => 'https://cloud.test' }, app.clock.now());
};
const rules = async (as: ReturnType<typeof app.person>): Promise<alerts.Rule[]> =>
  (await app.call('GET', `${alertsPath}/rules`, { as })).json.result;
const people = async (as: ReturnType<typeof app.person>): Promise<alertPeople.AlertPerson[]> =>
  (await app.call('GET', `${alertsPath}/people`, { as, query: { limit: 50 } })).json.result;
const locale = { language: 'en-US', zone: 'America/Chicago' };

it('SAY-05-partial a new organization has three rules that are on and inform the first admin that the calls of the specification make', async () => {
  const { scope: main } = await app.seeding.mainAccount('Main');
  const as = app.person(main, 'main');
  const made = await app.call('POST', '/dmp_aa/api/v1/services/', { as, body: { name: 'New', language: 'zh-TW' } });
  expect(made.status, made.text).toBe(200);
  const scope = { kind: 'organization', mainAccountId: main.mainAccountId, organizationId: made.json.result.id } as const;
  const admin = app.person(scope, 'admin');
  expect((await rules(admin)).map(({ condition, enabled, informed }) => [condition.kind, enabled, informed])).toEqual([
    ['subscription-ends', true, []],
    ['rollout-failed', true, []],
    ['offline', true, []],
  ]);
  const mail = `first-${scope.organizationId}@x.invalid`;
  await app.seeding.account(scope, mail, 'admin');
  await app.seeding.account(scope, `second-${scope.organizationId}@x.invalid`, 'admin');
  expect((await rules(admin)).map(({ informed, informedCount }) => [informed, informedCount])).toEqual(
    Array.from({ length: 3 }, () => [[mail], 1]),
  );
  const first = (await people(admin)).find((person) => person.mail === mail);
  expect(first?.rules).toHaveLength(3);
});

it('SAY-05-partial an entry that another person edits keeps its language and zone; a new one without them has those of its other mails', async () => {
  const { scope, admin, routers } = await open(1);
  const own = `own-${scope.organizationId}@x.invalid`;
  const fresh = `fresh-${scope.organizationId}@x.invalid`;
  await app.owner.query(
    `insert into notification_subscriptions (organization_id, mail, events, language, zone) values ($1, $2, '{}', 'zh-TW', 'Asia/Taipei')`,
    [scope.organizationId, fresh],
  );
  const save = async (mail: string, more: object = {}) => {
    const body = { mail, severities: ['warning'], hours: null, channels: ['mail'], ...more };
    const saved = await app.call('PUT', `${alertsPath}/people`, { as: admin, body });
    expect(saved.status, saved.text).toBe(200);
  };
  await save(own, { language: 'zh-TW', zone: 'Asia/Taipei' });
  await save(own, { severities: ['critical', 'warning'] });
  await save(fresh);
  await addRule(admin, { forSeconds: 0 });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    await send(30_000);
  });
  for (const mail of [own, fresh]) expect((await app.mailsTo(mail))[0]!.plain).toContain('20:00 [GMT+8]');
  for (const mail of [own, fresh]) expect((await app.mailsTo(mail))[0]!.subject).toContain('警報');
});

it('SAY-05-partial a save that is based on another entry, or on none, replaces nothing and is answered with the present one', async () => {
  const { scope, admin } = await open(0);
  const mail = `taken-${scope.organizationId}@x.invalid`;
  const save = (severities: readonly string[], version?: string) =>
    app.call('PUT', `${alertsPath}/people`, {
      as: admin,
      body: { mail, severities, hours: null, channels: ['mail'], ...locale },
      ...(version !== undefined && { headers: { 'if-match': `"${version}"` } }),
    });
  const first = await save(['critical'], 'none');
  expect(first.status, first.text).toBe(200);
  const again = await save([], 'none');
  expect([again.status, again.json.error.key]).toEqual([412, 'conflict.stale']);
  expect(again.json.error.detail).toMatchObject({ mail, severities: ['critical'], version: first.json.result.version });
  expect((await save(['warning'])).status).toBe(200);
  expect((await save([], first.json.result.version)).status).toBe(412);
  const present = (await people(admin)).find((person) => person.mail === mail)!;
  expect(present.severities).toEqual(['warning']);
  expect((await save([], present.version)).json.result).toMatchObject({ severities: [] });
});

it('SAY-05-partial a person gets the severities, hours and channels of the own entry; a user changes only that, and who leaves gets nothing more', async () => {
  const { scope, admin, routers } = await open(2);
  const [night, day, left] = ['night', 'day', 'left'].map((name) => `${name}-${scope.organizationId}@x.invalid`) as [
    string,
    string,
    string,
  ];
  const leaving = await app.seeding.account(scope, left, 'user');
  const save = (as: typeof admin, mail: string, more: object) =>
    app.call('PUT', `${alertsPath}/people`, { as, body: { mail, hours: null, channels: ['mail'], ...locale, ...more } });
  const hours = { days: [0, 1, 2, 3, 4, 5, 6], from: '22:00', until: '06:00', zone: 'UTC' };
  expect((await save(admin, night, { severities: ['warning'], hours })).status).toBe(200);
  expect((await save(admin, day, { severities: ['critical', 'warning'] })).json.result).toMatchObject({ mail: day, role: null });
  const foreign = await save(app.person(scope, 'user'), day, { severities: [] });
  expect([foreign.status, foreign.json.error.key]).toEqual([403, 'permission.denied']);
  const own = app.person(scope, 'user');
  expect((await save(own, own.email, { severities: ['critical'] })).status).toBe(200);
  const channels = { mails: [left], escalation: null, quiet: null };
  const rule = await addRule(admin, { forSeconds: 0, channels });
  expect(rule.informed).toEqual([day, left, night].toSorted());
  const main = app.person({ kind: 'main', mainAccountId: scope.mainAccountId }, 'main');
  const gone = await app.call('DELETE', `/dmp_aa/api/v1/accounts/${leaving}`, { as: main });
  expect(gone.status, gone.text).toBeLessThan(300);
  expect((await rules(admin))[0]).toMatchObject({ informed: [day, night].toSorted(), channels: { mails: [] } });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    await send(30_000);
  });
  const count = async (mail: string) => (await app.mailsTo(mail)).length;
  expect([await count(day), await count(night), await count(left), await count(own.email)]).toEqual([1, 0, 0, 0]);
  // In the zone of the reader, the vehicle before the serial number.
  expect((await app.mailsTo(day))[0]!.plain).toContain('06:00 CST');
  expect((await app.call('DELETE', `${alertsPath}/people`, { as: admin, body: { mails: [day] } })).json.result).toEqual({
    deleted: 1,
  });
});

it('SAY-05-partial a mail says why its reader gets it: a rule names the address or informs the first admin, or alerts of its severity are sent to it', async () => {
  const { scope, admin, routers } = await open(1);
  const [named, first, own, foreign, plain, plainChinese, left] = ['named', 'first', 'own', 'foreign', 'p', 'pc', 'left'].map(
    (name) => `${name}-${scope.organizationId}@x.invalid`,
  ) as [string, string, string, string, string, string, string];
  await app.seeding.account(scope, first, 'admin');
  for (const mail of [own, foreign]) await app.seeding.account(scope, mail, 'user');
  await app.seeding.account(scope, left, 'none');
  // The address that is named has chosen alerts of its own too: the rule goes first.
  for (const [mail, language] of [
    [named, 'en-US'],
    [own, 'en-US'],
    [foreign, 'zh-TW'],
    [plain, 'en-US'],
    [plainChinese, 'zh-TW'],
    [left, 'en-US'],
  ] as const) {
    const body = { mail, severities: ['warning'], hours: null, channels: ['mail'], ...locale, language };
    expect((await app.call('PUT', `${alertsPath}/people`, { as: admin, body })).status).toBe(200);
  }
  await addRule(admin, { forSeconds: 0, channels: { mails: [named], firstAdmin: true, escalation: null, quiet: null } });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    await send(30_000);
  });
  const because = 'You receive this email because';
  for (const [mail, text] of [
    [named, `${because} the alert rule Weak signal of Own names your address. An admin of Own can change this.`],
    [
      first,
      `${because} the alert rule Weak signal of Own notifies the first admin, which is you. An admin of Own can change this in the rule.`,
    ],
    [
      own,
      `${because} alerts of this severity of Own are sent to your address. You or an admin of Own can change this at “Who is notified”: https://cloud.test/alerts/people`,
    ],
    [
      foreign,
      '您收到此郵件，是因為「Own」此嚴重程度的警報會傳送至您的地址。您或「Own」的管理員可以在「通知對象」變更此設定：https://cloud.test/alerts/people',
    ],
    // They cannot sign in.
    [plain, `${because} alerts of this severity of Own are sent to your address. An admin of Own can change this.`],
    [left, `${because} alerts of this severity of Own are sent to your address. An admin of Own can change this.`],
    [plainChinese, '您收到此郵件，是因為「Own」此嚴重程度的警報會傳送至您的地址。「Own」的管理員可以變更此設定。'],
  ] as const) {
    const [sent] = await app.mailsTo(mail);
    expect(sent!.plain).toContain(text);
    expect(sent!.html).toContain(text);
  }
});

it('SAY-05-partial who has no access is no user, and is listed only where something informs the address', async () => {
  const { scope, admin } = await open(1);
  const [user, left, named] = ['user', 'left', 'named'].map((name) => `${name}-${scope.organizationId}@x.invalid`) as [
    string,
    string,
    string,
  ];
  await app.seeding.account(scope, user, 'user');
  for (const mail of [left, named]) await app.seeding.account(scope, mail, 'none');
  await addRule(admin, { channels: { mails: [named], escalation: null, quiet: null } });
  const roleOf = new Map((await people(admin)).map(({ mail, role }) => [mail, role]));
  expect([user, left, named].map((mail) => roleOf.get(mail))).toEqual(['user', undefined, null]);
});

it('SAY-05-partial a rule that names many people of whom some have left informs the others, each once', async () => {
  const { scope, admin, routers } = await open(1);
  const main = app.person({ kind: 'main', mainAccountId: scope.mainAccountId }, 'main');
  const all = Array.from({ length: alerts.MOST_PEOPLE }, (_, index) => `p${index}-${scope.organizationId}@x.invalid`);
  const leaving = all.slice(0, 3);
  const accounts: string[] = [];
  for (const mail of leaving) accounts.push(await app.seeding.account(scope, mail, 'user'));
  await addRule(admin, { forSeconds: 0, channels: { mails: all, escalation: null, quiet: null } });
  for (const id of accounts) expect((await app.call('DELETE', `/dmp_aa/api/v1/accounts/${id}`, { as: main })).status).toBe(200);
  const [rule] = await rules(admin);
  expect(rule).toMatchObject({ channels: { mails: all.slice(3) }, informedCount: all.length - 3 });
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -120);
    await run();
    await send(30_000);
  });
  const counts: number[] = [];
  for (const mail of all) counts.push((await app.mailsTo(mail)).length);
  expect(counts).toEqual([...leaving.map(() => 0), ...all.slice(3).map(() => 1)]);
});

it('SAY-06 the mail of a storm and the mail of its end say the same as the inbox, each in the zone and language of its reader, the vehicle before the serial number', async () => {
  const { scope, admin, group, routers } = await open(10);
  const mail = `s-${scope.organizationId}@x.invalid`;
  const ids = routers.map(({ deviceId }) => deviceId);
  await app.owner.query("update devices set carrier = 'US Cellular', vehicle_number = 'Bus ' || serial where id = any ($1)", [
    ids,
  ]);
  await app.owner.query(
    `insert into router_positions (router_id, at, latitude, longitude, is_jump, stored_at)
     select unnest($1::uuid[]), $2, 41.9, -87.6, false, $2`,
    [routers.map(({ routerId }) => routerId), new Date(app.clock.now().getTime() + 1_000)],
  );
  const fence = randomUUID();
  await app.owner.query(
    `insert into geofences (id, organization_id, name, shape, corners) values ($1, $2, 'North depot', '{}'::jsonb, 1)`,
    [fence, scope.organizationId],
  );
  await app.owner.query('update devices set group_key = $1 where id = any ($2)', [group, ids.slice(0, 3)]);
  await app.owner.query('insert into geofence_states (router_id, geofence_id, is_inside) select unnest($1::uuid[]), $2, true', [
    routers.slice(0, 6).map(({ routerId }) => routerId),
    fence,
  ]);
  const chinese = `t-${scope.organizationId}@x.invalid`;
  const entry = {
    mail: chinese,
    severities: ['warning'],
    hours: null,
    channels: ['mail'],
    language: 'zh-TW',
    zone: 'Asia/Taipei',
  };
  expect((await app.call('PUT', `${alertsPath}/people`, { as: admin, body: entry })).status).toBe(200);
  await addRule(admin, { forSeconds: 0, channels: { mails: [mail], escalation: null, quiet: null, zone: 'America/Chicago' } });
  const end = async (from: number, until: number) => {
    await withTelemetry(async (telemetry) => {
      for (const router of routers.slice(from, until)) await measure(telemetry, router, -90);
      await run();
    });
  };
  later(MINUTE_MS);
  await withTelemetry(async (telemetry) => {
    for (const router of routers) await measure(telemetry, router, -120);
    await run();
    await send(30_000);
  });
  const subjects = async () => (await app.mailsTo(mail)).map(({ subject }) => subject);
  expect(await subjects()).toEqual(['Warning alert: Weak signal: 10 devices']);
  const [inbox] = await listed(admin, { grouped: 'true', state: 'open', sort: '-severity' });
  expect(inbox!.storm).toMatchObject({
    count: 10,
    open: 10,
    carriers: [{ name: 'US Cellular', count: 10 }],
    groups: [
      { name: 'default', count: 7 },
      { name: 'Buses', count: 3 },
    ],
    places: [
      { name: 'North depot', count: 6 },
      { name: '', count: 4 },
    ],
  });
  // It opens into its vehicles, each with what the columns show.
  const members = await listed(admin, { storm: inbox!.storm!.id, state: 'open' });
  expect(members.map(({ device }) => device).toSorted()).toEqual(ids.toSorted());
  expect(members.find(({ device }) => device === ids[0])).toMatchObject({
    carrier: 'US Cellular',
    groupName: 'Buses',
    place: { latitude: 41.9, longitude: -87.6, geofence: 'North depot' },
    acknowledgedBy: '',
    resolved: null,
  });
  const one = members.find(({ device }) => device === ids[1])!.id;
  await app.call('POST', `${alertsPath}/acknowledge`, { as: admin, body: { alerts: [one] } });
  expect((await listed(admin, { storm: inbox!.storm!.id })).find(({ id }) => id === one)).toMatchObject({
    acknowledgedBy: admin.email,
  });
  later(5 * MINUTE_MS);
  await end(0, 9);
  await send(30_000);
  // The last one may follow.
  expect(await subjects()).toHaveLength(1);
  later(5 * MINUTE_MS);
  await end(9, 10);
  await send(30_000);
  expect((await subjects()).toSorted()).toEqual([
    'Resolved: Warning alert: Weak signal: 10 devices',
    'Warning alert: Weak signal: 10 devices',
  ]);
  const [last, first] = (await app.mailsTo(mail)).toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
  const said = [
    'Carrier US Cellular: 10',
    'Group default: 7',
    'Group Buses: 3',
    'Place North depot: 6',
    'Place outside of every geofence: 4',
    'CST',
    `Bus ${routers[0]!.serial} (${routers[0]!.serial})`,
  ];
  const saidInChinese = [
    '電信業者 US Cellular：10',
    '群組 default：7',
    '群組 Buses：3',
    '位置 North depot：6',
    'GMT+8',
    `Bus ${routers[0]!.serial} (${routers[0]!.serial})`,
  ];
  for (const text of said) for (const { plain } of [first!, last!]) expect(plain).toContain(text);
  const inChinese = await app.mailsTo(chinese);
  expect(inChinese).toHaveLength(2);
  for (const text of saidInChinese) for (const { plain } of inChinese) expect(plain).toContain(text);
  expect(last!.plain).toContain('The condition of this rule ended for all 10 devices, after 11 min:');
  await send(20 * MINUTE_MS);
  expect(await subjects()).toHaveLength(2);
});

it('SAY-06-partial the inbox is sorted by severity and pages by key', async () => {
  const { admin, routers } = await open(3);
  await addRule(admin, { name: 'A', severity: 'info', forSeconds: 0 });
  await addRule(admin, { name: 'B', severity: 'critical', forSeconds: 0 });
  await addRule(admin, { name: 'C', severity: 'warning', forSeconds: 0 });
  await withTelemetry(async (telemetry) => {
    for (const router of routers) await measure(telemetry, router, -120);
    await run();
  });
  const page = (query: object) =>
    app.call('GET', alertsPath, { as: admin, query: { sort: '-severity', state: 'open', limit: 5, ...query } });
  const first = await page({});
  const rest = await page({ cursor: first.json.next });
  const order = [...first.json.result, ...rest.json.result].map(({ severity }: alerts.Alert) => severity);
  expect(order).toEqual(['critical', 'critical', 'critical', 'warning', 'warning', 'warning', 'info', 'info', 'info']);
});
