import type { alertPeople, alerts } from '@highline/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReader } from '../../platform/listing/index.ts';
import { send, until } from '../../testing/call.ts';
import { createPushBrowser } from '../../testing/push-browser.ts';
import { silentLog } from '../../testing/log.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startCallReceiver, type CallReceiver } from '../../testing/call-receiver.ts';
import { compareAll, fireAndResolve, sendMessages } from './index.ts';

let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
const lines: object[] = [];
let server: TestServer;
/** The push service of a browser, and what PagerDuty would be. */
let receiver: CallReceiver;

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as object) });
  server = await startTestServer({ clock, log, environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } });
  receiver = await startCallReceiver();
});
afterAll(async () => {
  await receiver.close();
  await server.close();
});

async function pass(ms: number): Promise<void> {
  ahead += ms;
  const deps = { database: server.database, clock, reader: createReader(server.database), expiringDays: 30, log: silentLog };
  await compareAll(server.database, clock.now());
  await fireAndResolve(deps, clock.now());
  await sendMessages({ ...deps, origin: () => 'https://cloud.test' }, clock.now());
}

it('SAY-05-partial a browser gets the alerts of its person, encrypted, until its push service says that it is gone; PagerDuty gets the end of an alert too', async () => {
  const { scope: home } = await server.seeding.mainAccount('Home');
  const own = await server.seeding.organization(home, 'Own');
  const dispatcher = await server.seeding.account(own, 'dispatcher@highline.invalid', 'user');
  const bearer = await server.seeding.bearer(dispatcher);
  const admin = await server.seeding.bearer(await server.seeding.account(own, 'boss@highline.invalid', 'admin'));
  const call = (path: string, body?: object, as = bearer, method?: string) =>
    send(`${server.url}/data_manager/v1${path}`, {
      bearer: as,
      ...(body !== undefined && { body }),
      ...(method !== undefined && { method }),
    });
  const [row] = [{ serial: 'PUSH1', mac: '02C4A11E2001' }];
  await server.seeding.routers(home, [row]);
  const [device] = await server.seeding.devices(own, [row]);
  await server.owner.query("update devices set vehicle_number = 'Bus 7', carrier = 'US Cellular' where id = $1", [device]);

  const browser = createPushBrowser();
  const at = { language: 'zh-TW', zone: 'Asia/Taipei' };
  const register = (endpoint: string, keys = browser.keys) => call('/alerts/people/push', { endpoint, ...keys, ...at });
  // An address of the network of the server, and keys that are none.
  expect((await register('https://10.0.0.1/push')).error().key).toBe('webhook.url_invalid');
  expect((await register(`${receiver.url}/push`, { ...browser.keys, p256dh: 'x' })).error().key).toBe('request.invalid');
  const registered = await register(`${receiver.url}/push`);
  expect(registered.json<{ result: alertPeople.AlertPerson }>().result).toMatchObject({
    severities: ['critical'],
    channels: ['push'],
    browsers: 1,
  });
  // A browser is no webhook: no list has it, and no rule can name it.
  expect((await call('/dm/webhooks', undefined, admin)).json()).toMatchObject({ total: 0 });

  const key = { name: 'Duty', url: `${receiver.url}/duty`, format: 'pagerduty', events: [], key: 'R0UT1NG' };
  expect((await call('/dm/webhooks', { ...key, key: '' }, admin)).error().key).toBe('webhook.key_missing');
  expect((await call('/dm/webhooks', { ...key, events: ['device.online'] }, admin)).error().key).toBe('webhook.only_alerts');
  const duty = (await call('/dm/webhooks', key, admin)).json<{ result: { id: string }; secret: string }>();
  expect(duty.secret).toBe('');
  expect((await call(`/dm/webhooks/${duty.result.id}/rotate`, {}, admin)).error().key).toBe('webhook.has_no_secret');
  const addReceiver = async (format: 'ntfy' | 'opsgenie', path: string) => {
    const body = { name: format, url: `${receiver.url}${path}`, format, events: [], key: `key-${format}` };
    return (await call('/dm/webhooks', body, admin)).json<{ result: { id: string } }>().result.id;
  };
  const others = [await addReceiver('ntfy', '/push-server/depot'), await addReceiver('opsgenie', '/v2/alerts')];
  const rule = {
    name: 'Lost',
    enabled: true,
    severity: 'critical',
    condition: { kind: 'offline' },
    forSeconds: 0,
    scope: { kind: 'all' },
    hours: null,
    channels: { mails: [], webhooks: [duty.result.id, ...others], escalation: null, quiet: null },
  };
  expect((await call('/alerts/rules', rule, admin)).status).toBe(200);

  const setPresence = (presence: string) =>
    server.owner.query("update devices set presence = $2, presence_since = now() - interval '1 hour' where id = $1", [
      device,
      presence,
    ]);
  await setPresence('offline');
  await pass(0);
  await pass(21_000);
  const received = (path: string) => receiver.calls.filter((each) => each.path.endsWith(path));
  await until(() => received('/push').length === 1 && received('/duty').length === 1);
  const [message] = received('/push');
  expect(message!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });
  const publicKey = (await call('/alerts/people/push')).json<{ result: { publicKey: string } }>().result.publicKey;
  expect(message!.headers['authorization']).toMatch(new RegExp(`^vapid t=[\\w-]+\\.[\\w-]+\\.[\\w-]+, k=${publicKey}$`, 'u'));
  expect(browser.read(message!.bytes)).toMatchObject({
    title: '嚴重：Lost',
    body: 'Bus 7 · US Cellular',
    // Also when it is over.
    url: `/alerts?device=${device!}`,
  });
  await until(() => received('/push-server').length === 1 && received('/v2/alerts').length === 1);
  await setPresence('online');
  await pass(0);
  await until(() => received('/duty').length === 2 && received('/push-server').length === 2);
  const closing = () =>
    receiver.calls.filter(({ path }) => /\/v2\/alerts\/highline-[^/]+\/close\?identifierType=alias$/u.test(path));
  await until(() => closing().length === 1);
  expect(received('/duty').map(({ body }) => JSON.parse(body))).toMatchObject([
    { routing_key: 'R0UT1NG', event_action: 'trigger', payload: { source: 'PUSH1', severity: 'critical' } },
    { routing_key: 'R0UT1NG', event_action: 'resolve' },
  ]);
  const [fired, over] = received('/push-server');
  expect([fired, over].map((each) => each!.headers['authorization'])).toEqual(['Bearer key-ntfy', 'Bearer key-ntfy']);
  expect([fired, over].map((each) => JSON.parse(each!.body))).toMatchObject([
    { topic: 'depot', title: 'Bus 7 (PUSH1): Lost', priority: 5 },
    { topic: 'depot', title: 'Resolved: Bus 7 (PUSH1): Lost', priority: 3 },
  ]);
  const [created] = received('/v2/alerts');
  expect([created!, closing()[0]!].map(({ headers }) => headers['authorization'])).toEqual(
    Array(2).fill('GenieKey key-opsgenie'),
  );
  const { alias, ...opened } = JSON.parse(created!.body) as Record<string, string>;
  expect(opened).toMatchObject({ priority: 'P1', entity: 'PUSH1', message: 'Bus 7 (PUSH1): Lost' });
  expect(closing()[0]!.path).toContain(`/${alias!}/close`);
  // The person is informed as well, though the rule sends no mail about the end; the message replaces the first one.
  await pass(21_000);
  await until(() => received('/push').length === 2);
  const [first, ended] = received('/push').map(({ bytes }) => browser.read(bytes) as { readonly tag: string });
  expect(ended).toMatchObject({ title: '已恢復正常：Lost', url: `/alerts?device=${device!}`, tag: first!.tag });
  expect(await server.mailsTo('dispatcher@highline.invalid')).toEqual([]);
  // The log of the webhook does not show its key.
  const log = await call(`/dm/webhooks/${duty.result.id}/deliveries`, undefined, admin);
  const [delivery] = log.json<{ result: { id: string }[] }>().result;
  const shown = await call(`/dm/webhooks/${duty.result.id}/deliveries/${delivery!.id}`, undefined, admin);
  expect(shown.text).not.toContain('R0UT1NG');

  receiver.respond((response) => response.writeHead(410).end());
  expect((await call('/alerts/people/push/test', {})).json()).toEqual({ result: { browsers: 1 } });
  const browsers = async () => (await call('/alerts/people/push')).json<{ result: { browsers: number } }>().result.browsers;
  await until(async () => (await browsers()) === 0);
});

it('SAY-05-partial a push service that does not accept the key of the server is named in the log, with the message and to the person', async () => {
  const { scope: main } = await server.seeding.mainAccount('Moved');
  const own = await server.seeding.organization(main, 'Moved');
  const bearer = await server.seeding.bearer(await server.seeding.account(own, 'moved@highline.invalid', 'user'));
  const call = (path: string, body?: object) =>
    send(`${server.url}/data_manager/v1/alerts/people/push${path}`, { bearer, ...(body !== undefined && { body }) });
  const failing = async () => (await call('')).json<{ result: { failing: number } }>().result.failing;
  receiver.respond((response) => response.writeHead(403).end());
  await call('', { endpoint: `${receiver.url}/moved`, ...createPushBrowser().keys, language: 'en-US', zone: 'UTC' });
  expect(await failing()).toBe(0);
  await call('/test', {});
  await until(async () => (await failing()) === 1);
  const { rows } = await server.owner.query<{ error: string }>(
    "select tries -> 0 ->> 'error' as error from webhook_deliveries where type = 'webhook.test' order by position desc limit 1",
  );
  expect(rows[0]!.error).toContain('does not accept the key of this server');
  expect(lines).toContainEqual(
    expect.objectContaining({ status: 403, msg: expect.stringMatching(/^A push service rejected the key of this server\./u) }),
  );
  receiver.respond((response) => response.writeHead(201).end());
  await call('/test', {});
  await until(async () => (await failing()) === 0);
});

it('SAY-05-partial a browser on which a person of another customer signs in gets nothing of the first person any more', async () => {
  const browser = createPushBrowser();
  const signIn = async (name: string) => {
    const { scope: main } = await server.seeding.mainAccount(name);
    const own = await server.seeding.organization(main, name);
    const bearer = await server.seeding.bearer(
      await server.seeding.account(own, `${name.toLowerCase()}@highline.invalid`, 'user'),
    );
    const call = (path: string, body?: object) =>
      send(`${server.url}/data_manager/v1/alerts/people/push${path}`, { bearer, ...(body !== undefined && { body }) });
    await call('', { endpoint: `${receiver.url}/shared`, ...browser.keys, language: 'en-US', zone: 'UTC' });
    return async () => (await call('/test', {})).json<{ result: { browsers: number } }>().result.browsers;
  };
  const first = await signIn('Earlier');
  expect(await first()).toBe(1);
  const second = await signIn('Later');
  expect([await first(), await second()]).toEqual([0, 1]);
});

it('SAY-05-partial AUTH-05-partial AUTH-08-partial a person sees which browsers show the alerts; signing out ends it in that browser, and everywhere in all', async () => {
  const { scope: main } = await server.seeding.mainAccount('Shared');
  const own = await server.seeding.organization(main, 'Shared');
  const open = async (mail: string) => {
    const account = await server.seeding.account(own, mail, 'user');
    const signIn = () => server.seeding.bearer(account);
    const call = async (path: string, body?: object) =>
      send(`${server.url}${path}`, { bearer: await signIn(), ...(body && { body }) });
    const people = '/data_manager/v1/alerts/people/push';
    const register = (name: string) =>
      call(people, { endpoint: `${receiver.url}/${name}`, ...createPushBrowser().keys, language: 'en-US', zone: 'UTC' });
    const browsers = async () => (await call(people)).json<{ result: { endpoints: string[] } }>().result.endpoints.toSorted();
    return { call, register, browsers };
  };
  const [first, second] = [await open('first@shared.invalid'), await open('second@shared.invalid')];
  const at = (name: string) => `${receiver.url}/${name}`;
  for (const name of ['desk', 'phone', 'tablet']) await first.register(name);
  await second.register('other');
  expect(await first.browsers()).toEqual(['desk', 'phone', 'tablet'].map(at));
  expect(await second.browsers()).toEqual([at('other')]);
  // The session at the desk has ended, and the second person signs in and out there.
  await second.call('/dmp_aa/api/v1/auth/logout', { browser: at('desk') });
  expect(await first.browsers()).toContain(at('desk'));
  await first.call('/dmp_aa/api/v1/auth/logout', { browser: at('desk') });
  expect(await first.browsers()).toEqual(['phone', 'tablet'].map(at));
  await first.call('/dmp_aa/api/v1/auth/allTokenLogout', {});
  expect([await first.browsers(), await second.browsers()]).toEqual([[], [at('other')]]);
});

it('SAY-05-partial AUTH-08-partial no browser of a person shows alerts any more once an admin ends all sessions, or a new password or a lost second factor does', async () => {
  const { scope: main } = await server.seeding.mainAccount('Lost phone');
  const own = await server.seeding.organization(main, 'Lost phone');
  const boss = await server.seeding.bearer(await server.seeding.account(own, 'boss@phone.invalid', 'admin'));
  const [email, password, next] = ['ann@phone.invalid', 'correct horse battery', 'another long password'];
  const account = await server.seeding.account(own, email, 'user', password);
  const api = (path: string, more: Parameters<typeof send>[1]) => send(`${server.url}/dmp_aa/api/v1/${path}`, more);
  const reset = async () => {
    await api('auth/password/forgot', { body: { email } });
    const [mail] = await server.mailsTo(email);
    return api('auth/password/reset', { body: { secret: /reset=([\w-]+)/u.exec(mail!.plain)![1]!, password } });
  };
  const loseFactor = async () => {
    await server.seeding.secondFactor(account, Buffer.from('sealed'), true);
    return api(`accounts/${account}/second-factor`, { method: 'DELETE', bearer: boss });
  };
  for (const [name, end] of Object.entries({
    'ended by an admin': () => api(`accounts/${account}/sessions/all`, { method: 'DELETE', bearer: boss }),
    'password changed': () => api('auth/password/change', { body: { email, password, newPassword: next } }),
    'password reset': reset,
    'second factor reset': loseFactor,
  })) {
    const bearer = await server.seeding.bearer(account);
    const push = { endpoint: `${receiver.url}/phone`, ...createPushBrowser().keys, language: 'en-US', zone: 'UTC' };
    const people = `${server.url}/data_manager/v1/alerts/people/push`;
    expect((await send(people, { bearer, body: push })).status, name).toBe(200);
    const ended = await end();
    expect(ended.status, `${name} ${ended.text}`).toBe(200);
    const again = await send(people, { bearer: await server.seeding.bearer(account) });
    expect(again.json(), name).toMatchObject({ result: { endpoints: [] } });
  }
});

it('SAY-05-partial a rule names who gets its alerts in a browser only while a browser shows them, and ending push messages ends them in every browser', async () => {
  const { scope: main } = await server.seeding.mainAccount('Push only');
  const own = await server.seeding.organization(main, 'Push only');
  const mail = 'anna@push.invalid';
  const account = await server.seeding.account(own, mail, 'user');
  const boss = await server.seeding.bearer(await server.seeding.account(own, 'boss@push.invalid', 'admin'));
  const call = async (path: string, { as, ...more }: Parameters<typeof send>[1] & { readonly as?: string } = {}) =>
    send(`${server.url}${path}`, { bearer: as ?? (await server.seeding.bearer(account)), ...more });
  const alertsAt = '/data_manager/v1/alerts';
  const push = { endpoint: `${receiver.url}/only`, ...createPushBrowser().keys, language: 'en-US', zone: 'UTC' };
  const channels = { mails: [], webhooks: [], escalation: null, quiet: null };
  const watched = { condition: { kind: 'offline' }, forSeconds: 0, scope: { kind: 'all' }, hours: null, channels };
  const rule = { name: 'Lost', enabled: true, severity: 'critical', ...watched };
  expect((await call(`${alertsAt}/rules`, { as: boss, body: rule })).status).toBe(200);
  const shown = async () => {
    const [saved] = (await call(`${alertsAt}/rules`)).json<{ result: alerts.Rule[] }>().result;
    const listed = await call(`${alertsAt}/people?informed=true`);
    const people = listed.json<{ result: alertPeople.AlertPerson[] }>().result.map((each) => each.mail);
    const { endpoints } = (await call(`${alertsAt}/people/push`)).json<{ result: { endpoints: string[] } }>().result;
    return { informed: saved!.informed, count: saved!.informedCount, people, endpoints };
  };
  const [on, off] = [
    { informed: [mail], count: 1, people: [mail], endpoints: [push.endpoint] },
    { informed: [], count: 0, people: [], endpoints: [] },
  ];
  const person = { mail, hours: null, severities: ['critical'], channels: ['push'] };
  const save = (more: object) => call(`${alertsAt}/people`, { as: boss, method: 'PUT', body: { ...person, ...more } });
  for (const [name, end, after] of [
    ['signed out', () => call('/dmp_aa/api/v1/auth/logout', { body: { browser: push.endpoint } }), off],
    ['ended', () => call(`${alertsAt}/people`, { as: boss, method: 'DELETE', body: { mails: [mail] } }), off],
    ['no severities', () => save({ severities: [] }), off],
    ['by mail', () => save({ channels: ['mail'] }), { ...on, endpoints: [] }],
    ['at other hours', () => save({ hours: { days: [1], from: '08:00', until: '17:00', zone: 'UTC' } }), on],
  ] as const) {
    expect((await call(`${alertsAt}/people/push`, { body: push })).status, name).toBe(200);
    expect(await shown(), name).toEqual(on);
    const ended = await end();
    expect(ended.status, `${name} ${ended.text}`).toBe(200);
    expect(await shown(), name).toEqual(after);
  }
});

it('SAY-05-partial a person of the main account gets the alerts of the organization for which a browser is switched on', async () => {
  const { scope: main } = await server.seeding.mainAccount('Operator');
  const own = await server.seeding.organization(main, 'Customer');
  const bearer = await server.seeding.bearer(await server.seeding.account(main, 'operator@highline.invalid', 'main'));
  const call = (path: string, body: object) =>
    send(`${server.url}/data_manager/v1/alerts/people/push${path}`, { bearer, body: { org: own.organizationId, ...body } });
  const at = { language: 'en-US', zone: 'UTC' };
  const registered = await call('', { endpoint: `${receiver.url}/operator`, ...createPushBrowser().keys, ...at });
  expect(registered.json()).toMatchObject({ result: { channels: ['push'], browsers: 1 } });
  expect((await call('/test', {})).json()).toEqual({ result: { browsers: 1 } });
});

it('SAY-05 the rules of a new organization inform its first admin by mail and browser, and the same rule every kind of channel; all of it stands in one list, until the person leaves', async () => {
  const { scope: main } = await server.seeding.mainAccount('Vendor');
  const vendor = await server.seeding.bearer(await server.seeding.account(main, 'vendor@highline.invalid', 'main'));
  const made = await send(`${server.url}/dmp_aa/api/v1/services/`, { bearer: vendor, body: { name: 'Newcomer' } });
  const organizationId = made.json<{ result: { id: string } }>().result.id;
  const scope = { kind: 'organization', mainAccountId: main.mainAccountId, organizationId } as const;
  const mail = 'first@newcomer.invalid';
  const accountId = await server.seeding.account(scope, mail, 'admin');
  const bearer = await server.seeding.bearer(accountId);
  const second = await server.seeding.bearer(await server.seeding.account(scope, 'second@newcomer.invalid', 'admin'));
  const call = (path: string, body?: object, { as = bearer, method }: { as?: string; method?: string } = {}) =>
    send(`${server.url}/data_manager/v1${path}`, {
      bearer: as,
      ...(body !== undefined && { body }),
      ...(method !== undefined && { method }),
    });
  const registered = [1, 2, 3].map((number) => ({ serial: `START${number}`, mac: `02C4A11E300${number}` }));
  await server.seeding.routers(main, registered);
  const [lost, ending, failed] = await server.seeding.devices(scope, registered);

  // One webhook of each format, one browser, one report and one notification.
  const formats = ['standard', 'slack', 'teams', 'ntfy', 'pagerduty', 'opsgenie'] as const;
  const pathOf = (format: string) => `/new-${format}${format === 'ntfy' ? '/depot' : ''}`;
  const hooks: string[] = [];
  for (const format of formats) {
    const key = ['pagerduty', 'opsgenie', 'ntfy'].includes(format) ? { key: 'k' } : {};
    const hook = { name: format, url: `${receiver.url}${pathOf(format)}`, format, events: [], ...key };
    hooks.push((await call('/dm/webhooks', hook)).json<{ result: { id: string } }>().result.id);
  }
  const browser = createPushBrowser();
  receiver.respond((response) => response.writeHead(204).end());
  await call('/alerts/people/push', { endpoint: `${receiver.url}/new-push`, ...browser.keys, language: 'en-US', zone: 'UTC' });
  const report = { name: 'Data of the month', kind: 'data-use', format: 'pdf', every: 'month', onDay: 1, hour: 6 };
  const saved = await call('/dm/summaries', {
    ...report,
    zone: 'UTC',
    language: 'en-US',
    recipients: [mail, 'boss@else.invalid'],
  });
  expect(saved.status, saved.text).toBe(200);
  await call('/dm/summaries', { ...report, name: 'Kept', every: 'never', zone: 'UTC', language: 'en-US', recipients: [mail] });
  await server.owner.query(
    `insert into notification_subscriptions (organization_id, mail, events, language, zone) values ($1, $2, '{BATTERY_LOW}', 'en-US', 'UTC')`,
    [organizationId, mail],
  );
  const rules = async () => (await call('/alerts/rules', undefined, { as: second })).json<{ result: alerts.Rule[] }>().result;
  const offline = (await rules()).find(({ condition }) => condition.kind === 'offline')!;
  const { name, enabled, severity, condition, forSeconds, hours, channels } = offline;
  expect([enabled, condition, forSeconds]).toEqual([true, { kind: 'offline' }, 1_800]);
  const input = { name, enabled, severity, condition, forSeconds, hours, scope: offline.scope };
  const changed = await call(
    `/alerts/rules/${offline.id}`,
    { ...input, channels: { ...channels, webhooks: hooks } },
    { method: 'PUT' },
  );
  expect(changed.status, changed.text).toBe(200);
  const list = async () =>
    (await call('/alerts/people', undefined, { as: second })).json<{ result: alertPeople.AlertPerson[] }>().result;
  expect((await list()).find((each) => each.mail === mail)).toMatchObject({
    role: 'admin',
    severities: ['critical'],
    hours: null,
    channels: ['push'],
    browsers: 1,
    rules: [{ name: 'Offline for 30 minutes' }, { name: 'Rollout failed or paused' }, { name: 'Subscription ends' }],
    events: ['BATTERY_LOW'],
    reports: [{ name: 'Data of the month' }],
  });
  expect((await list()).find((each) => each.mail === 'boss@else.invalid')).toMatchObject({
    role: null,
    reports: [{ name: 'Data of the month' }],
  });

  const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);
  const lose = (minutes: number) =>
    server.owner.query("update devices set presence = 'offline', presence_since = $2 where id = $1", [lost, minutesAgo(minutes)]);
  const mails = async () => (await server.mailsTo(mail)).map(({ subject }) => subject).toSorted();
  await lose(29);
  await pass(0);
  await pass(21_000);
  expect(await mails()).toEqual([]);
  await server.owner.query('update devices set expires_on = current_date + 29 where id = $1', [ending]);
  const group = await server.seeding.group(scope, 'Buses');
  const file = await server.seeding.config(scope, { name: 'depot.cfg' });
  const binding = await server.seeding.binding(scope, { kind: 'config', group, file, schedule: 'bootup' });
  await server.owner.query(
    `insert into rollout_targets (organization_id, binding_id, device_id, router_id, state)
     select organization_id, $1, id, router_id, 'failed' from devices where id = $2
     on conflict (binding_id, device_id) do update set state = excluded.state`,
    [binding, failed],
  );
  await pass(60_000);
  // The server compares by itself as well, one at a time: a pass may find nothing.
  await until(async () => {
    await pass(21_000);
    return (await mails()).length === 3;
  });
  expect(await mails()).toEqual([
    'Critical alert: Offline for 30 minutes: START1',
    'Warning alert: Rollout failed or paused: START3',
    'Warning alert: Subscription ends: START2',
  ]);
  const received = (path: string) => receiver.calls.filter((each) => each.path.includes(path));
  const paths = [...formats.map((format) => `/new-${format}`), '/new-push'];
  const counts = () => paths.map((path) => `${path} ${received(path).length}`);
  await expect.poll(counts).toEqual(paths.map((path) => `${path} 1`));
  for (const format of formats) expect(received(`/new-${format}`)[0]!.body, format).toContain('START1');
  expect(browser.read(received('/new-push')[0]!.bytes)).toMatchObject({ title: 'Critical: Offline for 30 minutes' });

  // Who leaves gets nothing more; the rules then inform the next admin.
  const gone = await send(`${server.url}/dmp_aa/api/v1/accounts/${accountId}`, { bearer: vendor, method: 'DELETE' });
  expect(gone.status, gone.text).toBe(200);
  expect((await rules()).map(({ informed }) => informed)).toEqual(Array.from({ length: 3 }, () => ['second@newcomer.invalid']));
  await server.owner.query("update devices set presence = 'online' where id = $1", [lost]);
  await pass(0);
  await lose(40);
  await pass(0);
  await pass(16 * 60_000);
  const next = async () => (await server.mailsTo('second@newcomer.invalid')).map(({ subject }) => subject);
  await until(async () => {
    await pass(21_000);
    return (await next()).includes('Critical alert: Offline for 30 minutes: START1');
  });
  // No more than the one from before; those that wait go with the account.
  expect((await mails()).filter((subject) => subject.startsWith('Critical')).length).toBeLessThan(2);
  expect(received('/new-push')).toHaveLength(1);
});
