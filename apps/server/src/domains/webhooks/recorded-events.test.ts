import { webhooks } from '@highline/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, type Actor, type MainScope, type OrganizationScope } from '../../kernel/index.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { recordRouterEvents } from '../router-state/index.ts';
import { recordEndingSubscriptions } from './index.ts';

// What triggers record of what happens, against the forms of the contract; nothing is sent here.

const DM = '/data_manager/v1/dm';
let app: TestApp;
let main: MainScope;
let own: OrganizationScope;
let other: OrganizationScope;
let admin: Actor;
let device: string;
let routerId: string;
let endpoint: string;

beforeAll(async () => {
  app = await openTestApp(new Date().toISOString());
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  other = await app.seeding.organization(main, 'Other');
  admin = app.person(own, 'admin');
  const body = { name: 'All', url: 'https://example.com/hooks', events: webhooks.webhookEventTypes };
  const { json } = await app.call('POST', `${DM}/webhooks`, { as: admin, body });
  endpoint = json.result.id;
  const [router] = await app.seeding.routers(main, [{ serial: 'SN1', mac: '0A0B0C0D0E0F' }]);
  routerId = router!.id;
  [device] = (await app.seeding.devices(own, [{ serial: 'SN1', mac: '0A0B0C0D0E0F' }])) as [string];
});
afterAll(() => app.close());

interface Recorded {
  readonly type: webhooks.WebhookEventType;
  readonly device_id: string | null;
  readonly data: Record<string, unknown>;
}

/** What was recorded since the last time, apart from log entries unless `withLog`; each has the form of the contract. */
async function take(withLog = false): Promise<Recorded[]> {
  const { rows } = await app.owner.query<Recorded>(
    `with taken as (delete from webhook_deliveries where endpoint_id = $1 returning *) select * from taken order by position`,
    [endpoint],
  );
  for (const { type, data } of rows) {
    const { data: form } = webhooks.webhookEvents[type];
    expect(form.strict().safeParse(data).error, `${type} ${JSON.stringify(data)}`).toBeUndefined();
  }
  return rows.filter(({ type }) => withLog || type !== 'log.entry');
}
const typesOf = (recorded: readonly Recorded[]) => recorded.map(({ type }) => type);
const sqlOf = (text: string, values: unknown[] = []) => app.owner.query(text, values);

test('every example has the form of its event', () => {
  for (const [type, { data, example }] of Object.entries(webhooks.webhookEvents))
    expect(data.strict().safeParse(example).error, type).toBeUndefined();
});

test('HKS-01-partial devices: added, connected, alarms, updates, eSIMs, remote sessions, subscription, removed', async () => {
  expect(await take()).toMatchObject([{ type: 'device.added', device_id: device, data: { device: { serial: 'SN1' } } }]);
  const at = app.clock.now();
  await sqlOf(
    `insert into connectivity (router_id, at, kind, reason) values ($1, $2, 'online', 'connected'), ($1, $3, 'boot', 'boot'),
    ($1, $4, 'offline', 'no-answer')`,
    [routerId, at, at, new Date(at.getTime() + 1)],
  );
  const [online, offline, ...rest] = await take();
  expect([online!.type, offline!.type, offline!.data['reason'], rest]).toEqual([
    'device.online',
    'device.offline',
    'no-answer',
    [],
  ]);
  const of = (event: object) =>
    ({ routerId, subject: 'firmware', label: '1.2', ...event }) as Parameters<typeof recordRouterEvents>[1][number];
  const rolloutId = newId();
  await app.database.write((tx) =>
    recordRouterEvents(
      tx,
      [
        of({ kind: 'alarm', subject: 'BATTERY_LOW', state: 'raised' }),
        of({ kind: 'rollout', state: 'downloading', rolloutId }),
        of({ kind: 'rollout', state: 'successful', rolloutId }),
        of({ kind: 'rollout', state: 'rolled-back', reason: 'boot-failed', rolloutId }),
        of({ kind: 'remote', subject: 'ssh', state: 'opened' }),
        of({ kind: 'remote', subject: 'ssh', state: 'viewed' }),
        of({ kind: 'remote', subject: 'ssh', state: 'ended' }),
        ...['downloaded', 'in-use', 'failed', 'deleted'].map((state) => of({ kind: 'sim', subject: 'esim', state })),
      ],
      at,
    ),
  );
  expect(typesOf(await take())).toEqual([
    'device.alarm',
    'rollout.device_updated',
    'rollout.device_failed',
    'remote.opened',
    'remote.ended',
    'esim.downloaded',
    'esim.in_use',
    'esim.failed',
    'esim.deleted',
  ]);
  await sqlOf(`update devices set started_on = '2031-01-01', expires_on = '2031-12-31' where id = $1`, [device]);
  await sqlOf(`update devices set note = 'nothing to do with it', expires_on = '2031-12-31' where id = $1`, [device]);
  expect(await take()).toMatchObject([{ type: 'subscription.changed', data: { starts: '2031-01-01', ends: '2031-12-31' } }]);
  for (const day of ['2031-12-01', '2031-12-02', '2031-12-31', '2031-12-24', '2031-12-31'])
    await recordEndingSubscriptions(app.database, new Date(`${day}T12:00:00Z`));
  expect(await take()).toMatchObject(
    Array.from({ length: 3 }, () => ({ type: 'subscription.ending', data: { ends: '2031-12-31' } })),
  );
  await sqlOf('update devices set archived_at = now() where id = $1', [device]);
  expect(typesOf(await take())).toEqual(['device.removed']);
  await sqlOf('update devices set archived_at = null where id = $1', [device]);
  expect(typesOf(await take())).toEqual(['device.added']);
});

test('HKS-01-partial rollouts: started, paused with the reason, resumed, cancelled, ended', async () => {
  const group = await app.seeding.group(own, 'North');
  const file = await app.seeding.config(own, { name: 'north.cfg' });
  const rollout = await app.seeding.binding(own, { kind: 'config', group, file, schedule: 'immediate' });
  expect(await take()).toMatchObject([{ type: 'rollout.started', data: { rollout, label: 'north.cfg', kind: 'config', group } }]);
  await sqlOf(`update bindings set state = 'paused', paused_reason = 'threshold' where id = $1`, [rollout]);
  await sqlOf(`update bindings set state = 'running', paused_reason = null where id = $1`, [rollout]);
  await sqlOf(`update bindings set state = 'cancelled' where id = $1`, [rollout]);
  await sqlOf(`update bindings set ended_at = now() where id = $1`, [rollout]);
  const recorded = await take();
  expect(typesOf(recorded)).toEqual(['rollout.paused', 'rollout.resumed', 'rollout.cancelled', 'rollout.ended']);
  expect(recorded[0]!.data['reason']).toBe('threshold');
});

test('HKS-01-partial the log: an entry is recorded with its change, and none without one', async () => {
  expect((await app.call('POST', `${DM}/webhooks`, { as: admin, body: { name: 'x' } })).status).toBe(400);
  expect(await take(true)).toEqual([]);
  const response = await app.call('POST', `${DM}/commands`, { as: admin, body: { name: 'Restart', kind: 'reboot' } });
  expect(response.status, response.text).toBe(200);
  const [entry, ...rest] = await take(true);
  expect(rest).toEqual([]);
  expect(entry!.data).toMatchObject({
    organization: own.organizationId,
    action: 'Added command Restart',
    subject: { kind: 'command' },
    actor: { role: 'admin' },
  });
  await app.call('POST', `${DM}/commands`, { as: app.person(other, 'admin'), body: { name: 'Elsewhere', kind: 'reboot' } });
  expect(await take(true)).toEqual([]);
});

test('HKS-01-partial events of the main account and of deleted organizations', async () => {
  const colleague = app.person(main, 'main');
  const body = { name: 'Everything', url: 'https://example.com/main', events: ['log.entry', 'device.added'] };
  const { json } = await app.call('POST', `${DM}/webhooks`, { as: colleague, body });
  const mine = json.result.id as string;
  const countOf = async () =>
    Number((await sqlOf('select count(*) from webhook_deliveries where endpoint_id = $1', [mine])).rows[0].count);
  // Its own creation, in the log of the main account.
  expect(await countOf()).toBe(1);
  await app.call('POST', `${DM}/commands`, { as: app.person(other, 'admin'), body: { name: 'Again', kind: 'reboot' } });
  expect(await countOf()).toBe(2);
  const organization = await app.call('POST', `${DM}/webhooks`, {
    as: app.person(other, 'admin'),
    body: { ...body, name: 'Of other' },
  });
  expect(organization.status).toBe(200);
  const { status, text } = await app.call('DELETE', `${DM}/org`, {
    as: colleague,
    body: { org: other.organizationId },
  });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const { rows } = await sqlOf('select id from webhook_endpoints where organization_id = $1', [other.organizationId]);
  expect(rows).toEqual([]);
});
