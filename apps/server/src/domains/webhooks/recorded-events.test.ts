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

test('HKS-01-partial RMT-03-partial the end of a remote session is of the organization that opened it, also once the device is transferred or deleted', async () => {
  const target = await app.seeding.organization(main, 'Elsewhere');
  const group = await app.seeding.group(own, 'Depot');
  const hook = async (as: Actor, more: object = {}) => {
    const body = { name: 'Remote', url: 'https://example.com/remote', events: ['remote.opened', 'remote.ended'], ...more };
    const { json, text } = await app.call('POST', `${DM}/webhooks`, { as, body });
    return (json.result?.id ?? text) as string;
  };
  const ofDepot = await hook(admin, { groups: [group] });
  const ofTarget = await hook(app.person(target, 'admin'));
  const recordedFor = async (id: string) => {
    const { rows } = await sqlOf('delete from webhook_deliveries where endpoint_id = $1 returning type, device_id, data', [id]);
    return rows.map(({ type, device_id, data }) => [type, device_id, data.organization, data.device]);
  };
  const open = async (serial: string, mac: string) => {
    const [router] = await app.seeding.routers(main, [{ serial, mac }]);
    const [id] = await app.seeding.devices(own, [{ serial, mac, group }]);
    await sqlOf(`update devices set vehicle_number = 'Bus 7' where id = $1`, [id]);
    const session = newId();
    await sqlOf(
      `insert into remote_sessions (organization_id, id, main_account_id, device_id, router_id, type, node, account_id, account_email, login_hash)
       values ($1, $2, $3, $4, $5, 'ssh', 'node', $2, 'admin@highline.invalid', '')`,
      [own.organizationId, session, main.mainAccountId, id, router!.id],
    );
    const happen = (state: string) =>
      app.database.write((tx) =>
        recordRouterEvents(
          tx,
          [{ routerId: router!.id, kind: 'remote', subject: 'ssh', state, remoteSessionId: session }],
          app.clock.now(),
        ),
      );
    const event = (type: string) => [type, id, own.organizationId, { id, serial, vehicle: 'Bus 7', group }];
    await happen('opened');
    expect(await recordedFor(ofDepot)).toEqual([event('remote.opened')]);
    return { id: id!, happen, ended: [event('remote.ended')] };
  };

  const moved = await open('SN2', '0A0B0C0D0E10');
  const body = { origin: own.organizationId, target: target.organizationId, serials: ['SN2'] };
  const transfer = await app.call('POST', '/data_manager/v1/dm/org/device', { as: app.person(main, 'main'), body });
  expect(transfer.status, transfer.text).toBe(200);
  await sqlOf(`update devices set vehicle_number = 'Van 1' where id = $1`, [moved.id]);
  await moved.happen('ended');
  expect(await recordedFor(ofDepot)).toEqual(moved.ended);
  expect(await recordedFor(ofTarget)).toEqual([]);

  const deleted = await open('SN3', '0A0B0C0D0E11');
  expect((await app.call('DELETE', `${DM}/devices`, { as: admin, body: { devices: [deleted.id] } })).status).toBe(200);
  await deleted.happen('ended');
  expect(await recordedFor(ofDepot)).toEqual(deleted.ended);
  const each = ['device.added', 'remote.opened', 'device.removed', 'remote.ended'];
  expect(typesOf(await take())).toEqual([...each, ...each]);
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
