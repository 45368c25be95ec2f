import { beforeEach, expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { sorted, useTestApp } from '../../testing/test-app.ts';

const SERVICES = '/dmp_aa/api/v1/services/';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let person: Actor;

beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  own = await app.seeding.organization(main, 'Own');
  person = app.person(main, 'main');
  app.clock.set('2026-11-20T12:00:00Z');
  await app.takeOutbox();
});

const save = (body: Record<string, unknown>, headers: Record<string, string> = {}, id = own.organizationId, as = person) =>
  app.call('PUT', `${SERVICES}${id}`, { as, body, headers });
const read = (id = own.organizationId) => app.call('GET', SERVICES, { as: person, query: { limit: 1, id } });
const current = async () => (await read()).json.result.list[0];

test('ORG-04-partial name, phone, address and tags are saved with the version seen, announced to all and logged', async () => {
  const { etag } = (await read()).headers;
  app.clock.set('2026-11-21T12:00:00Z');
  const changes = { name: 'Renamed', phone: '+886 2 5550 0142', address: '台北市信義區', tags: ['北區'] };
  const saved = await save({ realm: 'highline', ...changes }, { 'if-match': String(etag) });
  expect(saved.status).toBe(200);
  expect(saved.json.result).toMatchObject({ ...changes, id: own.organizationId, updated: '2026-11-21T12:00:00.000Z' });
  expect(saved.headers['etag']).toBe('"2"');
  expect(await current()).toEqual(saved.json.result);
  expect((await app.takeOutbox()).map(({ topic, organization_id, ids }) => [topic, organization_id, ids])).toEqual([
    ['organizations', own.organizationId, [own.organizationId]],
    ['devices', own.organizationId, []],
  ]);
  const { rows } = await app.owner.query(
    'select action, detail from audit_entries where chain_id = $1 order by seq desc limit 1',
    [own.organizationId],
  );
  expect(rows).toEqual([
    {
      action: 'Changed name, phone, address, tags of organization Own',
      detail: { before: { name: 'Own', phone: '', address: '', tags: [] }, after: changes },
    },
  ]);
});

test('ORG-04-partial omitted fields stay, and a save that changes nothing is not logged', async () => {
  await save({ phone: '1', address: 'A' });
  await save({ phone: '2' });
  expect(await current()).toMatchObject({ name: 'Own', phone: '2', address: 'A' });
  await app.takeOutbox();
  const logged = await app.logOf(own.organizationId);
  expect((await save({ name: 'Own', phone: '2', tags: [] })).headers['etag']).toBe('"3"');
  expect([await app.takeOutbox(), await app.logOf(own.organizationId)]).toEqual([[], logged]);
});

test('ORG-04-partial a stale save is 412 with the current values; of two concurrent ones one is stale; a client that sends no tag is accepted', async () => {
  const responses = await Promise.all(['a', 'b', 'c'].map((phone) => save({ phone }, { 'if-match': '"1"' })));
  expect(sorted(responses.map(({ status }) => status))).toEqual([200, 412, 412]);
  const { phone } = await current();
  const stale = await save({ phone: 'late' }, { 'if-match': 'W/"1"' });
  expect([stale.status, stale.json.error.key, stale.json.error.detail.phone]).toEqual([412, 'conflict.stale', phone]);
  expect((await save({ phone: 'forced' })).status).toBe(200);
});

test('ORG-04-partial the contact’s address is not a field of it', async () => {
  await save({ phone: '1', contacter: 'evil@x.test', contacts: [{ email: 'evil@x.test' }] });
  expect(await current()).toMatchObject({ contacter: '', contacts: [], phone: '1' });
});

test.each([
  ['no name', { name: ' ' }],
  ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }],
  ['a control character', { address: 'a\u0007' }],
  ['too many tags', { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }],
])('ORG-04-partial %s is rejected', async (_, body) => {
  expect((await save(body)).status).toBe(400);
  expect(await current()).toMatchObject({ name: 'Own' });
});

test('ORG-04-partial another main account’s, a deleted or a malformed organization is not found; members may not save', async () => {
  const foreignUser = await app.seeding.organization((await app.seeding.mainAccount('Abroad')).scope, 'Abroad');
  const gone = await app.seeding.organization(main, 'Gone');
  await app.call('DELETE', '/data_manager/v1/dm/org', { as: person, body: { org: gone.organizationId } });
  for (const id of [foreignUser.organizationId, gone.organizationId, 'x', "1' or '1'='1"])
    expect((await save({ name: 'Mine now' }, {}, encodeURIComponent(id))).status, id).toBe(404);
  for (const role of ['admin', 'user'] as const)
    expect((await save({ name: 'Mine' }, {}, own.organizationId, app.person(own, role))).status).toBe(403);
  const { rows } = await app.owner.query('select name from organizations where id = $1', [foreignUser.organizationId]);
  expect(rows).toEqual([{ name: 'Abroad' }]);
  await app.takeOutbox();
  expect((await save({ phone: '2' }, {}, own.organizationId.toUpperCase())).status).toBe(200);
  // One spelling of its id from here on: logs hash it, and consoles compare it.
  expect((await app.takeOutbox())[0]).toMatchObject({ organization_id: own.organizationId, ids: [own.organizationId] });
});

test('NOD-05-partial the main account sets for how many days readings and history are kept, within the installation’s; that is logged', async () => {
  expect(await current()).toMatchObject({ retentionDays: null, maxRetentionDays: 30 });
  expect((await save({ retentionDays: 7 })).json.result).toMatchObject({ retentionDays: 7, maxRetentionDays: 30 });
  expect((await app.logOf(own.organizationId)).at(-1)).toBe('Changed retention of organization Own');
  const beyond = await save({ retentionDays: 31 });
  expect([beyond.status, beyond.json.error.detail ?? beyond.json.error.message]).toEqual([400, expect.stringContaining('30')]);
  for (const retentionDays of [0, 1.5, '7', 3_651])
    expect((await save({ retentionDays })).status, String(retentionDays)).toBe(400);
  expect((await save({ name: 'Own' })).json.result.retentionDays).toBe(7);
  expect((await save({ retentionDays: null })).json.result.retentionDays).toBeNull();
});
