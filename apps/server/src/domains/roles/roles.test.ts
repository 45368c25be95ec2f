import type { accounts, roles as calls } from '@highline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/index.ts';
import { ask, send, type Sent } from '../../testing/call.ts';
import { openEventStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const ROLES = '/dmp_aa/api/v1/own_roles';
const DEVICES = '/data_manager/v1/dm/devices';
const GROUPS = '/data_manager/v1/dm/group';

let server: TestServer;
let home: MainScope;
let own: OrganizationScope;
let main: string;
let adminId: string;
let admin: string;
let personId: string;
let person: string;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let number = 0;
beforeEach(async () => {
  number += 1;
  const { scope, actor } = await server.seeding.mainAccount(`Home ${number}`);
  home = scope;
  main = await server.seeding.bearer(actor.accountId);
  own = await server.seeding.organization(home, `Own ${number}`);
  [adminId, admin] = await signedIn(own, 'admin');
  [personId, person] = await signedIn(own, 'user');
});

let people = 0;
async function signedIn(scope: MainScope | OrganizationScope, role: 'main' | 'admin' | 'user'): Promise<[string, string]> {
  people += 1;
  const id = await server.seeding.account(scope, `person-${people}@highline.invalid`, role);
  return [id, await server.seeding.bearer(id)];
}

const macOf = (last: number) => `0200${String(number).padStart(6, '0')}0${last}`;
const call = (path: string, bearer: string, sent: Omit<Sent, 'bearer'> = {}) => send(`${server.url}${path}`, { bearer, ...sent });
const read = <T>(path: string, bearer: string) => ask<T>(`${server.url}${path}`, { bearer });
const make = (input: object, bearer = admin) =>
  ask<calls.OwnRole>(`${server.url}${ROLES}`, { bearer, body: { name: 'Dispatcher', rights: ['devices.read'], ...input } });
const give = (id: string, role: string | null, bearer = admin) =>
  call(`/dmp_aa/api/v1/accounts/${id}/own_role`, bearer, { method: 'PUT', body: { role } });
const save = (role: string, input: object, bearer = admin, headers = {}) =>
  call(`${ROLES}/${role}`, bearer, { method: 'PUT', body: { name: 'Dispatcher', rights: ['devices.read'], ...input }, headers });
const remove = (role: string, body: object = {}, bearer = admin) => call(`${ROLES}/${role}`, bearer, { method: 'DELETE', body });
const introspect = (bearer: string) =>
  ask<accounts.Introspection>(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { bearer, method: 'POST' });
const keyOf = async (response: ReturnType<typeof call>) => (await response).error().key;
const statusOf = async (path: string, bearer: string) => (await call(path, bearer)).status;

describe('IAM-03 a role of an own making', () => {
  test('shows what it may and who has it; in the calls its person stays a user', async () => {
    const role = await make({ rights: ['groups.read', 'devices.write', 'devices.read'] });
    expect(role).toMatchObject({
      name: 'Dispatcher',
      rights: ['devices.read', 'devices.write', 'groups.read'],
      people: 0,
      limitedTo: null,
    });
    expect((await give(personId, role.id)).json()).toEqual({
      result: { ownRole: { id: role.id, name: 'Dispatcher', rights: role.rights } },
    });
    const shown = await read<{ people: number; holders: { id: string }[] }>(`${ROLES}/${role.id}`, admin);
    expect(shown).toMatchObject({ people: 1, holders: [{ id: personId }] });
    const account = await introspect(person);
    expect(account).toMatchObject({ role: 'vendor', ownRole: { name: 'Dispatcher' } });
    expect(account.scopes).toEqual([{ service: own.organizationId, permissions: ['read'] }]);
    const { list } = await read<{ list: accounts.ListedPerson[] }>('/dmp_aa/api/v1/accounts/?limit=50', admin);
    expect(list.filter(({ ownRole }) => ownRole?.id === role.id).map(({ id }) => id)).toEqual([personId]);
    // Of what an admin may do, that alone.
    expect(await statusOf(DEVICES, person)).toBe(200);
    expect(await keyOf(call('/data_manager/v1/alerts', person))).toBe('permission.own_role');
    expect(await keyOf(call(GROUPS, person, { body: { name: 'Mine' } }))).toBe('permission.own_role');
    expect(await keyOf(call(ROLES, person))).toBe('permission.own_role');
    // Other people are of admins.
    expect(await statusOf(`/dmp_aa/api/v1/accounts/${adminId}`, person)).toBe(404);
    expect(await statusOf(`/dmp_aa/api/v1/accounts/${personId}`, person)).toBe(200);
  });

  test('IAM-03-partial DEV-07-partial who may change devices, or groups, reads the effect that is confirmed before devices change their group', async () => {
    const group = await server.seeding.group(own, `Depot ${number}`);
    const impact = (bearer = person) =>
      call('/data_manager/v1/binding/group/move/impact', bearer, { body: { org: own.organizationId, group } });
    for (const [name, rights] of [
      ['Dispatch', ['devices.read', 'devices.write']],
      ['Depots', ['groups.read', 'groups.write']],
    ] as const) {
      await give(personId, (await make({ name, rights })).id);
      expect((await impact()).json()).toMatchObject({ result: { firmware: null, config: null } });
    }
    await give(personId, (await make({ rights: ['devices.read', 'groups.read'] })).id);
    expect(await keyOf(impact())).toBe('permission.own_role');
    // And who is limited: of the groups that the person sees.
    const [limitedId, limited] = await signedIn(own, 'admin');
    const limitTo = (groups: string[]) =>
      call(`/dmp_aa/api/v1/accounts/${limitedId}/limit`, admin, { method: 'PUT', body: { limitedTo: { groups, tags: [] } } });
    expect((await limitTo([group])).status).toBe(200);
    expect((await impact(limited)).json()).toMatchObject({ result: { firmware: null, config: null } });
    expect((await limitTo([await server.seeding.group(own, `Other ${number}`)])).status).toBe(200);
    expect(await keyOf(impact(limited))).toBe('group.not_found');
  });

  test('OLD-01-partial gives no one rights to a group, which would stay when the role is taken', async () => {
    const role = await make({ name: 'Groups', rights: ['groups.read', 'groups.write', 'devices.read'] });
    const group = await server.seeding.group(own, `Depot ${number}`);
    const control = { method: 'PATCH', body: { account: personId, control: 'full' } };
    expect((await call(`${GROUPS}/${group}/accounts`, admin, control)).status).toBe(200);
    await give(personId, role.id);
    expect(await keyOf(call(`${GROUPS}/${group}/accounts`, person, control))).toBe('permission.own_role');
    // Full Control gives nothing to who has an own role, and the one of before does not come back.
    expect(await keyOf(call(`${GROUPS}/${group}/accounts`, admin, control))).toBe('group.not_controllable');
    const store = () =>
      server.owner.query(
        'insert into group_controls (organization_id, group_key, account_id, created_at) values ($1, $2, $3, now())',
        [own.organizationId, group, personId],
      );
    const isReader = async () =>
      expect((await call(`${GROUPS}/${group}`, person)).json()).toMatchObject({ result: { control: 'read', fullControl: [] } });
    // Nor one that was given to who has a role, which was possible once.
    await store();
    await give(personId, null);
    await isReader();
    await give(personId, role.id);
    await store();
    expect((await remove(role.id, { instead: 'user' })).status).toBe(200);
    await isReader();
  });

  test('that loses a right: the next call is rejected, and streams of its people end', async () => {
    const role = await make({ rights: ['devices.read', 'groups.write', 'groups.read'] });
    await give(personId, role.id);
    const stream = await openEventStream(server.url, person, { org: own.organizationId });
    expect((await call(GROUPS, person, { body: { name: 'Mine' } })).status).toBe(200);
    expect((await save(role.id, { rights: ['devices.read'] })).json()).toMatchObject({
      result: { rights: ['devices.read'], people: 1 },
    });
    await stream.ended;
    expect(await keyOf(call(GROUPS, person, { body: { name: 'Yours' } }))).toBe('permission.own_role');
    // And none: the role of users.
    await give(personId, null);
    expect((await introspect(person)).ownRole).toBeNull();
    expect(await statusOf('/data_manager/v1/alerts', person)).toBe(200);
  });

  test('names are unique whatever the case, two saves at once do not overwrite each other, and rights of people cannot be given', async () => {
    const role = await make({ name: 'Café' });
    expect(await keyOf(call(ROLES, admin, { body: { name: 'CAFE\u0301', rights: ['devices.read'] } }))).toBe('role.name_taken');
    const other = await make({ name: 'Other' });
    expect(await keyOf(save(other.id, { name: 'café' }))).toBe('role.name_taken');
    const tag = { 'if-match': `"${role.version}"` };
    const both = await Promise.all([save(role.id, { name: 'One' }, admin, tag), save(role.id, { name: 'Two' }, admin, tag)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 412]);
    for (const right of [
      'accounts.read',
      'accounts.write',
      'roles.write',
      'apiKeys.write',
      'devices',
      'devices.delete',
      '__proto__',
    ])
      expect(await keyOf(call(ROLES, admin, { body: { name: 'No', rights: [right] } }))).toBe('role.right_unknown');
    expect((await call(ROLES, admin, { body: { name: 'None', rights: [] } })).status).toBe(400);
  });

  test('that people have is deleted only with another one for them', async () => {
    const [old, next] = [await make({ name: 'Old' }), await make({ name: 'Next', rights: ['alerts.read'] })];
    await give(personId, old.id);
    expect(await keyOf(remove(old.id))).toBe('role.in_use');
    expect(await keyOf(remove(old.id, { instead: old.id }))).toBe('role.in_use');
    expect(await keyOf(remove(old.id, { instead: adminId }))).toBe('role.not_found');
    expect((await remove(old.id, { instead: next.id })).status).toBe(200);
    expect((await introspect(person)).ownRole).toMatchObject({ name: 'Next' });
    expect((await remove(next.id, { instead: 'user' })).status).toBe(200);
    expect((await introspect(person)).ownRole).toBeNull();
    expect(await keyOf(remove(next.id))).toBe('role.not_found');
  });

  test('an admin who gets one is a user; one who is made an admin has none; the last admin and oneself stay', async () => {
    const role = await make({});
    expect(await keyOf(give(adminId, role.id))).toBe('account.is_self');
    expect(await keyOf(give(adminId, role.id, main))).toBe('account.last_admin');
    const [otherId, other] = await signedIn(own, 'admin');
    expect((await give(otherId, role.id)).status).toBe(200);
    expect(await introspect(other)).toMatchObject({ role: 'vendor', ownRole: { id: role.id } });
    const org = own.organizationId;
    const body = new URLSearchParams({ id: otherId, original: `r.${org}.vendor`, target: `r.${org}.super` });
    expect((await call('/dmp_aa/api/v1/roles/', admin, { method: 'PUT', body })).status).toBe(200);
    expect(await introspect(other)).toMatchObject({ role: 'super', ownRole: null });
  });

  test('of another organization is missing, as are its people', async () => {
    const sibling = await server.seeding.organization(home, `Sibling ${number}`);
    const [unrelatedId, unrelated] = await signedIn(sibling, 'admin');
    const role = await make({});
    expect(await keyOf(give(unrelatedId, role.id))).toBe('account.not_found');
    expect(await keyOf(give(unrelatedId, role.id, main))).toBe('role.not_found');
    expect(await keyOf(save(role.id, {}, unrelated))).toBe('role.not_found');
    expect(await keyOf(remove(role.id, {}, unrelated))).toBe('role.not_found');
    expect(await keyOf(give(personId, 'no id'))).toBe('role.not_found');
    expect(await keyOf(give('no id', role.id))).toBe('account.not_found');
  });

  test('limited to a group: its people see nothing else; what they are limited to themselves counts as well', async () => {
    const [north, south] = [await server.seeding.group(own, 'North'), await server.seeding.group(own, 'South')];
    const routers = [
      { serial: `N${number}`, mac: macOf(1), group: north },
      { serial: `S${number}`, mac: macOf(2), group: south },
    ];
    await server.seeding.routers(home, routers);
    await server.seeding.devices(own, routers);
    const serials = async () =>
      (await call(`${DEVICES}?limit=50`, person)).text
        .match(/(?<=")[NS]\d+(?=")/gu)
        ?.filter((each, index, all) => all.indexOf(each) === index);
    const role = await make({ rights: ['devices.read', 'webhooks.read'], limitedTo: { groups: [north], tags: [] } });
    expect(role.limitedTo).toEqual({ groups: [{ id: north, name: 'North' }], tags: [] });
    await give(personId, role.id);
    expect(await serials()).toEqual([`N${number}`]);
    expect(await keyOf(call('/data_manager/v1/dm/webhooks', person))).toBe('permission.limited');
    expect((await introspect(person)).limitedTo).toEqual({ groups: [{ id: north, name: 'North' }], tags: [] });
    const limit = (groups: string[]) =>
      call(`/dmp_aa/api/v1/accounts/${personId}/limit`, admin, { method: 'PUT', body: { limitedTo: { groups, tags: [] } } });
    expect((await limit([south])).status).toBe(200);
    expect(await serials()).toBeUndefined();
    expect((await limit([north, south])).status).toBe(200);
    expect(await serials()).toEqual([`N${number}`]);
    expect(await keyOf(save(role.id, { limitedTo: { groups: ['no-such-group'], tags: [] } }))).toBe('group.not_found');
  });

  test('of a main account is for its own people, and one who has it can neither delete nor limit others', async () => {
    const role = await make({ name: 'Support', rights: ['devices.read'] }, main);
    expect(role.org).toBeNull();
    const [colleagueId, colleague] = await signedIn(home, 'main');
    expect((await give(colleagueId, role.id, main)).status).toBe(200);
    expect(await introspect(colleague)).toMatchObject({
      role: 'vendorSuper',
      ownRole: { name: 'Support' },
      scopes: [{ permissions: ['read.theSameVendor'] }],
    });
    expect(await statusOf(`${DEVICES}?org=${own.organizationId}`, colleague)).toBe(200);
    expect(await keyOf(call('/data_manager/v1/dm/inventory', colleague))).toBe('permission.own_role');
    expect(await keyOf(give(colleagueId, null, colleague))).toBe('permission.own_role');
    expect(await keyOf(give(personId, role.id, main))).toBe('role.not_found');
    expect(
      await keyOf(call(ROLES, main, { body: { name: 'L', rights: ['devices.read'], limitedTo: { groups: [], tags: ['a'] } } })),
    ).toBe('role.no_limit');
    // For everyone of the main account the whole role is more than their own.
    expect(await keyOf(remove(role.id, { instead: 'user' }, main))).toBe('role.not_found');
  });

  test('of an organization with an admin: its main account makes, changes and gives none with a right that it has not itself', async () => {
    const org = own.organizationId;
    const beyond = ['devices.read', 'remoteAccess.write'];
    expect(await keyOf(call(ROLES, main, { body: { org, name: 'Shell', rights: beyond } }))).toBe('role.admin_exists');
    const [shell, held] = [await make({ name: 'Shell', rights: beyond }), await make({ org, name: 'Held' }, main)];
    const [vendorId] = await signedIn(own, 'user');
    expect((await give(vendorId, held.id, main)).status).toBe(200);
    expect(await keyOf(save(held.id, { org, rights: beyond }, main))).toBe('role.admin_exists');
    expect(await keyOf(give(vendorId, shell.id, main))).toBe('role.admin_exists');
    expect(await keyOf(remove(held.id, { org, instead: shell.id }, main))).toBe('role.admin_exists');
    expect((await read<{ holders: object[] }>(`${ROLES}/${held.id}`, admin)).holders).toMatchObject([{ id: vendorId }]);
    const offered = async (bearer: string, of = org) => {
      const { result, withheld } = (await call(`${ROLES}/rights?org=${of}`, bearer)).json<{
        result: { area: string; access: string }[];
        withheld: string[];
      }>();
      const rights = result.map(({ area, access }) => `${area}.${access}`);
      return {
        withheld: withheld.length > 0,
        devices: rights.includes('devices.read'),
        shell: rights.includes('remoteAccess.write'),
      };
    };
    expect(await offered(main)).toEqual({ withheld: true, devices: true, shell: false });
    expect(await offered(admin)).toEqual({ withheld: false, devices: true, shell: true });
    // Its admin may, and a main account takes a role away.
    expect((await give(vendorId, shell.id)).status).toBe(200);
    expect((await give(vendorId, null, main)).status).toBe(200);
    // Without an admin, as the first admin is made.
    const fresh = (await server.seeding.organization(home, `Fresh ${number}`)).organizationId;
    expect(await offered(main, fresh)).toEqual({ withheld: false, devices: true, shell: true });
    expect((await make({ org: fresh, name: 'Shell', rights: beyond }, main)).rights).toEqual(beyond);
  });

  test('there are at most a hundred', async () => {
    await server.owner.query(
      `insert into own_roles (id, main_account_id, organization_id, name, rights, created_by_email, created_at, updated_at)
        select gen_random_uuid(), $1, $2, 'Role ' || n, '{devices.read}', '', now(), now() from generate_series(1, 100) n`,
      [home.mainAccountId, own.organizationId],
    );
    expect(await keyOf(call(ROLES, admin, { body: { name: 'One more', rights: ['devices.read'] } }))).toBe('role.too_many');
  });

  test('counts for API keys of its person too', async () => {
    const body = { name: 'Sync', operations: ['devices.list', 'groups.list'] };
    const [makerId, maker] = await signedIn(own, 'admin');
    const { secret } = (await call('/data_manager/v1/dm/api_keys', maker, { body })).json<{ secret: string }>();
    const role = await make({ rights: ['groups.read'] });
    await give(makerId, role.id);
    expect(await keyOf(call(DEVICES, secret))).toBe('permission.own_role');
    expect(await statusOf(GROUPS, secret)).toBe(200);
  });
});

describe('IAM-03 a role neither reads nor gives more than its rights', () => {
  const HOOKS = '/data_manager/v1/dm/webhooks';
  const LINKS = '/data_manager/v1/dm/links';
  const hook = (events: string[], more: object = {}) => ({
    name: 'Hook',
    url: 'https://hooks.example.com/a',
    events,
    enabled: false,
    ...more,
  });
  const hold = async (...rights: string[]) => {
    const role = await make({ name: rights.join(' '), rights });
    expect((await give(personId, role.id)).status).toBe(200);
    return role.id;
  };

  test('nor lets its person give rights that stay: control of a group, the rule for opening clients, an admin', async () => {
    await hold('groups.write', 'groups.read', 'remoteAccess.write', 'remoteAccess.read');
    const group = await server.seeding.group(own, 'North');
    const path = `${GROUPS}/${encodeURIComponent(group)}/accounts`;
    const control = { account: personId, control: 'full' };
    expect(await keyOf(call(path, person, { method: 'PATCH', body: control }))).toBe('permission.own_role');
    expect(await keyOf(call(path, person))).toBe('permission.own_role');
    const rule = { roles: ['admin', 'user'], ranges: ['192.168.0.0/16'], ports: [{ from: 80, to: 80 }] };
    expect(await keyOf(call('/data_manager/v1/dm/clients/access', person, { method: 'PUT', body: rule }))).toBe(
      'permission.own_role',
    );
    const opens = await make({ name: 'Opens', rights: ['organizations.write'] }, main);
    const [colleagueId, colleague] = await signedIn(home, 'main');
    await give(colleagueId, opens.id, main);
    const open = (body: object) => call('/dmp_aa/api/v1/services/', colleague, { body });
    expect(await keyOf(open({ name: 'Theirs', contact: { email: 'theirs@highline.invalid' } }))).toBe('permission.own_role');
    expect((await open({ name: `Without contact ${number}` })).status).toBe(200);
  });

  test('nor reads the log of a webhook past what it may read, sends it again or elsewhere, or gets its secret', async () => {
    const { result: made } = (await call(HOOKS, admin, { body: hook(['log.entry', 'device.added']) })).json<{
      result: { id: string };
    }>();
    const one = `${HOOKS}/${made.id}`;
    const { rows } = await server.owner.query<{ id: string }>(
      `insert into webhook_deliveries (endpoint_id, organization_id, type, key, happened_at, data, next_at, state)
        select $1, $2, type, type, now(), '{}', case state when 'waiting' then now() + interval '1 day' end, state
        from (values ('log.entry', 'waiting'), ('device.added', 'failed')) v (type, state) order by type desc returning id`,
      [made.id, own.organizationId],
    );
    const [entry, added] = rows.map(({ id }) => `${one}/deliveries/${id}`);
    const role = await hold('webhooks.read', 'webhooks.write', 'devices.read');
    const types = async (bearer: string) =>
      (await read<{ type: string }[]>(`${one}/deliveries?limit=50`, bearer)).map(({ type }) => type).toSorted();
    expect(await types(admin)).toEqual(expect.arrayContaining(['device.added', 'log.entry']));
    expect(await types(person)).toEqual(['device.added']);
    expect(await statusOf(entry!, admin)).toBe(200);
    expect(await keyOf(call(entry!, person))).toBe('permission.own_role');
    expect(await statusOf(added!, person)).toBe(200);
    const post = (path: string, bearer = person) => call(path, bearer, { method: 'POST', body: {} });
    for (const path of [`${one}/rotate`, `${one}/test`, `${entry}/resend`])
      expect(await keyOf(post(path))).toBe('permission.own_role');
    // It is for nothing but devices from now on; what waits does not follow it elsewhere.
    const saved = (more: object) => call(one, person, { method: 'PUT', body: hook(['device.added'], more) });
    expect((await saved({})).status).toBe(200);
    await save(role, { name: 'Also alerts', rights: ['webhooks.read', 'webhooks.write', 'devices.read', 'alerts.read'] });
    expect(await keyOf(saved({ url: 'https://hooks.example.com/b' }))).toBe('permission.own_role');
    await server.owner.query(`update webhook_deliveries set state = 'failed', next_at = null where endpoint_id = $1`, [made.id]);
    expect((await saved({ url: 'https://hooks.example.com/b' })).status).toBe(200);
    expect((await post(`${one}/rotate`)).status).toBe(200);
    expect(await keyOf(post(`${entry}/resend`))).toBe('permission.own_role');
    // Neither does an API key that has the calls of webhooks alone.
    const body = { name: 'Hooks', operations: ['webhooks.deliveries', 'webhooks.delivery', 'devices.list'] };
    const { secret } = (await call('/data_manager/v1/dm/api_keys', admin, { body })).json<{ secret: string }>();
    expect(await types(secret)).toEqual(['device.added']);
    expect(await keyOf(call(entry!, secret))).toBe('key.not_allowed');
  });

  test('nor shows by a link what it may not read; the link of before ends with the right', async () => {
    const router = { serial: `L${number}`, mac: macOf(3) };
    await server.seeding.routers(home, [router]);
    await server.seeding.devices(own, [router]);
    const { rows } = await server.owner.query<{ id: string }>('select id from devices where organization_id = $1', [
      own.organizationId,
    ]);
    const device = rows[0]!.id;
    const share = (body: object) => call(LINKS, person, { body: { hours: 1, showsNames: false, ...body } });
    const rights = ['links.read', 'links.write'];
    const role = await hold(...rights);
    const group = 'default+group+id';
    const allow = async (...more: string[]) => save(role, { name: 'Sharing', rights: [...rights, ...more] });
    for (const [more, what, status] of [
      [[], { device }, 403],
      [['positions.read'], { device }, 403],
      [['devices.read'], { device }, 403],
      [['positions.read'], { group }, 403],
      [['positions.read', 'groups.read'], { group, showsNames: true }, 403],
      [['positions.read', 'groups.read'], { group }, 200],
      [['positions.read', 'devices.read'], { device, showsNames: true }, 200],
    ] as const) {
      await allow(...more);
      expect([more, what, (await share(what)).status]).toEqual([more, what, status]);
    }
    const open = (token: string) => call(`${LINKS}/open`, '', { body: { token } });
    const [kept, lost] = [await share({ device }), await share({ device })].map((made) => made.json<{ token: string }>().token);
    expect((await open(kept!)).status).toBe(200);
    await allow('devices.read');
    expect(await keyOf(open(lost!))).toBe('link.over');
  });

  test('nor reads by the history of a device who did what, and its alerts', async () => {
    const router = { serial: `H${number}`, mac: macOf(4) };
    await server.seeding.routers(home, [router]);
    await server.seeding.devices(own, [router]);
    const { rows } = await server.owner.query<{ id: string }>('select id from devices where organization_id = $1', [
      own.organizationId,
    ]);
    const device = rows[0]!.id;
    const named = await call('/data_manager/v1/dm/device', admin, {
      method: 'PATCH',
      body: { device, vehicleNumber: 'Bus 9' },
    });
    expect(named.status, named.text).toBe(200);
    const role = await hold('devices.read');
    const kinds = async (bearer: string, kind?: string) => {
      const path = `/data_manager/v1/dm/device/timeline?device=${device}${kind === undefined ? '' : `&kind=${kind}`}`;
      return (await read<{ kind: string }[]>(path, bearer)).map((item) => item.kind);
    };
    expect(await kinds(admin)).toContain('action');
    expect(await kinds(person)).not.toContain('action');
    for (const kind of ['action', 'alert', 'remote', 'sim']) expect(await kinds(person, kind)).toEqual([]);
    await save(role, { rights: ['devices.read', 'logs.read', 'esims.read'] });
    expect(await kinds(person)).toContain('action');
    expect(await kinds(person, 'sim')).toEqual([]);
  });

  test('is not given to someone whom the directory made inactive: the role of before would come back with the person', async () => {
    const [otherId] = await signedIn(own, 'admin');
    const { secret } = (await call('/data_manager/v1/dm/scim/secrets', admin, { body: { name: 'Entra ID', days: 365 } })).json<{
      secret: string;
    }>();
    const activate = (value: boolean) =>
      call(`/scim/v2/Users/${otherId}`, secret, {
        method: 'PATCH',
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'active', value }],
        },
      });
    const role = await make({});
    expect((await activate(false)).status).toBe(200);
    expect(await keyOf(give(otherId, role.id))).toBe('role.inactive');
    expect((await activate(true)).status).toBe(200);
    expect((await give(otherId, role.id)).status).toBe(200);
    expect(await introspect(await server.seeding.bearer(otherId))).toMatchObject({ role: 'vendor', ownRole: { id: role.id } });
  });

  test('limited to nothing is not made: its people would see nothing', async () => {
    const limitedTo = { groups: [], tags: [] };
    expect(await keyOf(call(ROLES, admin, { body: { name: 'No', rights: ['devices.read'], limitedTo } }))).toBe(
      'role.limit_empty',
    );
    const role = await make({});
    expect(await keyOf(save(role.id, { limitedTo }))).toBe('role.limit_empty');
  });
});
