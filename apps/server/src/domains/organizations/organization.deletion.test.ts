import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { collide } from '../../testing/collide.ts';
import { createBinding } from '../../testing/bindings.ts';
import { addDevice, routersNamed } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';
import { finishDeletions, purgeOrganizations } from './index.ts';
import { organizationEnds } from '../modules.ts';

const ORG = '/data_manager/v1/dm/org';
const DEVICES = '/data_manager/v1/dm/devices';
const SERVICES = '/dmp_aa/api/v1/services/';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let person: Actor;

beforeAll(async () => {
  await app.owner.query("select ensure_partitions('2026-11-20', '2026-11-23')");
});
beforeEach(async () => {
  app.clock.set('2026-11-20T12:00:00Z');
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  sibling = await app.seeding.organization(main, 'Sibling');
  person = app.person(main, 'main');
});

const fresh = routersNamed('DEL');
async function stock() {
  const router = fresh();
  const [registered] = await app.seeding.routers(main, [router]);
  return { ...router, routerId: registered!.id };
}
const device = (scope = own) => addDevice(app, scope, fresh());

const remove = (scope: OrganizationScope, as = person) =>
  app.call('DELETE', ORG, { as, body: { realm: 'highline', org: scope.organizationId } });
const add = (scope: OrganizationScope, { serial, mac }: { serial: string; mac: string }) =>
  app.call('POST', DEVICES, {
    as: person,
    body: {
      org: scope.organizationId,
      devices: [{ serial_number: serial, mac, started: '01/01/2026', expired: '12/31/2027' }],
    },
  });
const transfer = (target: OrganizationScope, serials: readonly string[]) =>
  app.call('POST', `${ORG}/device`, { as: person, body: { target: target.organizationId, serials } });
const purge = (at: string, ends = organizationEnds) =>
  purgeOrganizations({ database: app.database, organizationEnds: ends }, new Date(at));
const finish = (at: string) => finishDeletions({ database: app.database, deviceLink: { disconnect: () => {} } }, new Date(at));
const routerRow = async (id: string) =>
  (await app.owner.query('select organization_id, device_id from routers where id = $1', [id])).rows[0];
/** The rows of an organization, by table. */
const held = async ({ organizationId }: OrganizationScope): Promise<Record<string, number>> => {
  const tables = [
    'devices',
    'routers',
    'router_ownership',
    'groups',
    'config_files',
    'config_versions',
    'bindings',
    'accounts',
    'mails',
  ];
  tables.push(
    'notification_subscriptions',
    'notification_events',
    'notification_throttles',
    'custom_properties',
    'device_properties',
  );
  const counts = tables.map((table) => `(select count(*)::int from ${table} where organization_id = $1) as ${table}`);
  return (await app.owner.query<Record<string, number>>(`select ${counts.join(', ')}`, [organizationId])).rows[0]!;
};
const living = async ({ organizationId }: OrganizationScope) =>
  (await app.owner.query('select 1 from devices where organization_id = $1 and archived_at is null', [organizationId])).rowCount;

describe('deleting an organization', () => {
  test('ORG-02-partial its devices are taken back, their sockets closed, its bindings ended; others keep theirs', async () => {
    const [first, second, other] = [await device(), await device(), await device(sibling)];
    await createBinding(app.owner, own, { group: 'default+group+id', kind: 'config', label: 'a.cfg' });
    await app.takeOutbox();
    app.disconnected.length = 0;
    const response = await remove(own);
    expect([response.status, response.json.result]).toEqual([200, { deleted: 1, devices: 2 }]);
    const list = await app.call('GET', SERVICES, { as: person, query: { limit: 50 } });
    expect(list.json.result.list).toMatchObject([{ name: 'Sibling', devices: 1 }]);
    expect(sorted(app.disconnected)).toEqual(sorted([first.routerId, second.routerId]));
    expect(await routerRow(first.routerId)).toEqual({ organization_id: null, device_id: null });
    expect(await routerRow(other.routerId)).toEqual({ organization_id: sibling.organizationId, device_id: other.id });
    const { rows } = await app.owner.query(
      'select b.ended_at is null as runs, (select count(*)::int from rollout_targets t where t.binding_id = b.id) as targets from bindings b where b.organization_id = $1',
      [own.organizationId],
    );
    expect(rows).toEqual([{ runs: false, targets: 0 }]);
    const topics = (await app.takeOutbox()).map(({ topic, organization_id }) => [topic, organization_id]);
    for (const topic of ['organizations', 'accounts', 'groups', 'devices'])
      expect(topics).toContainEqual([topic, own.organizationId]);
    expect(topics).toContainEqual(['inventory', null]);
    expect((await add(sibling, first)).status).toBe(200);
  });

  test('ORG-02-partial it is in both logs, and the organization’s own log stays', async () => {
    await device();
    await remove(own);
    // The main account can still read its log, also after the purge, and nothing else of it.
    await purge('2027-06-01');
    const ask = (path: string, as = person) => app.call('GET', path, { as, query: { org: own.organizationId } });
    const kept = await ask('/data_manager/v1/operation_log');
    expect(kept.json.result.map(({ subject }: { subject: string }) => subject)[0]).toBe('Deleted organization Own');
    for (const kind of ['export', 'evidence']) {
      const file = await ask(`/data_manager/v1/operation_log/${kind}`);
      expect([file.status, file.text.includes('Deleted organization Own')]).toEqual([200, true]);
    }
    const foreignUser = app.person((await app.seeding.mainAccount('Abroad')).scope, 'main');
    expect((await ask('/data_manager/v1/operation_log', foreignUser)).status).toBe(404);
    expect((await ask('/data_manager/v1/dm/devices')).status).toBe(404);
    const { rows } = await app.owner.query(
      'select action, detail from audit_entries where chain_id = $1 order by seq desc limit 1',
      [main.mainAccountId],
    );
    expect(rows).toEqual([{ action: 'Deleted organization Own', detail: { name: 'Own', devices: 1 } }]);
  });

  test('ORG-02-partial one that is deleted, malformed, left out or another main account’s deletes nothing', async () => {
    await device();
    const foreignUser = await app.seeding.organization((await app.seeding.mainAccount('Abroad')).scope, 'Abroad');
    expect((await remove(foreignUser)).status).toBe(404);
    for (const org of ['x', "' or true --", '*'])
      expect((await app.call('DELETE', ORG, { as: person, body: { org } })).status).toBe(404);
    for (const body of [{}, { org: '' }]) {
      const response = await app.call('DELETE', ORG, { as: person, body });
      expect([response.status, response.json.error.message]).toEqual([400, 'Please select an org']);
    }
    for (const role of ['admin', 'user'] as const) expect((await remove(own, app.person(own, role))).status).toBe(403);
    expect([await living(own), (await app.logOf(foreignUser.organizationId)).length]).toEqual([1, 1]);
    expect((await remove(own)).status).toBe(200);
    expect((await remove(own)).status).toBe(404);
  });

  test('ORG-02-partial of two concurrent deletions one succeeds, and the log has it once', async () => {
    await device();
    const responses = await Promise.all([remove(own), remove(own)]);
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 404]);
    expect((await app.logOf(own.organizationId)).filter((action) => action.startsWith('Deleted'))).toHaveLength(1);
  });

  test('ORG-02-partial a concurrent add or transfer leaves no device in it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [target, moved, fresh] = [await app.seeding.organization(main, 'Closing'), await device(), await stock()];
      const [gone, ...others] = await Promise.all([remove(target), transfer(target, [moved.serial]), add(target, fresh)]);
      expect(gone.status).toBe(200);
      for (const { status } of others) expect([200, 404]).toContain(status);
      expect(await living(target)).toBe(0);
      for (const { routerId } of [moved, fresh])
        expect((await routerRow(routerId)).organization_id).not.toBe(target.organizationId);
    }
  });

  test('ORG-02-partial a deletion waits for devices that are just being added, and takes them back', async () => {
    const [target, fresh] = [await app.seeding.organization(main, 'Closing'), await stock()];
    const [added, gone] = await collide(
      app,
      `select 1 from routers where id = '${fresh.routerId}' for update`,
      () => add(target, fresh),
      () => remove(target),
    );
    expect([added.status, gone.json.result.devices]).toEqual([200, 1]);
    expect([await living(target), await routerRow(fresh.routerId)]).toEqual([0, { organization_id: null, device_id: null }]);
  });

  test('OGL-04-partial devices of an organization that is deleted concurrently are either transferred or taken back, never both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [origin, target] = [await app.seeding.organization(main, 'Origin'), await app.seeding.organization(main, 'Target')];
      const moved = await device(origin);
      const [gone, taken] = await Promise.all([remove(origin), transfer(target, [moved.serial])]);
      expect([gone.status, [200, 404]]).toEqual([200, expect.arrayContaining([taken.status])]);
      expect([await living(origin), await living(target)]).toEqual([0, taken.status === 200 ? 1 : 0]);
      const holder = taken.status === 200 ? target.organizationId : null;
      expect((await routerRow(moved.routerId)).organization_id).toBe(holder);
      const open = await app.owner.query('select 1 from router_ownership where router_id = $1 and owned_until is null', [
        moved.routerId,
      ]);
      expect(open.rowCount).toBe(holder === null ? 0 : 1);
    }
  });
});

describe('the rest of a deleted organization', () => {
  test('ORG-02-partial is purged after 30 days and not before; its log, its name and all data of others stay', async () => {
    await purge('2030-01-01');
    const [first, kept] = [await device(), await device(sibling)];
    await app.seeding.group(own, 'Group');
    await app.seeding.account(own, `purged-${own.organizationId}@highline.invalid`, 'admin');
    await createBinding(app.owner, own, { group: 'default+group+id', kind: 'config', label: 'a.cfg' });
    await createBinding(app.owner, own, { group: 'default+group+id', kind: 'firmware', label: '9.9.9' });
    await createBinding(app.owner, sibling, { group: 'default+group+id', kind: 'config', label: 'a.cfg' });
    for (const [{ organizationId }, { id }] of [[own, first] as const, [sibling, kept] as const]) {
      const properties = "insert into custom_properties values ($1, 'colour', 'Colour', 'string', '', now())";
      await app.owner.query(properties, [organizationId]);
      const values =
        "insert into device_properties (organization_id, device_id, property_key, value, updated_at) values ($1, $2, 'colour', '1', now())";
      await app.owner.query(values, [organizationId, id]);
    }
    for (const { organizationId } of [own, sibling])
      await app.owner.query(
        `with s as (insert into notification_subscriptions (organization_id, mail, events) values ($1, 'a@x.test', '{BATTERY_LOW}')),
          e as (insert into notification_events (organization_id, id, event, key, happened_at, notified_at)
            values ($1, gen_random_uuid(), 'BATTERY_LOW', 'sent', now(), now()), ($1, gen_random_uuid(), 'BATTERY_LOW', 'pending', now(), null)),
          p as (insert into notification_throttles values ($1, 'BATTERY_LOW', now(), 60))
        insert into mails (id, organization_id, recipient, subject, plain, html, next_attempt_at)
          values (gen_random_uuid(), $1, 'a@x.test', 's', 'p', 'h', now())`,
        [organizationId],
      );
    const [before, log] = [await held(sibling), await app.logOf(own.organizationId)];
    await remove(own);
    const left = {
      devices: 1,
      groups: 2,
      config_files: 1,
      bindings: 2,
      accounts: 1,
      notification_subscriptions: 1,
      custom_properties: 1,
    };
    // Its notifications have ended, and its routers are free.
    expect(await held(own)).toMatchObject({ ...left, notification_events: 1, mails: 0, routers: 0 });
    expect(await purge('2026-12-20T11:59:59Z')).toBe(0);
    expect(await held(own)).toMatchObject(left);
    expect(await purge('2026-12-20T12:00:00Z')).toBe(1);
    expect(new Set(Object.values(await held(own)))).toEqual(new Set([0]));
    expect(await held(sibling)).toEqual(before);
    expect(await app.logOf(own.organizationId)).toEqual([...log, 'Deleted organization Own']);
    const { rows } = await app.owner.query('select name, phone, purged_at from organizations where id = $1', [
      own.organizationId,
    ]);
    expect(rows).toEqual([{ name: 'Own', phone: '', purged_at: new Date('2026-12-20T12:00:00Z') }]);
    expect(await purge('2027-01-01')).toBe(0);
    const email = `purged-${own.organizationId}@highline.invalid`;
    expect((await app.call('POST', SERVICES, { as: person, body: { name: 'Next', contact: { email } } })).status).toBe(200);
    expect([(await add(sibling, first)).status, await living(sibling)]).toEqual([200, 2]);
    expect(kept.id).not.toBe(first.id);
  });

  test('OGL-04-partial a transferred device keeps its history when its former organization is purged', async () => {
    const moved = await device();
    await app.owner.query("insert into connectivity values ($1, '2026-11-21T10:00:00Z', 'online', 'before')", [moved.routerId]);
    app.clock.set('2026-11-22T12:00:00Z');
    await transfer(sibling, [moved.serial]);
    await remove(own);
    await purge('2026-12-30T12:00:00Z');
    app.clock.set('2026-12-30T12:00:00Z');
    const timeline = await app.call('GET', '/data_manager/v1/dm/device/timeline', {
      as: app.person(sibling, 'admin'),
      query: { device: moved.id, kind: 'connection' },
    });
    expect(timeline.json.result).toMatchObject([{ reason: 'before' }]);
  });

  test('ORG-02-partial a deletion that a crash interrupted is continued by the job', async () => {
    const left = await device();
    await app.owner.query('update organizations set deleted_at = $2 where id = $1', [own.organizationId, app.clock.now()]);
    await finish('2026-11-20T12:30:00Z');
    expect([await living(own), await routerRow(left.routerId)]).toEqual([0, { organization_id: null, device_id: null }]);
  });

  /** Until the returned function is called, no device of an organization can be archived. */
  const keepDevices = async ({ organizationId }: OrganizationScope) => {
    await app.owner.query(`create function keep_devices() returns trigger language plpgsql as
      $$ begin if old.organization_id = '${organizationId}' then raise exception 'kept'; end if; return new; end $$`);
    await app.owner.query('create trigger keep before update on devices for each row execute function keep_devices()');
    return () => app.owner.query('drop function keep_devices() cascade');
  };

  test('ORG-02-partial an organization whose devices cannot be taken back now is deleted all the same, and the job takes them back', async () => {
    const left = await device();
    const release = await keepDevices(own);
    const response = await remove(own);
    expect([response.status, response.json.result]).toEqual([200, { deleted: 1, devices: 0 }]);
    const other = await device(sibling);
    await app.owner.query('update organizations set deleted_at = now() where id = $1', [sibling.organizationId]);
    await expect(finish('2026-11-20T12:01:00Z')).rejects.toThrow(`Organization ${own.organizationId} failed.`);
    expect(await routerRow(other.routerId)).toEqual({ organization_id: null, device_id: null });
    await release();
    await finish('2026-11-20T12:02:00Z');
    expect([await living(own), await routerRow(left.routerId)]).toEqual([0, { organization_id: null, device_id: null }]);
  });

  test('ORG-02-partial one that cannot be purged keeps no other from it, and what was deleted of it in steps stays deleted', async () => {
    await app.owner.query(
      "insert into usage_days select $1, '2026-11-01'::date + n % 20, 'sim-' || n, gen_random_uuid(), 1, 1 from generate_series(1, 10001) n",
      [own.organizationId],
    );
    const days = async () =>
      (await app.owner.query('select 1 from usage_days where organization_id = $1', [own.organizationId])).rowCount;
    await remove(own);
    app.clock.set('2026-11-20T12:00:01Z');
    await remove(sibling);
    const failing = {
      purge: async (_tx: unknown, { organizationId }: OrganizationScope) => {
        if (organizationId === own.organizationId) throw new Error('not now');
      },
    };
    const later = '2026-12-30T12:00:00Z';
    await expect(purge(later, [...organizationEnds, failing])).rejects.toThrow(`Organization ${own.organizationId} failed.`);
    expect([(await held(sibling)).groups, (await held(own)).groups, await days()]).toEqual([0, 1, 0]);
    expect([await purge(later), (await held(own)).groups]).toEqual([1, 0]);
  });
});
