import type { alerts, webhooks } from '@highline/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReader } from '../../platform/listing/index.ts';
import { send, until } from '../../testing/call.ts';
import { silentLog } from '../../testing/log.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startCallReceiver, type ReceivedCall, type CallReceiver } from '../../testing/call-receiver.ts';
import { compareAll, fireAndResolve, sendMessages } from './index.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
let server: TestServer;
let receiver: CallReceiver;

beforeAll(async () => {
  server = await startTestServer({ clock, environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } });
  receiver = await startCallReceiver();
});
afterAll(async () => {
  await receiver.close();
  await server.close();
});

/** Compare, fire, resolve and send as the jobs do, at a time that may be ahead. */
async function pass(ms: number): Promise<void> {
  ahead += ms;
  const deps = { database: server.database, clock, reader: createReader(server.database), expiringDays: 30, log: silentLog };
  await compareAll(server.database, clock.now());
  await fireAndResolve(deps, clock.now());
  await sendMessages({ ...deps, origin: () => 'https://cloud.test' }, clock.now());
}

const received = (path: string): ReceivedCall[] => receiver.calls.filter((call) => call.path.endsWith(path));
const bodiesOf = (path: string) => received(path).map(({ body }) => JSON.parse(body));

it('ALR-05 a rule informs people, a signed webhook, Slack and Microsoft Teams, and others when no one acknowledges, but not in quiet hours', async () => {
  const { scope: home } = await server.seeding.mainAccount('Home');
  const own = await server.seeding.organization(home, 'Own');
  const foreign = await server.seeding.organization(home, 'Foreign');
  const accountOf = (scope: typeof own, name: string) => server.seeding.account(scope, `${name}@highline.invalid`, 'admin');
  const admin = await server.seeding.bearer(await accountOf(own, 'own'));
  const other = await server.seeding.bearer(await accountOf(foreign, 'foreign'));
  const call = (path: string, body?: unknown, { method, as = admin }: { method?: string; as?: string } = {}) =>
    send(`${server.url}/data_manager/v1${path}`, {
      bearer: as,
      ...(body !== undefined && { body }),
      ...(method !== undefined && { method }),
    });
  const addHook = async (name: string, format: webhooks.WebhookFormat, as = admin) => {
    const body = { name, url: `${receiver.url}/${name}`, format, events: [] };
    const response = await call('/dm/webhooks', body, { as });
    expect(response.status, response.text).toBe(200);
    return response.json<{ result: webhooks.Webhook; secret: string }>();
  };
  const rows = Array.from({ length: 14 }, (_, index) => ({
    serial: `CHANNEL${index}`,
    mac: `02C4A11E10${(16 + index).toString(16)}`.toUpperCase(),
  }));
  await server.seeding.routers(home, rows);
  const devices = await server.seeding.devices(own, rows);
  await server.owner.query("update devices set carrier = 'Verizon' where organization_id = $1", [own.organizationId]);
  const lose = (ids: readonly string[]) =>
    server.owner.query("update devices set presence = 'offline', presence_since = $2 where id = any ($1)", [
      ids,
      new Date(clock.now().getTime() - HOUR),
    ]);

  const [plain, slack, teams, duty] = [
    await addHook('plain', 'standard'),
    await addHook('slack', 'slack'),
    await addHook('teams', 'teams'),
    await addHook('duty', 'standard'),
  ];
  const theirs = await addHook('theirs', 'standard', other);
  const rule = (more: object = {}) => ({
    name: 'Lost',
    enabled: true,
    severity: 'critical',
    condition: { kind: 'offline' },
    forSeconds: 0,
    scope: { kind: 'all' },
    hours: null,
    channels: {
      mails: ['dispatch@x.invalid'],
      webhooks: [plain, slack, teams].map(({ result }) => result.id),
      escalation: { afterMinutes: 5, mails: [], webhooks: [duty.result.id] },
      quiet: null,
    },
    ...more,
  });
  // Targets are those of webhooks: a foreign one does not exist, and a private address cannot become one.
  const stolen = await call('/alerts/rules', rule({ channels: { ...rule().channels, webhooks: [theirs.result.id] } }));
  expect([stolen.status, stolen.error().key, stolen.error().field]).toEqual([
    400,
    'alert.channel_not_found',
    'channels.webhooks',
  ]);
  const unescalated = { ...rule().channels, escalation: { afterMinutes: 5, mails: [], webhooks: [] } };
  expect((await call('/alerts/rules', rule({ channels: unescalated }))).status).toBe(400);
  const inside = await call('/dm/webhooks', { name: 'x', url: 'https://10.0.0.1/x', format: 'slack', events: [] });
  expect(inside.error().key).toBe('webhook.url_invalid');
  const saved = await call('/alerts/rules', rule());
  expect(saved.status, saved.text).toBe(200);
  const { id } = saved.json<{ result: alerts.Rule }>().result;
  const failing = async () =>
    (await call('/alerts/rules')).json<{ result: alerts.Rule[] }>().result.map(({ failingChannels }) => failingChannels);
  expect(await failing()).toEqual([0]);
  const test = await call(`/dm/webhooks/${slack.result.id}/test`, {});
  expect(test.json<{ result: webhooks.WebhookDelivery }>().result.state).toBe('delivered');
  expect(bodiesOf('/slack')[0].text).toContain('Test of the webhook slack');

  // One device: to each channel in its own form.
  await lose(devices.slice(0, 1));
  await pass(0);
  await pass(21 * SECOND);
  await until(() => received('/plain').length === 1 && received('/slack').length === 2 && received('/teams').length === 1);
  const [first] = received('/plain');
  expect(new Webhook(plain.secret).verify(first!.body, first!.headers)).toMatchObject({
    type: 'alert.fired',
    data: { rule: 'Lost', severity: 'critical', summary: 'Lost', device: { serial: 'CHANNEL0' } },
  });
  expect(bodiesOf('/slack')[1].text).toBe('CHANNEL0: Lost');
  expect(bodiesOf('/teams')[0].attachments[0].content.body[0].text).toBe('CHANNEL0: Lost');
  expect([(await server.mailsTo('dispatch@x.invalid')).length, received('/duty').length, received('/theirs').length]).toEqual([
    1, 0, 0,
  ]);

  // What is not recorded when the clock jumps is sent again.
  await until(async () => (await server.owner.query("select from webhook_deliveries where state = 'waiting'")).rowCount === 0);
  // No one acknowledges it.
  await pass(6 * MINUTE);
  await until(() => received('/duty').length === 1);
  expect(bodiesOf('/duty')[0].data.summary).toBe('Lost – not acknowledged within 5 min');
  expect(received('/plain')).toHaveLength(1);

  // Many at once are one message with counts. Slack does not answer as it should: the event is sent again, and the admin sees it.
  receiver.respond((response, { path }) => response.writeHead(path.endsWith('/slack') ? 503 : 204).end());
  await lose(devices.slice(1, 12));
  await pass(0);
  await pass(21 * SECOND);
  await until(() => received('/plain').length === 2 && received('/slack').length >= 3);
  expect(bodiesOf('/plain')[1].data).toMatchObject({
    device: null,
    summary: 'Lost: 11 devices',
    count: 11,
    carriers: 'Verizon: 11',
    groups: expect.stringContaining(': 11'),
  });
  expect(JSON.stringify(bodiesOf('/slack')[2])).toContain('Verizon: 11');
  await until(async () => (await failing())[0] === 1);
  receiver.respond((response) => response.writeHead(204).end());
  ahead += MINUTE;
  await until(() => received('/slack').length >= 4);
  await until(async () => (await failing())[0] === 0);

  // In quiet hours the alert fires, and its messages wait.
  const day = (ms: number) => new Date(clock.now().getTime() + ms).toISOString().slice(11, 16);
  const quiet = { days: [0, 1, 2, 3, 4, 5, 6], from: day(-HOUR), until: day(2 * HOUR), zone: 'UTC' };
  const calm = await call(`/alerts/rules/${id}`, rule({ channels: { ...rule().channels, quiet } }), { method: 'PUT' });
  expect(calm.status, calm.text).toBe(200);
  await lose(devices.slice(12, 13));
  await pass(HOUR);
  await pass(MINUTE);
  const open = await call('/alerts?limit=50&state=open');
  expect(open.json<{ result: alerts.Alert[] }>().result).toHaveLength(13);
  expect(received('/plain')).toHaveLength(2);
  await pass(2 * HOUR);
  await until(() => received('/plain').length === 3);
  expect(bodiesOf('/plain')[2].data).toMatchObject({ device: { serial: 'CHANNEL12' } });

  // A webhook that is deleted is missing from the rule, which says so.
  await call(`/dm/webhooks/${teams.result.id}`, undefined, { method: 'DELETE' });
  expect(await failing()).toEqual([1]);
});

/** An organization with twelve devices, its webhooks, and a rule about lost connections. */
async function prepareFleet(name: string) {
  const { scope: home, actor } = await server.seeding.mainAccount(name);
  const own = await server.seeding.organization(home, name);
  const prefix = name.toLowerCase();
  const bearer = await server.seeding.bearer(await server.seeding.account(own, `${prefix}@highline.invalid`, 'admin'));
  const call = (path: string, body: unknown, method = 'POST') =>
    send(`${server.url}/data_manager/v1${path}`, { bearer, body, method });
  const number = (await server.owner.query('select from devices')).rowCount ?? 0;
  const rows = Array.from({ length: 12 }, (_, index) => ({
    serial: `${name.toUpperCase()}${index}`,
    mac: `02C4A12${(number + index).toString(16).padStart(5, '0')}`.toUpperCase(),
  }));
  await server.seeding.routers(home, rows);
  const devices = await server.seeding.devices(own, rows);
  return {
    home,
    owner: await server.seeding.bearer(actor.accountId),
    own,
    call,
    devices,
    addHook: async (hookName: string, format: webhooks.WebhookFormat, more: object = {}) => {
      const key = format === 'standard' ? {} : { key: 'R0' };
      const hook = { name: hookName, url: `${receiver.url}/${hookName}`, format, events: [], ...key, ...more };
      const response = await call('/dm/webhooks', hook);
      expect(response.status, response.text).toBe(200);
      return response.json<{ result: webhooks.Webhook }>().result.id;
    },
    saveRule: async (channels: object) => {
      const rule = {
        name: 'Lost',
        enabled: true,
        severity: 'critical',
        condition: { kind: 'offline' },
        forSeconds: 0,
        scope: { kind: 'all' },
        hours: null,
        channels: { mails: [], webhooks: [], escalation: null, quiet: null, ...channels },
      };
      const saved = await call('/alerts/rules', rule);
      expect(saved.status, saved.text).toBe(200);
      return { ...rule, id: saved.json<{ result: alerts.Rule }>().result.id };
    },
    setPresence: (presence: string, ids = devices) =>
      server.owner.query('update devices set presence = $3, presence_since = $2 where id = any ($1)', [
        ids,
        new Date(clock.now().getTime() - HOUR),
        presence,
      ]),
  };
}

it('ALR-06-partial a storm that no one acknowledges is one incident of those on duty, which its end closes', async () => {
  const { addHook, saveRule, setPresence } = await prepareFleet('Storm');
  const night = await addHook('night', 'pagerduty');
  await saveRule({ escalation: { afterMinutes: 5, mails: [], webhooks: [night] } });
  await setPresence('offline');
  await pass(0);
  await pass(21 * SECOND);
  await pass(6 * MINUTE);
  await until(() => received('/night').length === 1);
  const [opened] = bodiesOf('/night');
  expect(opened).toMatchObject({ event_action: 'trigger', payload: { custom_details: { count: '12' } } });
  expect(opened.payload.summary).toBe('Lost: 12 devices – not acknowledged within 5 min');
  await setPresence('online');
  await pass(0);
  await pass(MINUTE);
  await pass(MINUTE);
  await until(() => received('/night').length === 2);
  expect(bodiesOf('/night')[1]).toEqual({ routing_key: 'R0', event_action: 'resolve', dedup_key: opened.dedup_key });
});

it('ALR-06-partial a storm whose rule is changed is closed with the number of devices that had not recovered, and ends once more when they have', async () => {
  const { call, addHook, saveRule, setPresence } = await prepareFleet('Changed');
  const hooks = [await addHook('changed-plain', 'standard'), await addHook('changed-duty', 'pagerduty')];
  const { id, ...rule } = await saveRule({ webhooks: hooks });
  const sentTo = async (count: number) => {
    await until(() => received('/changed-plain').length === count && received('/changed-duty').length === count);
    return { plain: bodiesOf('/changed-plain')[count - 1], duty: bodiesOf('/changed-duty')[count - 1] };
  };
  await setPresence('offline');
  await pass(0);
  await pass(21 * SECOND);
  const first = await sentTo(1);
  expect(first.plain.data).toMatchObject({ summary: 'Lost: 12 devices', count: 12 });
  const changed = await call(`/alerts/rules/${id}`, { ...rule, forSeconds: 60 }, 'PUT');
  expect(changed.status, changed.text).toBe(200);
  await pass(0);
  await pass(21 * SECOND);
  const closed = await sentTo(2);
  expect(closed.plain).toMatchObject({
    type: 'alert.resolved',
    data: {
      summary: 'Lost: 12 devices, 12 had not recovered when the rule was changed',
      resolution: 'rule-changed',
      unrecovered: 12,
    },
  });
  expect(closed.duty).toMatchObject({ event_action: 'resolve', dedup_key: first.duty.dedup_key });
  // The rule finds the same devices again.
  await pass(MINUTE);
  const again = await sentTo(3);
  expect(again.duty).toMatchObject({ event_action: 'trigger', dedup_key: first.duty.dedup_key });
  await setPresence('online');
  await pass(0);
  await pass(MINUTE);
  const over = await sentTo(4);
  expect(over.plain).toMatchObject({ type: 'alert.resolved', data: { summary: 'Lost: 12 devices', resolution: 'cleared' } });
  expect(over.plain.data).not.toHaveProperty('unrecovered');
  expect(over.duty).toMatchObject({ event_action: 'resolve', dedup_key: first.duty.dedup_key });
});

it('ALR-06-partial a webhook that is subscribed to alerts and named by their rule closes the incident of each alert and of the storm', async () => {
  const { addHook, saveRule, setPresence, devices } = await prepareFleet('Both');
  const both = await addHook('both', 'pagerduty', { events: ['alert.fired', 'alert.resolved'] });
  await saveRule({ webhooks: [both] });
  await setPresence('offline');
  await pass(0);
  await pass(21 * SECOND);
  await until(() => received('/both').length === 13);
  const keysOf = (action: string) =>
    bodiesOf('/both').flatMap((body) => (body.event_action === action ? [String(body.dedup_key)] : []));
  const storm = bodiesOf('/both').find(({ payload }) => payload.custom_details.count === '12').dedup_key;
  // The first one that recovers closes its own incident alone.
  await setPresence('online', devices.slice(0, 1));
  await pass(0);
  await until(() => received('/both').length === 14);
  expect(keysOf('resolve')).not.toContain(storm);
  await setPresence('online');
  await pass(0);
  await pass(MINUTE);
  await pass(MINUTE);
  await until(() => received('/both').length === 26);
  expect(keysOf('resolve').toSorted()).toEqual(keysOf('trigger').toSorted());
  expect(new Set(keysOf('trigger'))).toHaveLength(13);
});

it('ALR-05-partial a message about alerts that were acknowledged before it says by whom, and their incidents are acknowledged', async () => {
  const { own, addHook, saveRule, setPresence, devices, call } = await prepareFleet('Seen');
  const hooks = [await addHook('seen-duty', 'pagerduty'), await addHook('seen-plain', 'standard')];
  await saveRule({ webhooks: hooks, mails: ['seen@x.invalid', 'zh@x.invalid'] });
  await server.owner.query(
    `insert into notification_subscriptions (organization_id, mail, events, language, zone)
     values ($1, 'zh@x.invalid', '{}', 'zh-TW', 'Asia/Taipei')`,
    [own.organizationId],
  );
  const by = 'seen@highline.invalid';
  const acknowledge = async () => {
    const { rows } = await server.owner.query<{ id: string }>(
      "select id from alerts where device_id = any ($1) and state = 'firing'",
      [devices],
    );
    expect((await call('/alerts/acknowledge', { alerts: rows.map(({ id }) => id) })).status).toBe(200);
  };
  const textsTo = async (mail: string) => (await server.mailsTo(mail)).map(({ plain }) => plain).join('\n');
  const changes = () => bodiesOf('/seen-duty').map((body) => body.event_action);
  await setPresence('offline', devices.slice(0, 1));
  await pass(0);
  await acknowledge();
  await pass(21 * SECOND);
  await until(() => received('/seen-duty').length === 2 && received('/seen-plain').length === 1);
  const [opened, seen] = bodiesOf('/seen-duty');
  expect(opened.payload.summary).toBe(`SEEN0: Lost – acknowledged by ${by}`);
  expect(seen).toEqual({ routing_key: 'R0', event_action: 'acknowledge', dedup_key: opened.dedup_key });
  expect(bodiesOf('/seen-plain')).toMatchObject([{ type: 'alert.fired', data: { by } }]);
  expect(await textsTo('seen@x.invalid')).toContain(`– SEEN0 – acknowledged by ${by}`);
  expect(await textsTo('zh@x.invalid')).toContain(`– SEEN0 – 已由 ${by} 確認`);
  // Many at once, all of them acknowledged.
  await setPresence('offline');
  await pass(MINUTE);
  await acknowledge();
  await pass(21 * SECOND);
  await until(() => received('/seen-duty').length === 4);
  expect(changes()).toEqual(['trigger', 'acknowledge', 'trigger', 'acknowledge']);
  const [storm, all] = bodiesOf('/seen-duty').slice(2);
  expect(storm.payload.summary).toBe('Lost: 11 devices, 11 acknowledged');
  expect(all.dedup_key).toBe(storm.dedup_key);
  expect(await textsTo('seen@x.invalid')).toContain('Acknowledged: 11');
  expect(await textsTo('zh@x.invalid')).toContain('已確認：11');
});

it('ALR-06-partial ALR-03-partial the incident of a storm is acknowledged once the last of its alerts is, also at those on duty', async () => {
  const { own, addHook, saveRule, setPresence, call } = await prepareFleet('Later');
  const [first, night] = [await addHook('later-first', 'pagerduty'), await addHook('later-night', 'pagerduty')];
  await saveRule({ webhooks: [first], escalation: { afterMinutes: 5, mails: [], webhooks: [night] } });
  await setPresence('offline');
  await pass(0);
  await pass(21 * SECOND);
  await pass(6 * MINUTE);
  await until(() => received('/later-first').length === 1 && received('/later-night').length === 1);
  const { rows } = await server.owner.query<{ id: string; storm_id: string }>(
    'select id, storm_id from alerts where organization_id = $1',
    [own.organizationId],
  );
  const acknowledge = (alert: string) => call('/alerts/acknowledge', { alerts: [alert] });
  expect((await acknowledge(rows[0]!.id)).json()).toEqual({ result: { acknowledged: 1 } });
  const changes = async () =>
    (
      await server.owner.query("select from webhook_deliveries where organization_id = $1 and type = 'alert.acknowledged'", [
        own.organizationId,
      ])
    ).rowCount;
  expect(await changes()).toBe(0);
  expect((await acknowledge(rows[0]!.storm_id)).json()).toEqual({ result: { acknowledged: 11 } });
  await until(() => received('/later-first').length === 2 && received('/later-night').length === 2);
  for (const path of ['/later-first', '/later-night']) {
    const [opened, seen] = bodiesOf(path);
    expect(seen, path).toEqual({ routing_key: 'R0', event_action: 'acknowledge', dedup_key: opened.dedup_key });
  }
});

it('ALR-06-partial ALR-03-partial the incident of a storm is acknowledged when the last alert that no one acknowledged ends, and again when the storm goes on', async () => {
  const { own, addHook, saveRule, setPresence, call, devices } = await prepareFleet('Rest');
  await saveRule({ webhooks: [await addHook('rest', 'pagerduty')] });
  const sent = async (count: number) => {
    await until(() => received('/rest').length === count);
    return bodiesOf('/rest').map((body) => body.event_action);
  };
  const acknowledge = async (ids: readonly string[]) => {
    const { rows } = await server.owner.query<{ id: string }>(
      "select id from alerts where organization_id = $1 and state = 'firing' and device_id = any ($2)",
      [own.organizationId, ids],
    );
    const acknowledged = await call('/alerts/acknowledge', { alerts: rows.map(({ id }) => id) });
    expect(acknowledged.json()).toEqual({ result: { acknowledged: ids.length } });
  };
  await setPresence('offline');
  await pass(0);
  await pass(21 * SECOND);
  expect(await sent(1)).toEqual(['trigger']);
  await acknowledge(devices.slice(1));
  await setPresence('online', devices.slice(0, 1));
  await pass(0);
  expect(await sent(2)).toEqual(['trigger', 'acknowledge']);
  await setPresence('online');
  await pass(0);
  await pass(MINUTE);
  await pass(MINUTE);
  expect((await sent(3)).at(-1)).toBe('resolve');
  await setPresence('offline');
  await pass(0);
  await pass(MINUTE);
  expect((await sent(4)).at(-1)).toBe('trigger');
  await acknowledge(devices);
  expect((await sent(5)).at(-1)).toBe('acknowledge');
  expect(new Set(bodiesOf('/rest').map((body) => body.dedup_key))).toHaveLength(1);
});

it('ALR-06-partial what a receiver gets of one storm keeps its order, so that an incident that is over is not opened again', async () => {
  const { own, addHook, saveRule, setPresence, devices } = await prepareFleet('Order');
  await saveRule({ webhooks: [await addHook('order', 'pagerduty')] });
  const isOwn = 'organization_id = $1';
  const count = async (condition: string) =>
    (await server.owner.query(`select from webhook_deliveries where ${isOwn} and (${condition})`, [own.organizationId])).rowCount;
  const dueIn = (hours: number, condition: string) =>
    server.owner.query(`update webhook_deliveries set next_at = $2 where ${isOwn} and state = 'waiting' and ${condition}`, [
      own.organizationId,
      new Date(clock.now().getTime() + hours * HOUR),
    ]);
  // The receiver is away when the storm fires, and when one more device joins it.
  receiver.respond((response, { path }) => response.writeHead(path.endsWith('/order') ? 503 : 204).end());
  await setPresence('offline', devices.slice(0, 11));
  await pass(0);
  await pass(21 * SECOND);
  await until(async () => (await count("tries <> '[]'")) === 1);
  await dueIn(24, 'true');
  await setPresence('offline', devices.slice(11));
  await pass(0);
  await pass(2 * MINUTE);
  await until(async () => (await count("type = 'alert.fired'")) === 2);
  await dueIn(24, 'true');
  receiver.respond((response) => response.writeHead(204).end());
  const before = received('/order').length;
  const sent = () =>
    bodiesOf('/order')
      .slice(before)
      .map((body) => body.event_action);
  await setPresence('online');
  await pass(0);
  await pass(MINUTE);
  await pass(MINUTE);
  // The end waits for both.
  const isHeld = "type = 'alert.resolved' and next_at > now() + interval '1 minute'";
  await until(async () => (await count(`${isHeld} or type = 'alert.resolved' and state <> 'waiting'`)) === 1);
  expect(sent()).toEqual([]);
  await dueIn(0, "data ? 'count' and type = 'alert.fired'");
  await until(() => sent().includes('resolve'));
  expect(sent()).toEqual(['trigger', 'trigger', 'resolve']);
  expect(new Set(bodiesOf('/order').map((body) => body.dedup_key))).toHaveLength(1);
});

it('HKS-01-partial a webhook of a group or tag that got the beginning of an alert gets its end, also when the device has left', async () => {
  const { home, owner, own, addHook, saveRule, setPresence, devices } = await prepareFleet('Leaving');
  const target = await server.seeding.organization(home, 'Leaving target');
  const [north, south] = [await server.seeding.group(own, 'North'), await server.seeding.group(own, 'South')];
  const events = ['alert.fired', 'alert.resolved'];
  await addHook('leaving-north', 'standard', { events, groups: [north] });
  await addHook('leaving-night', 'standard', { events, tags: ['night'] });
  await saveRule({});
  const assign = (group: string, tags: string, index: number) =>
    server.owner.query('update devices set group_key = $1, tags = $2 where id = $3', [group, tags, devices[index]]);
  await assign(north, '{night}', 0);
  await assign(north, '{night}', 1);
  await assign(south, '{}', 2);
  await setPresence('offline', devices.slice(0, 3));
  await pass(0);
  const bodies = () => [bodiesOf('/leaving-north'), bodiesOf('/leaving-night')];
  await until(() => bodies().every(({ length }) => length === 2));
  await assign(south, '{}', 0);
  const moved = await send(`${server.url}/data_manager/v1/dm/org/device`, {
    bearer: owner,
    body: { target: target.organizationId, serials: ['LEAVING1'] },
  });
  expect(moved.status, moved.text).toBe(200);
  await setPresence('online', [devices[0]!, devices[2]!]);
  await pass(0);
  const open = async () =>
    (await server.owner.query("select from alerts where organization_id = $1 and state <> 'resolved'", [own.organizationId]))
      .rowCount;
  expect(await open()).toBe(0);
  await until(async () => (await server.owner.query("select from webhook_deliveries where state = 'waiting'")).rowCount === 0);
  const ends = bodies().map((received) =>
    received.filter(({ type }) => type === 'alert.resolved').map(({ data }) => [data.device?.serial, data.resolution].join(' ')),
  );
  expect(ends.map((own) => own.toSorted())).toEqual(
    Array.from({ length: 2 }, () => ['LEAVING0 cleared', 'LEAVING1 transferred']),
  );
});
