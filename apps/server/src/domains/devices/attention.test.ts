import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { recordOnlineShares } from './online-shares.ts';

const BASE = '/data_manager/v1/dm';
const NOW = '2026-11-20T12:00:00Z';
const subscribed = { started: '01/01/2026', expired: '12/31/2027' };

const app = useTestApp(NOW);
const fresh = routersNamed('AT');
let own: OrganizationScope;
let sibling: OrganizationScope;
let user: Actor;
let unrelated: Actor;
let mainPerson: Actor;
let silent: TestDevice;
let weak: TestDevice;
let failing: TestDevice;
let inBox: TestDevice;

const since = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000);

beforeAll(async () => {
  ({ own, sibling, user, mainPerson } = await openHome(app));
  unrelated = app.person((await openHome(app)).own, 'admin');
  const add = (scope: OrganizationScope, columns: Record<string, unknown>, dates: object = subscribed) =>
    addDevice(app, scope, fresh(), { ...dates, columns });
  silent = await add(own, {
    presence: 'offline',
    presence_since: since(2),
    presence_reason: 'connection-lost',
    carrier: 'Bell',
    cell_id: '77',
  });
  await add(own, { presence: 'offline', presence_since: since(0.5) });
  weak = await add(own, { presence: 'online' });
  failing = await add(own, { presence: 'online' }, { started: '01/01/2026', expired: '11/30/2026' });
  // Never connected, and its subscription ended.
  await add(own, {}, { started: '01/01/2026', expired: '11/19/2026' });
  inBox = await add(own, {}, { started: '12/01/2026', expired: '11/30/2027' });
  await add(sibling, { presence: 'offline', presence_since: since(3) });
  await app.owner.query(
    'insert into router_contacts (router_id, last_contact_at, rssi, is_weak) values ($1, now(), -101, true)',
    [weak.routerId],
  );
  await app.owner.query(
    `insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, status, priority, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $6, 'Fail to download', 1, now(), now())`,
    [own.organizationId, newId(), own.mainAccountId, failing.id, failing.routerId, failing.serial],
  );
  const group = await app.seeding.group(own, 'Troubled');
  const [device] = await app.seeding.devices(own, [{ ...(await stocked()), group, ...subscribed }]);
  const file = await app.seeding.config(own, { name: 'depot.cfg' });
  await app.seeding.binding(own, { kind: 'config', group, file, schedule: 'immediate' });
  await app.owner.query(`update rollout_targets set state = 'failed' where device_id = $1`, [device]);
  await app.owner.query(`update bindings set state = 'paused' where group_key = $1`, [group]);
  await app.owner.query(`update routers set presence = 'online' where id = $1`, [weak.routerId]);
  await app.owner.query(
    `insert into router_rejections (router_id, at, reason, address) values ($1, now(), 'certificate-revoked', '192.0.2.7')`,
    [weak.routerId],
  );
  await app.owner.query(
    `insert into position_faults (router_id, reason, since, last_at, count) values ($1, 'future', now(), now(), 3)`,
    [failing.routerId],
  );
});

async function stocked() {
  const router = fresh();
  await app.seeding.routers({ kind: 'main', mainAccountId: own.mainAccountId }, [router]);
  return router;
}

const attention = async (as: Actor, query: Record<string, string> = {}) =>
  (await app.call('GET', `${BASE}/attention`, { as, query })).json.result;
const list = async (as: Actor, query: Record<string, string>) =>
  (await app.call('GET', `${BASE}/devices`, { as, query: { limit: '10', ...query } })).json;

const nameOf = ({ id, serial }: TestDevice) => ({
  device: id,
  serial_number: serial,
  vehicle_number: '',
  org: own.organizationId,
  projectName: 'Own',
});

describe('what needs attention', () => {
  test('ATT-01-partial SAY-04-partial is counted, and each count is the total of the list with that filter', async () => {
    const found = await attention(user);
    expect(found).toEqual({
      offline: {
        total: 1,
        latest: [
          {
            device: silent.id,
            serial_number: silent.serial,
            vehicle_number: '',
            org: own.organizationId,
            projectName: 'Own',
            since: since(2).getTime() / 1_000,
            reason: 'connection-lost',
            carrier: 'Bell',
            cell: '77',
          },
        ],
      },
      weak: 1,
      connections: 1,
      positions: 1,
      sims: 1,
      expiring: 1,
      unsubscribed: 1,
      starting: 1,
      never: 3,
      parked: 0,
      planned: 0,
      rollouts: { failed: 1, paused: 1 },
      alerts: { firing: 0, critical: 0 },
      criticalAlerts: [],
      first: {
        weak: [nameOf(weak)],
        connections: [nameOf(weak)],
        positions: [nameOf(failing)],
        sims: [nameOf(failing)],
        expiring: [nameOf(failing)],
        unsubscribed: [expect.objectContaining({ org: own.organizationId })],
        rollouts: [expect.objectContaining({ org: own.organizationId })],
      },
      diagnoses: [],
      // Two of four that have connected went offline, one of them more than an hour ago.
      deviation: null,
    });
    const lists = [
      [{ offline: '1h' }, found.offline.total, silent.serial],
      [{ signal: 'weak' }, found.weak, weak.serial],
      [{ connection: 'rejected' }, found.connections, weak.serial],
      [{ position: 'rejected' }, found.positions, failing.serial],
      [{ sim: 'failed' }, found.sims, failing.serial],
      [{ service: 'expiring' }, found.expiring, failing.serial],
      [{ service: 'not-subscribed' }, found.unsubscribed, undefined],
      [{ service: 'starting' }, found.starting, inBox.serial],
      [{ presence: 'never' }, found.never, undefined],
    ] as const;
    for (const [query, total, serial] of lists) {
      const response = await list(user, query);
      expect(response.total, JSON.stringify(query)).toBe(total);
      if (serial !== undefined) expect(response.result[0].serial_number).toBe(serial);
    }
  });

  test('DEV-08-partial a rejection is in the list and on the page: of another connection while the router is online, and of its identity as long as it is seen', async () => {
    const reject = (reason: string, at = 'now()') =>
      app.owner.query(`update router_rejections set reason = $2, at = ${at} where router_id = $1`, [weak.routerId, reason]);
    const shown = async () => {
      const [row] = (await list(user, { connection: 'rejected' })).result;
      const { rejection } = (await app.call('GET', `${BASE}/device`, { as: user, query: { device: weak.id } })).json.result;
      return [row?.rejected, rejection?.reason, rejection?.isOther];
    };
    expect(await shown()).toEqual(['certificate-revoked', 'certificate-revoked', true]);
    await app.owner.query(`update routers set presence = 'offline' where id = $1`, [weak.routerId]);
    expect(await shown()).toEqual(['certificate-revoked', 'certificate-revoked', false]);
    await app.owner.query(`update routers set presence = 'online' where id = $1`, [weak.routerId]);
    await reject('identity-shared');
    expect(await shown()).toEqual(['identity-shared', 'identity-shared', false]);
    await reject('identity-shared', `now() - interval '61 minutes'`);
    expect(await shown()).toEqual([undefined, undefined, undefined]);
  });

  test('ATT-01-partial the time is chosen, the main account sees all of its organizations, and no one else sees any', async () => {
    expect((await attention(user, { offline: '15m' })).offline.total).toBe(2);
    expect((await attention(user, { offline: '1d' })).offline.total).toBe(0);
    expect((await attention(mainPerson)).offline).toMatchObject({
      total: 2,
      latest: [{ device: silent.id }, { projectName: 'Sibling' }],
    });
    expect((await attention(mainPerson, { org: own.organizationId })).offline.total).toBe(1);
    expect(await attention(unrelated)).toMatchObject({
      offline: { total: 0, latest: [] },
      weak: 0,
      sims: 0,
      rollouts: { failed: 0 },
    });
    expect((await app.call('GET', `${BASE}/attention`, { as: user, query: { offline: '2h' } })).status).toBe(400);
  });
});

test('ATT-01-partial IAM-03-partial HKS-02-partial alerts and rollouts are named only to a role or key that reads them', async () => {
  await app.owner.query(
    `insert into alerts (organization_id, id, main_account_id, rule_id, rule_name, severity, kind, device_id, serial, vehicle_number,
       group_key, state, since, fired_at)
     select organization_id, gen_random_uuid(), main_account_id, gen_random_uuid(), 'Vehicle lost', 'critical', 'offline', id, serial, '',
       group_key, 'firing', now(), now() from devices where id = $1`,
    [silent.id],
  );
  app.clock.set('2026-11-20T12:00:02Z');
  const shown = async (rights: Partial<Actor>) => {
    const {
      rollouts,
      alerts,
      criticalAlerts,
      first,
      weak: count,
    } = await attention(Object.assign(app.person(own, 'user'), rights));
    return { rollouts, alerts, named: [criticalAlerts.length, first.rollouts.length], weak: count };
  };
  const ofRole = (...rights: string[]) => shown({ ownRole: { id: newId(), name: 'Desk', rights } });
  const ofKey = (...operations: string[]) => shown({ key: { id: newId(), label: 'Board', organizationId: null, operations } });
  const all = { rollouts: { failed: 1, paused: 1 }, alerts: { firing: 1, critical: 1 }, named: [1, 1], weak: 1 };
  const withoutAlerts = { ...all, alerts: { firing: 0, critical: 0 }, named: [0, 1] };
  const withoutBoth = { ...withoutAlerts, rollouts: { failed: 0, paused: 0 }, named: [0, 0] };
  expect(await shown({})).toEqual(all);
  expect(await ofRole('devices.read')).toEqual(withoutBoth);
  expect(await ofRole('devices.read', 'rollouts.read')).toEqual(withoutAlerts);
  expect(await ofRole('devices.read', 'rollouts.read', 'alerts.read')).toEqual(all);
  expect(await ofKey('devices.attention')).toEqual(withoutBoth);
  expect(await ofKey('devices.attention', 'rollouts.list', 'alerts.list')).toEqual(all);
  app.clock.set(NOW);
});

test('ATT-02-partial the share online of the devices that have connected is recorded once per moment, waits for unknown ones, and is kept for eight days', async () => {
  const shares = async (as: Actor, hours: string, query: Record<string, string> = {}) =>
    (await app.call('GET', `${BASE}/statistics/online`, { as, query: { hours, ...query } })).json.result;
  const at = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000);
  await app.owner.query(`update devices set presence = 'unknown' where id = $1`, [weak.id]);
  // The moment of 10 minutes ago is before this process.
  await recordOnlineShares(app.database, at(9), at(9.5));
  expect(await shares(mainPerson, '24')).toEqual([]);
  await recordOnlineShares(app.database, at(10), at(10));
  expect(await shares(user, '24')).toEqual([]);
  expect(await shares(mainPerson, '24')).toEqual([{ at: at(10).getTime() / 1_000, online: 0, devices: 1 }]);
  await app.owner.query(`update devices set presence = 'online' where id = $1`, [weak.id]);
  // A later call of the same moment, and one by another process.
  await Promise.all([recordOnlineShares(app.database, at(9), at(10)), recordOnlineShares(app.database, at(8.5), at(10))]);
  await app.owner.query(`update devices set presence = 'offline', presence_since = now() where id = $1`, [weak.id]);
  await recordOnlineShares(app.database, at(8), at(10));
  await recordOnlineShares(app.database, at(5), at(10));
  const day = [
    { at: at(10).getTime() / 1_000, online: 2, devices: 4 },
    { at: at(5).getTime() / 1_000, online: 1, devices: 4 },
  ];
  expect(await shares(user, '24')).toEqual(day);
  expect(await shares(user, '168')).toEqual([{ at: at(60).getTime() / 1_000, online: 2, devices: 4 }]);
  expect(await shares(mainPerson, '24', { org: own.organizationId })).toEqual(day);
  expect((await shares(mainPerson, '24'))[0]).toMatchObject({ online: 2, devices: 5 });
  expect(await shares(unrelated, '24')).toEqual([]);
  await recordOnlineShares(app.database, new Date(Date.parse(NOW) + 8 * 24 * 3_600_000), at(10));
  const { rows } = await app.owner.query('select count(*)::int as rows from online_shares where at < $1', [NOW]);
  expect(rows).toEqual([{ rows: 0 }]);
});
