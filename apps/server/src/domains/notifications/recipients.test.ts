import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { collide } from '../../testing/collide.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';

const PATH = '/data_manager/v1/notify/user';
const UNDELIVERED = '/data_manager/v1/notify/undelivered';

const app = useTestApp();
let main: MainScope;
let scope: OrganizationScope;
let admin: Actor;
let north: string;
let south: string;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Main')).scope;
});
beforeEach(async () => {
  scope = await app.seeding.organization(main, 'Buses');
  north = await app.seeding.group(scope, 'North');
  south = await app.seeding.group(scope, 'South');
  admin = app.person(scope, 'admin');
  await app.takeOutbox();
});

const save = (body: object, as = admin) => app.call('POST', PATH, { as, body });
const list = async (query: Record<string, string | number> = {}) =>
  (await app.call('GET', PATH, { as: admin, query })).json.result;

test('SEC-F11 new recipients count among the people that one account enters in a day; those that are there can still be changed', async () => {
  await app.owner.query('insert into rate_windows (key, hits, ends_at) values ($1, 299, $2)', [
    `people-created:${admin.accountId}`,
    new Date(app.clock.now().getTime() + 3_600_000),
  ]);
  const recipient = (mail: string, events: readonly string[]) => save({ mail, events, gids: ['all'] });
  expect((await recipient('last@limit.invalid', ['DEVICE_ADDED'])).status).toBe(200);
  const rejected = await recipient('beyond@limit.invalid', ['DEVICE_ADDED']);
  expect([rejected.status, rejected.json.error.key]).toEqual([429, 'account.too_many_tries']);
  expect((await list()).map(({ mail }: { mail: string }) => mail)).toEqual(['last@limit.invalid']);
  expect((await recipient('last@limit.invalid', ['DEVICE_DELETED'])).status).toBe(200);
});

describe('recipients of notifications', () => {
  test('NTF-01 every event name of the spec is accepted, the garbled one as today, unknown ones are rejected', async () => {
    const names = [
      'WEEK_NOTIFY_SUBSCRIPTION',
      'MONTH_NOTIFY_SUBSCRIPTION',
      'FIRMWARE_UPLOADED',
      'FOTA_GROUP_SETUP',
      'DEVICE_DELETED',
      'DEVICE_ADDED',
      'CONFIG_UPLOADED',
      'BATTERY_LOW',
      'BATTERY_LOW_CLEAR',
      'THERMAL_5G_PROTECT',
      'THERMAL_5G_PROTECT_CLEAR',
      'DEVICE_ADMIN_CHANGE_PASSWORD',
      'DEVICE_FACTORY_RESET',
    ];
    const garbled = await save({ mail: 'all@fleet.example', events: ['{hash}', ...names] });
    expect([garbled.status, garbled.json.result.types]).toEqual([200, ['TODAY_NOTIFY_SUBSCRIPTION', ...names]]);
    const both = await save({ mail: 'both@fleet.example', events: ['TODAY_NOTIFY_SUBSCRIPTION', '{hash}'] });
    expect(both.json.result.types).toEqual(['TODAY_NOTIFY_SUBSCRIPTION']);
    const unknown = await save({ mail: 'all@fleet.example', events: ['BATTERY_LOW', 'COFFEE_READY'] });
    expect([unknown.status, unknown.json.error.key]).toEqual([400, 'request.invalid']);
    expect((await list({ mail: 'ALL@fleet.example ' }))[0].types).toHaveLength(14);
    await save({ mail: 'info@bücher.example', events: ['BATTERY_LOW'] });
    expect(await list({ mail: 'Info@bu\u0308cher.example' })).toMatchObject([{ mail: 'info@xn--bcher-kva.example' }]);
  });

  test('a save based on an outdated version is 412 with the current values; one without a version is accepted', async () => {
    const mail = 'stale@fleet.example';
    const based = (version: string, events: string[]) =>
      app.call('POST', PATH, { as: admin, body: { mail, events }, headers: { 'if-match': `"${version}"` } });
    const first = await based('none', ['BATTERY_LOW']);
    expect(first.status).toBe(200);
    expect((await based('none', ['DEVICE_ADDED'])).status).toBe(412);
    expect((await save({ mail, events: ['DEVICE_ADDED'] })).status).toBe(200);
    const stale = await based(first.json.result.version, ['DEVICE_DELETED']);
    expect([stale.status, stale.json.error.key, stale.json.error.detail.types]).toEqual([
      412,
      'conflict.stale',
      ['DEVICE_ADDED'],
    ]);
    const listed = (await list({ mail }))[0];
    expect(listed).toMatchObject({ types: ['DEVICE_ADDED'], version: stale.json.error.detail.version });
    expect((await based(listed.version, ['DEVICE_DELETED'])).json.result.types).toEqual(['DEVICE_DELETED']);
  });

  test('of two concurrent first entries of one address one succeeds, and the other gets the current values, whatever either saw before', async () => {
    const mail = 'both@fleet.example';
    // An organization without a log has no row that both wait for.
    await save({ mail: 'before@fleet.example', events: ['BATTERY_LOW'] });
    const [first, second] = await collide(
      app,
      `select from audit_heads where chain_id = '${scope.organizationId}' for update`,
      () => save({ mail, events: ['DEVICE_ADDED'] }),
      () => save({ mail, events: ['DEVICE_DELETED'] }),
    );
    expect([first.status, second.status]).toEqual([200, 412]);
    expect(second.json.error).toMatchObject({ key: 'conflict.stale', detail: { mail, types: ['DEVICE_ADDED'] } });
    expect((await list({ mail }))[0].types).toEqual(['DEVICE_ADDED']);
  });

  test('SVC-02-partial USR-05-partial an entry has groups, is changed and ended, and each change is logged and announced to the consoles', async () => {
    const saved = await save({ mail: ' Depot@Fleet.Example', events: ['BATTERY_LOW'], gids: [south, north, south] });
    expect(saved.json.result).toEqual({
      mail: 'depot@fleet.example',
      recipient: '',
      types: ['BATTERY_LOW'],
      gids: [north, south].sort(),
      role: null,
      version: expect.stringMatching(/^[0-9a-f]{16}$/u) as string,
    });
    expect((await app.takeOutbox()).map(({ topic }) => topic)).toContain('notifications');
    const again = await save({ mail: 'depot@fleet.example', events: ['BATTERY_LOW'], gids: [north, south] });
    expect([again.status, await app.takeOutbox()]).toEqual([200, []]);
    const all = await save({ mail: 'depot@fleet.example', events: ['BATTERY_LOW'], gids: ['all'] });
    expect(all.json.result.gids).toEqual(['all']);
    expect((await save({ mail: 'depot@fleet.example', events: ['BATTERY_LOW'] })).json.result.gids).toEqual(['all']);
    expect((await save({ mail: 'depot@fleet.example', events: [] })).json.result.types).toEqual([]);
    expect(await list()).toEqual([]);
    await save({ mail: 'a@fleet.example', events: ['BATTERY_LOW'] });
    await save({ mail: 'b@fleet.example', events: ['BATTERY_LOW'] });
    const body = { mails: ['a@fleet.example', 'b@fleet.example', 'never@fleet.example'] };
    expect((await app.call('DELETE', PATH, { as: admin, body })).json.result).toEqual({ deleted: 2 });
    expect((await app.logOf(scope.organizationId)).slice(-6)).toEqual([
      'Changed the notifications of depot@fleet.example',
      'Changed the notifications of depot@fleet.example',
      'Ended the notifications of depot@fleet.example',
      'Changed the notifications of a@fleet.example',
      'Changed the notifications of b@fleet.example',
      'Ended 2 notifications',
    ]);
  });

  test('SVC-02-partial an address has the name of its recipient, which stays until another one is entered', async () => {
    const mail = 'kim@fleet.example';
    const named = await save({ mail, recipient: ' Kim Lee ', events: ['BATTERY_LOW'] });
    expect(named.json.result.recipient).toBe('Kim Lee');
    const later = await save({ mail, events: ['BATTERY_LOW', 'DEVICE_ADDED'] });
    expect(later.json.result.recipient).toBe('Kim Lee');
    const other = await save({ mail, recipient: '李', events: ['BATTERY_LOW', 'DEVICE_ADDED'] });
    expect(other.json.result.recipient).toBe('李');
    expect(other.json.result.version).not.toBe(later.json.result.version);
    expect((await list({ mail }))[0].recipient).toBe('李');
    for (const recipient of ['x'.repeat(101), 'a\u0007b', 7])
      expect((await save({ mail, recipient, events: ['BATTERY_LOW'] })).status).toBe(400);
  });

  test('a deleted group leaves every entry, and an entry with only that group does not get all', async () => {
    await save({ mail: 'both@fleet.example', events: ['BATTERY_LOW'], gids: [north, south] });
    await save({ mail: 'north@fleet.example', events: ['BATTERY_LOW'], gids: [north] });
    await save({ mail: 'all@fleet.example', events: ['BATTERY_LOW'] });
    const gone = await app.call('DELETE', '/data_manager/v1/dm/group', { as: admin, body: { groups: [north] } });
    expect(gone.status).toBe(200);
    expect((await list()).map(({ mail, gids }: { mail: string; gids: string[] }) => [mail, gids])).toEqual([
      ['all@fleet.example', ['all']],
      ['both@fleet.example', [south]],
      ['north@fleet.example', []],
    ]);
  });

  test('another organization, its groups, lists of addresses and invalid zones are rejected, and a user may only read', async () => {
    const other = await app.seeding.organization(main, 'Trams');
    const foreign = await app.seeding.group(other, 'Foreign');
    for (const gids of [[foreign], [north, newId()], ['no such group']]) {
      const response = await save({ mail: 'x@fleet.example', events: ['BATTERY_LOW'], gids });
      expect([response.status, response.json.error.key]).toEqual([404, 'group.not_found']);
    }
    for (const mail of ['a@x.example,b@x.example', 'a@x.example\r\nBcc: b@x.example', `${'a'.repeat(320)}@x.example`, 'none'])
      expect((await save({ mail, events: ['BATTERY_LOW'] })).status).toBe(400);
    expect((await save({ mail: 'x@fleet.example', events: ['BATTERY_LOW'], zone: 'Moon/Base' })).status).toBe(400);
    expect((await save({ mail: 'x@fleet.example', events: ['BATTERY_LOW'], org: other.organizationId })).status).toBe(404);
    expect(await list()).toEqual([]);
    const plus = await save({ mail: 'x@fleet.example', events: ['BATTERY_LOW'], gids: [DEFAULT_GROUP_KEY.replaceAll('+', ' ')] });
    expect(plus.json.result.gids).toEqual([DEFAULT_GROUP_KEY]);
    const user = app.person(scope, 'user');
    expect((await save({ mail: 'y@fleet.example', events: ['BATTERY_LOW'] }, user)).status).toBe(403);
    expect((await app.call('GET', PATH, { as: user })).json.result).toHaveLength(1);
  });

  test('the list names the role of the account behind an address, pages, sorts and searches', async () => {
    await app.seeding.account(scope, `boss-${scope.organizationId}@fleet.example`, 'admin');
    await app.seeding.account(scope, `crew-${scope.organizationId}@fleet.example`, 'user');
    const other = await app.seeding.organization(main, 'Trams');
    await app.seeding.account(other, `strange-${scope.organizationId}@fleet.example`, 'admin');
    for (const name of ['boss', 'crew', 'strange'])
      await save({ mail: `${name}-${scope.organizationId}@fleet.example`, events: ['BATTERY_LOW'] });
    const rolesOf = (rows: { role: string | null }[]) => rows.map(({ role }) => role);
    expect(rolesOf(await list())).toEqual(['admin', 'user', null]);
    expect(rolesOf(await list({ limit: 2, offset: 1, sort: '-mail' }))).toEqual(['user', 'admin']);
    expect(rolesOf(await list({ limit: 5, search: 'crew-' }))).toEqual(['user']);
  });
});

describe('mails that could not be delivered', () => {
  let made = Date.now();
  const insert = async (organizationId: string, recipient: string, state: { sent?: boolean; waits?: boolean } = {}) => {
    // Ids of one millisecond have no order.
    const id = newId((made += 1));
    await app.owner.query(
      `insert into mails (id, organization_id, recipient, subject, plain, html, attempts, last_error, next_attempt_at, sent_at)
       values ($1, $2, $3, 'Battery', '', '', 3, '550 no such user', $4, $5)`,
      [id, organizationId, recipient, state.waits ? new Date() : null, state.sent ? new Date() : null],
    );
    return id;
  };
  const undelivered = async (query: Record<string, string | number> = {}) =>
    (await app.call('GET', UNDELIVERED, { as: admin, query })).json;

  test('are listed newest first by key, for their organization only, and sent again under their id', async () => {
    const other = await app.seeding.organization(main, 'Trams');
    const foreign = await insert(other.organizationId, 'f@fleet.example');
    await insert(scope.organizationId, 'sent@fleet.example', { sent: true });
    await insert(scope.organizationId, 'waits@fleet.example', { waits: true });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push(await insert(scope.organizationId, `${name}@fleet.example`));
    const first = await undelivered({ limit: 2 });
    expect([first.total, first.result.map(({ mail }: { mail: string }) => mail)]).toEqual([
      3,
      ['c@fleet.example', 'b@fleet.example'],
    ]);
    expect(first.result[0]).toMatchObject({ subject: 'Battery', reason: '550 no such user', attempts: 3 });
    const second = await undelivered({ limit: 2, cursor: first.next });
    expect(second.result.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    const again = (chosen: string[]) => app.call('POST', UNDELIVERED, { as: admin, body: { ids: chosen } });
    for (const wrong of [[ids[0]!, foreign], ['no id'], [newId()]])
      expect((await again(wrong)).json.error.key).toBe('mail.not_found');
    expect((await undelivered()).total).toBe(3);
    expect((await again([ids[0]!, ids[0]!])).json.result).toEqual({ queued: 1 });
    expect((await undelivered()).result.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    const { rows } = await app.owner.query('select attempts, next_attempt_at from mails where id = $1', [ids[0]]);
    expect(rows).toEqual([{ attempts: 0, next_attempt_at: app.clock.now() }]);
    expect((await app.logOf(scope.organizationId)).at(-1)).toBe('Sent an email to a@fleet.example again');
    expect((await app.call('GET', UNDELIVERED, { as: app.person(scope, 'user') })).status).toBe(403);
  });
});
