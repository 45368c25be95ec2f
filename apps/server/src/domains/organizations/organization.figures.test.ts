import { beforeAll, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, openHome, routersNamed, type TestDevice } from '../../testing/home.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { organizationFiguresJob } from './organization.figures.ts';

const NOW = '2026-11-20T12:00:00Z';
const subscribed = { started: '01/01/2026', expired: '12/31/2027' };

const app = useTestApp(NOW);
const fresh = routersNamed('FIG');
let main: MainScope;
let own: OrganizationScope;
let sibling: OrganizationScope;
let admin: Actor;
let mainPerson: Actor;
let unrelated: Actor;
let devices: TestDevice[];
let group: string;

beforeAll(async () => {
  ({ main, own, sibling, admin, mainPerson } = await openHome(app));
  unrelated = (await openHome(app)).mainPerson;
  const add = (columns: object, dates: object = subscribed) =>
    addDevice(app, own, fresh(), { ...dates, columns: { ...columns } });
  devices = [
    await add({ presence: 'online' }),
    await add({ presence: 'online' }, { started: '01/01/2026', expired: '11/30/2026' }),
    await add({ presence: 'offline', presence_since: new Date(NOW) }),
  ];
  group = await app.seeding.group(own, 'Troubled');
  const inGroup = fresh();
  await app.seeding.routers(main, [inGroup]);
  await app.seeding.devices(own, [{ ...inGroup, group, ...subscribed }]);
  const file = await app.seeding.config(own, { name: 'depot.cfg' });
  await app.seeding.binding(own, { kind: 'config', group, file, schedule: 'immediate' });
  const stocked = [fresh(), fresh()];
  await app.seeding.routers(main, stocked);
});

const list = async (as: Actor, query: Record<string, string> = {}) =>
  (await app.call('GET', '/dmp_aa/api/v1/services/', { as, query: { limit: '10', ...query } })).json;
const names = async (query: Record<string, string>) =>
  (await list(mainPerson, query)).result.list.map(({ name }: { name: string }) => name);
const fleet = (as: Actor) => app.call('GET', '/data_manager/v1/dm/fleet', { as });
const figures = async (organization: OrganizationScope) => {
  const { rows } = await app.owner.query(
    `select devices, online, connected_share, expiring, failed_rollouts, paused_rollouts from organization_figures where organization_id = $1`,
    [organization.organizationId],
  );
  return rows[0];
};
/** What an engine does when a router fails: the change, and its event. */
const fail = async (organization: OrganizationScope) => {
  await app.owner.query(`update rollout_targets set state = 'failed' where organization_id = $1`, [organization.organizationId]);
  await app.owner.query(`insert into outbox (main_account_id, organization_id, topic) values ($1, $2, 'rollouts')`, [
    organization.mainAccountId,
    organization.organizationId,
  ]);
};
const announced = async () => {
  const { rows } = await app.owner.query<{ ids: string[] }>(
    `select ids from outbox where main_account_id = $1 and organization_id is null and topic = 'organizations' order by xid, position`,
    [main.mainAccountId],
  );
  return rows.map(({ ids }) => ids);
};

test('ATT-03-partial figures of an organization are counted at the start, follow its changes, and reach the consoles of its main account', async () => {
  const jobs = [organizationFiguresJob(app.database, 30), organizationFiguresJob(app.database, 30)];
  const run = (now = new Date(NOW)) => Promise.all(jobs.map((job) => job.run(now)));
  expect(await figures(own)).toMatchObject({ devices: 0, connected_share: null });
  await run();
  const counted = { devices: 4, online: 2, connected_share: 666, expiring: 1, failed_rollouts: 0, paused_rollouts: 0 };
  expect(await figures(own)).toEqual(counted);
  // Two processes at once publish a change once.
  expect(await announced()).toEqual([[own.organizationId]]);

  await run();
  expect(await announced()).toHaveLength(1);
  await fail(own);
  await app.owner.query(`update bindings set state = 'paused' where group_key = $1`, [group]);
  await app.owner.query(`update devices set presence = 'offline', presence_since = $2 where id = $1`, [devices[0]!.id, NOW]);
  await run();
  expect(await figures(own)).toEqual({ ...counted, online: 1, connected_share: 333, failed_rollouts: 1, paused_rollouts: 1 });
  expect(await announced()).toHaveLength(2);

  // A change without an event is found within ten minutes; a subscription ends at midnight UTC without any change.
  await app.owner.query(`update devices set presence = 'online' where id = $1`, [devices[0]!.id]);
  await run(new Date(Date.parse(NOW) + 599_000));
  expect(await figures(own)).toMatchObject({ online: 1 });
  await run(new Date(Date.parse(NOW) + 601_000));
  expect(await figures(own)).toMatchObject({ online: 2, expiring: 1 });
  await run(new Date('2026-12-01T00:00:01Z'));
  expect(await figures(own)).toMatchObject({ expiring: 0 });
  await run();
});

test('ATT-03-partial the main account sorts its organizations by each figure, filters them by rollouts, and pages by key', async () => {
  const job = organizationFiguresJob(app.database, 30);
  await addDevice(app, sibling, fresh(), { ...subscribed, columns: { presence: 'online' } });
  await job.run(new Date(NOW));
  const [row] = (await list(mainPerson, { search: 'Own' })).result.list;
  expect(row).toMatchObject({ devices: 4, online: 2, expire: 1, failedRollouts: 1, pausedRollouts: 1 });
  const empty = await app.seeding.organization(main, 'Empty');
  expect(await names({ sort: 'online' })).toEqual(['Own', 'Sibling', 'Empty']);
  // Without devices there is no share: last in both directions.
  expect(await names({ sort: '-online' })).toEqual(['Sibling', 'Own', 'Empty']);
  expect((await names({ sort: '-failedRollouts' }))[0]).toBe('Own');
  expect((await names({ sort: '-expiring' }))[0]).toBe('Own');
  expect(await names({ sort: '-devices' })).toEqual(['Own', 'Sibling', 'Empty']);
  expect(await names({ rollout: 'failed' })).toEqual(['Own']);
  expect(await names({ rollout: 'paused', search: 'Sib' })).toEqual([]);
  for (const sort of ['online', '-online', 'contact', '-contact', 'devices', '-expiring', 'name']) {
    const whole = await names({ sort });
    const paged: string[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null;) {
      const page = await list(mainPerson, { sort, limit: '1', ...(cursor === '' ? {} : { cursor: cursor! }) });
      paged.push(...page.result.list.map(({ name }: { name: string }) => name));
      cursor = page.next;
    }
    expect(paged, sort).toEqual(whole);
  }
  expect((await fleet(mainPerson)).json.result).toEqual({
    organizations: 3,
    devices: 5,
    online: 3,
    rollouts: { failed: 1, paused: 1 },
    stock: 2,
  });
  await app.owner.query('update organizations set deleted_at = now() where id = $1', [empty.organizationId]);
  expect((await fleet(mainPerson)).json.result.organizations).toBe(2);
});

test('ATT-03-partial figures are those of the own main account, and of no organization', async () => {
  await organizationFiguresJob(app.database, 30).run(new Date(NOW));
  expect((await fleet(unrelated)).json.result).toMatchObject({ organizations: 2, devices: 0, stock: 0 });
  expect((await fleet(admin)).status).toBe(403);
  expect((await list(unrelated, { rollout: 'failed' })).total).toBe(0);
  expect((await list(unrelated, { sort: '-devices' })).total).toBe(2);
  expect((await list(admin, { sort: '-online' })).result.list).toHaveLength(1);
  expect((await app.call('GET', '/dmp_aa/api/v1/services/', { as: mainPerson, query: { rollout: 'x' } })).status).toBe(400);
});
