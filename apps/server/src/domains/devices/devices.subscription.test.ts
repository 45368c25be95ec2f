import { beforeEach, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { addDevice, routersNamed, type DeviceFacts } from '../../testing/home.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const SUBSCRIPTION = '/data_manager/v1/dm/device/subscription';

const app = useTestApp('2026-11-20T12:00:00Z');
let main: MainScope;
let own: OrganizationScope;
let mainPerson: Actor;

beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  mainPerson = app.person(main, 'main');
});

const fresh = routersNamed('SB');
async function device(dates: DeviceFacts = {}) {
  const added = await addDevice(app, own, fresh(), dates);
  await app.takeOutbox();
  return added;
}
const save = (as: Actor, body: object, headers: Record<string, string> = {}) =>
  app.call('PATCH', SUBSCRIPTION, { as, body, headers });
const state = async (id: string) =>
  (await app.call('GET', '/data_manager/v1/dm/device', { as: mainPerson, query: { device: id } })).json.result;

test('SVC-01-partial the main account extends an ended subscription: the state follows, it is logged, and consoles get an event', async () => {
  const { id, serial } = await device({ started: '01/01/2025', expired: '12/31/2025' });
  expect(await state(id)).toMatchObject({ subscription_status: 'Not subscribed', is_expired: true });
  const response = await save(mainPerson, { device: id, started: '01/01/2025', expired: '11/30/2026' });
  expect([response.status, response.headers['etag']]).toEqual([200, '"2"']);
  expect(response.json.result).toMatchObject({
    started: '01/01/2025',
    expired: '11/30/2026',
    subscription_status: 'Expiring',
    is_expired: false,
  });
  expect(await app.takeOutbox()).toMatchObject([
    { topic: 'devices', ids: [id] },
    { topic: 'organizations', ids: [own.organizationId] },
  ]);
  const { rows } = await app.owner.query(
    'select action, detail, actor_role from audit_entries where chain_id = $1 order by seq desc limit 1',
    [own.organizationId],
  );
  expect(rows).toEqual([
    {
      action: `Changed the subscription of device ${serial}`,
      detail: {
        serial,
        before: { started: '01/01/2025', expired: '12/31/2025' },
        after: { started: '01/01/2025', expired: '11/30/2026' },
      },
      actor_role: 'main',
    },
  ]);
});

test('SVC-01-partial saving the current values leaves no entry, no event and no new version', async () => {
  const { id } = await device({ started: '01/01/2026', expired: '12/31/2026' });
  const before = await app.logOf(own.organizationId);
  expect((await save(mainPerson, { device: id, started: '1/1/2026', expired: '2026-12-31' })).headers['etag']).toBe('"1"');
  expect([await app.logOf(own.organizationId), await app.takeOutbox()]).toEqual([before, []]);
});

test.each([
  ['reversed', '02/01/2026', '01/31/2026', 'device.dates_reversed', 'expired'],
  ['the 30th of February', '02/30/2026', '12/31/2026', 'request.invalid', 'started'],
  ['no leap day', '01/01/2026', '02/29/2027', 'request.invalid', 'expired'],
  ['left out', '', '12/31/2026', 'request.invalid', 'started'],
  ['day before month', '31/12/2026', '31/12/2027', 'request.invalid', 'started'],
  ['of another millennium', '01/01/2026', '01/01/9999', 'request.invalid', 'expired'],
])(
  'SVC-01-partial dates that are %s are rejected at their field, and nothing changes',
  async (_, started, expired, key, field) => {
    const { id } = await device();
    const before = await app.logOf(own.organizationId);
    const response = await save(mainPerson, { device: id, started, expired });
    expect([response.status, response.json.error]).toMatchObject([400, { key, field }]);
    expect(await state(id)).toMatchObject({ started: '01/01/2026', expired: '12/31/2099' });
    expect(await app.logOf(own.organizationId)).toEqual(before);
  },
);

test('SVC-01-partial one day is a valid subscription, and of two saves of one version one succeeds and the other gets the current values', async () => {
  const { id } = await device();
  const day = (expired: string) => save(mainPerson, { device: id, started: '11/20/2026', expired }, { 'if-match': '"1"' });
  const responses = await Promise.all([day('11/20/2026'), day('11/21/2026')]);
  expect(sorted(responses.map(({ status }) => status))).toEqual([200, 412]);
  const [won, lost] = [200, 412].map((status) => responses.find((response) => response.status === status)!);
  expect(lost!.json.error).toMatchObject({ key: 'conflict.stale', detail: { expired: won!.json.result.expired } });
});

test('SVC-01-partial neither an admin nor a user extends a subscription, and no other main account does', async () => {
  const { id } = await device();
  const input = { device: id, started: '01/01/2026', expired: '12/31/2029' };
  for (const role of ['admin', 'user'] as const) expect((await save(app.person(own, role), input)).status).toBe(403);
  const foreignUser = app.person((await app.seeding.mainAccount('Abroad')).scope, 'main');
  expect((await save(foreignUser, input)).status).toBe(404);
  for (const wrong of ['nothing', `${id}x`]) expect((await save(mainPerson, { ...input, device: wrong })).status).toBe(404);
  await app.call('DELETE', '/data_manager/v1/dm/devices', { as: mainPerson, body: { devices: [id] } });
  expect((await save(mainPerson, input)).status).toBe(404);
});

test('GRP-07-partial a rollout that waited for a subscription continues when it is extended', async () => {
  const { id } = await device({ started: '01/01/2025', expired: '12/31/2025' });
  const file = await app.seeding.config(own, { name: 'waits.cfg' });
  await app.seeding.binding(own, { kind: 'config', group: 'default+group+id', file, schedule: 'immediate' });
  await app.owner.query("update routers set presence = 'online' where device_id = $1", [id]);
  await app.owner.query("update rollout_targets set due_at = now() + interval '1 hour' where device_id = $1", [id]);
  await save(mainPerson, { device: id, started: '01/01/2025', expired: '12/31/2027' });
  const { rows } = await app.owner.query<{ due_at: Date }>('select due_at from rollout_targets where device_id = $1', [id]);
  expect(rows.map(({ due_at }) => due_at)).toEqual([app.clock.now()]);
});
