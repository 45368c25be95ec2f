import {
  type accounts,
  alerts,
  apiKeys,
  links,
  type Operation,
  reports,
  routerBackups,
  views,
  webhooks,
} from '@highline/contract';
import { makeMac } from '@highline/usp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { send, type Responded } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const password = 'correct horse battery';

let server: TestServer;
let main: MainScope;
let mainBearer: string;

beforeAll(async () => {
  server = await startTestServer();
  const home = await server.seeding.mainAccount('Home');
  main = home.scope;
  mainBearer = await server.seeding.bearer(home.actor.accountId);
});
afterAll(() => server.close());

let count = 0;
const freshEmail = () => {
  count += 1;
  return `someone-${count}@highline.invalid`;
};

interface Person {
  readonly id: string;
  readonly email: string;
  readonly bearer: string;
}

async function person(scope: MainScope | OrganizationScope, role: 'main' | 'admin' | 'user' | 'none'): Promise<Person> {
  const email = freshEmail();
  const id = await server.seeding.account(scope, email, role);
  return { id, email, bearer: await server.seeding.bearer(id) };
}

async function fixture() {
  const scope = await server.seeding.organization(main, 'North');
  const admin = await person(scope, 'admin');
  const roleOf = (role: 'super' | 'vendor') => `r.${scope.organizationId}.${role}`;
  return { scope, admin, roleOf };
}

const api = (path: string) => `${server.url}/dmp_aa/api/v1/${path}`;
const invite = (bearer: string, body: Record<string, unknown>): Promise<Responded> =>
  send(api('vendorAccounts/'), { bearer, body });
const sendForm = (method: string, path: string, bearer: string, fields: Record<string, string>, ifMatch?: string) =>
  send(api(path), {
    method,
    bearer,
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
  });
const changeRole = (bearer: string, id: string, original: string, target: string) =>
  sendForm('PUT', 'roles/', bearer, { id, original, target });
const remove = (bearer: string, id: string) =>
  send(api(`accounts/${id}?vendor=${main.mainAccountId}`), { method: 'DELETE', bearer });
const introspect = (bearer: string) => send(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { method: 'POST', bearer });
const listOf = async (bearer: string, query: string) =>
  (await send(api(`accounts/?${query}`), { bearer })).json<{ result: { list: accounts.Account[] }; total: number }>();

async function mailedSecret(email: string): Promise<string> {
  const [mail] = await server.mailsTo(email);
  return /invitation=([\w-]+)/u.exec(mail!.plain)![1]!;
}
const read = (secret: string) => send(api('auth/invitation'), { body: { secret } });
const accept = (secret: string) => send(api('auth/password/reset'), { body: { secret, password } });

test('USR-02-partial an invited user sets a password by the mailed link, once and within seven days, and signs in', async () => {
  const { scope, admin, roleOf } = await fixture();
  const typed = '  Ann.Invited@Highline.invalid ';
  const made = await invite(admin.bearer, { email: typed, name: 'Ann', role: roleOf('vendor'), language: 'zh-TW' });
  expect(made.json()).toMatchObject({ result: { email: 'ann.invited@highline.invalid', name: 'Ann', role: 'vendor' } });
  expect(await server.mailsTo('ann.invited@highline.invalid')).toMatchObject([
    { subject: '您受邀使用 Highline', html: expect.stringContaining('North') },
  ]);

  const secret = await mailedSecret('ann.invited@highline.invalid');
  expect((await accept(`${secret.slice(0, -1)}_`)).error().key).toBe('account.link_invalid');
  expect((await accept(secret)).status).toBe(200);
  expect((await accept(secret)).error().key).toBe('account.link_invalid');
  const signedIn = await send(api('auth/token'), { body: { email: 'ann.invited@highline.invalid', password } });
  const { vap } = signedIn.json<{ result: { vap: string } }>().result;
  expect((await introspect(vap)).json()).toMatchObject({ result: { role: 'vendor', org: { id: scope.organizationId } } });

  const late = freshEmail();
  await invite(admin.bearer, { email: late, name: 'Late', role: roleOf('vendor') });
  await server.owner.query(
    "update mailed_links set created_at = created_at - interval '7 days', expires_at = expires_at - interval '7 days'",
  );
  expect((await accept(await mailedSecret(late))).error().key).toBe('account.link_invalid');
});

test('USR-02-partial the page of an invitation says who invites whom to what, until it is used or expires; every other link is answered alike', async () => {
  const { admin, roleOf } = await fixture();
  const email = freshEmail();
  const { id } = (await invite(admin.bearer, { email, name: 'Ann', role: roleOf('vendor') })).json<{ result: accounts.Person }>()
    .result;
  const secret = await mailedSecret(email);
  const names = { organization: 'North', inviter: expect.stringMatching(/./u) };
  for (let n = 0; n < 2; n++) expect((await read(secret)).json()).toEqual({ result: { email, ...names } });
  const { inviter } = (await read(secret)).json<{ result: accounts.Invitation }>().result;
  expect((await server.mailsTo(email))[0]!.plain).toContain(`${inviter} invited you to North`);

  // A link of an invitation that was replaced, of a forgotten password, one that expired, and one that was used.
  const others = ['', 'x'.repeat(43)];
  await send(api(`accounts/${id}/invitation`), { method: 'POST', bearer: admin.bearer });
  others.push(secret);
  const accepted = await mailedSecret(email);
  expect((await accept(accepted)).status).toBe(200);
  others.push(accepted);
  await send(api('auth/password/forgot'), { body: { email } });
  others.push(/reset=([\w-]+)/u.exec((await server.mailsTo(email))[0]!.plain)![1]!);
  const late = freshEmail();
  await invite(admin.bearer, { email: late, name: 'Late', role: roleOf('vendor') });
  await server.owner.query(
    "update mailed_links set created_at = now() - interval '8 days', expires_at = now() - interval '1 day'",
  );
  others.push(await mailedSecret(late));
  const responses = await Promise.all(others.map((other) => read(other)));
  for (const { status, text } of responses) expect([status, text]).toEqual([responses[0]!.status, responses[0]!.text]);
  expect(responses[0]!.error().key).toBe('account.link_invalid');
});

test('USR-02-partial an address without an account, or whose account has no organization, is added; every other exists already', async () => {
  const { scope, admin, roleOf } = await fixture();
  const free = await person(main, 'none');
  const taken = await invite(admin.bearer, { email: free.email, name: 'Free', role: roleOf('super') });
  expect(taken.json()).toMatchObject({ result: { id: free.id, role: 'super' } });
  const elsewhere = await person(await server.seeding.organization(main, 'South'), 'user');
  const foreignUser = await server.seeding.mainAccount('Abroad');
  const foreign = await person(foreignUser.scope, 'none');
  const many = await person(main, 'none');
  await server.owner.query('update accounts set roles = $1 where id = $2', [
    [roleOf('vendor'), `r.${foreignUser.scope.mainAccountId}.super`, 'r.kmpService.vendor'],
    many.id,
  ]);
  const people = [admin.email, elsewhere.email, foreign.email, many.email, (await person(main, 'main')).email];
  for (const email of people) {
    const response = await invite(admin.bearer, { email, name: 'X', role: roleOf('vendor') });
    expect([response.status, response.error().message], email).toEqual([409, 'Account already exists']);
  }
  const twice = freshEmail();
  const both = await Promise.all([1, 2].map(() => invite(admin.bearer, { email: twice, name: 'T', role: roleOf('vendor') })));
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const mails = await server.owner.query('select 1 from mails where recipient = $1', [twice]);
  expect(mails.rowCount).toBe(1);
  expect((await listOf(admin.bearer, 'limit=10')).total).toBe(3);
  expect(scope.kind).toBe('organization');
});

test('USR-02-partial invalid addresses and names are rejected and no account is created', async () => {
  const { admin, roleOf } = await fixture();
  const long = `${'a'.repeat(320)}@highline.invalid`;
  for (const email of ['', 'a b@c.de', 'a@b', long, 'a@b.c\u0000d', 'x@@y.zz', 'a..b@c.de', '.a@c.de']) {
    const response = await invite(admin.bearer, { email, name: 'X', role: roleOf('vendor') });
    expect([response.status, email]).toEqual([400, email]);
  }
  for (const name of ['', '   ', 'n'.repeat(101), 'a\u0007'])
    expect((await invite(admin.bearer, { email: freshEmail(), name, role: roleOf('vendor') })).status).toBe(400);
  expect((await listOf(admin.bearer, 'limit=10')).total).toBe(1);
});

test('USR-02-partial role strings that the caller may not give are rejected', async () => {
  const { admin, roleOf } = await fixture();
  const other = await fixture();
  const forged: [string, number][] = [
    ['r.kmpService.vendor.super', 403],
    ['r.kmpService.vendor', 403],
    [other.roleOf('super'), 404],
    [`r.${'0'.repeat(36)}.super`, 404],
    [`${roleOf('super')}.more`, 400],
    [roleOf('super').replace('super', 'owner'), 400],
    ['super', 400],
  ];
  const user = await person((await fixture()).scope, 'user');
  for (const [role, status] of forged) {
    const created = await invite(admin.bearer, { email: freshEmail(), name: 'X', role });
    const changed = await changeRole(admin.bearer, admin.id, roleOf('super'), role);
    expect([role, created.status, changed.status]).toEqual([role, status, status]);
  }
  expect((await invite(user.bearer, { email: freshEmail(), name: 'X', role: roleOf('vendor') })).status).toBe(403);
});

test('USR-02-partial the main account makes the first admin of an organization and users after that; an admin invites both', async () => {
  const scope = await server.seeding.organization(main, 'New');
  const [superRole, vendorRole] = [`r.${scope.organizationId}.super`, `r.${scope.organizationId}.vendor`];
  const inviteAs = (bearer: string, role: string) => invite(bearer, { email: freshEmail(), name: 'X', role });
  const both = await Promise.all([inviteAs(mainBearer, superRole), inviteAs(mainBearer, superRole)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(both.find(({ status }) => status === 409)!.error()).toMatchObject({
    key: 'account.admin_exists',
    message: 'This organization already has an admin. Ask one of its admins to add another.',
  });
  const older = { email: freshEmail(), name: 'X', role: 'r.kmpService.vendor', serviceRole: superRole };
  expect((await invite(mainBearer, older)).error().key).toBe('account.admin_exists');
  expect((await inviteAs(mainBearer, vendorRole)).json()).toMatchObject({ result: { role: 'vendor' } });
  const free = await person(main, 'none');
  const join = (role: string) => send(api('roles/'), { bearer: mainBearer, body: { id: free.id, role } });
  expect((await join(superRole)).error().key).toBe('account.admin_exists');
  expect((await join(vendorRole)).status).toBe(200);
  const admin = await person(scope, 'admin');
  for (const role of [superRole, vendorRole]) expect((await inviteAs(admin.bearer, role)).status).toBe(200);
  expect((await listOf(admin.bearer, 'limit=20&role=admin')).total).toBe(3);
});

test('USR-03-partial the main account cannot promote a user of an organization that has an admin, and may still demote', async () => {
  const { scope, admin, roleOf } = await fixture();
  const user = await person(scope, 'user');
  const promote = () => changeRole(mainBearer, user.id, roleOf('vendor'), roleOf('super'));
  const rejected = await promote();
  expect([rejected.status, rejected.error().key]).toEqual([409, 'account.admin_exists']);
  expect((await introspect(user.bearer)).json()).toMatchObject({ result: { role: 'vendor' } });
  expect((await changeRole(admin.bearer, user.id, roleOf('vendor'), roleOf('super'))).status).toBe(200);
  expect((await changeRole(mainBearer, user.id, roleOf('super'), roleOf('vendor'))).status).toBe(200);
  // An organization that lost every admin gets a new first one.
  await server.owner.query("update accounts set roles = '{}' where id = $1", [admin.id]);
  expect((await promote()).json()).toMatchObject({ result: { role: 'super' } });
});

test('USR-03-partial a changed role and name count at the next call, and are in the log', async () => {
  const { scope, admin, roleOf } = await fixture();
  const user = await person(scope, 'user');
  expect((await changeRole(admin.bearer, user.id, roleOf('vendor'), roleOf('super'))).status).toBe(200);
  expect((await introspect(user.bearer)).json()).toMatchObject({ result: { role: 'super' } });
  expect((await changeRole(admin.bearer, user.id, roleOf('vendor'), roleOf('super'))).error().key).toBe('conflict.stale');
  expect((await sendForm('PUT', `accounts/${user.id}`, admin.bearer, { vendor: main.mainAccountId, name: 'Zoë' })).status).toBe(
    200,
  );
  expect((await sendForm('PUT', `accounts/${user.id}`, admin.bearer, { vendor: user.id, name: 'No' })).status).toBe(404);
  const { rows } = await server.owner.query<{ action: string }>(
    'select action from audit_entries where chain_id = $1 and subject_id = $2 order by seq',
    [scope.organizationId, user.id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    `Changed the role of ${user.email} to admin`,
    `Renamed the user ${user.email}`,
  ]);
});

test('OLD-01-partial Full Control of groups ends when its user becomes an admin or is limited: the log names them, and it does not come back with the role', async () => {
  const { scope, admin, roleOf } = await fixture();
  const user = await person(scope, 'user');
  const [depot, yard] = [await server.seeding.group(scope, 'Depot'), await server.seeding.group(scope, 'Yard')];
  const stays = await person(scope, 'user');
  const give = (key: string, { id }: Person) =>
    send(`${server.url}/data_manager/v1/dm/group/${key}/accounts`, {
      method: 'PATCH',
      bearer: admin.bearer,
      body: { account: id, control: 'full' },
    });
  for (const key of [depot, yard]) expect((await give(key, user)).status).toBe(200);
  await give(depot, stays);
  expect((await changeRole(admin.bearer, user.id, roleOf('vendor'), roleOf('super'))).status).toBe(200);
  expect((await changeRole(admin.bearer, user.id, roleOf('super'), roleOf('vendor'))).status).toBe(200);
  const limited = await person(scope, 'user');
  await give(yard, limited);
  const limit = (limitedTo: object | null) =>
    send(api(`accounts/${limited.id}/limit`), { method: 'PUT', bearer: admin.bearer, body: { limitedTo } });
  expect((await limit({ groups: [yard], tags: [] })).status).toBe(200);
  expect((await limit(null)).status).toBe(200);
  const { rows } = await server.owner.query('select account_id from group_controls where organization_id = $1', [
    scope.organizationId,
  ]);
  expect(rows).toEqual([{ account_id: stays.id }]);
  const { rows: entries } = await server.owner.query<{ detail: unknown }>(
    "select detail from audit_entries where subject_id in ($1, $2) and detail ? 'fullControlEnded' order by seq",
    [user.id, limited.id],
  );
  expect(entries.map(({ detail }) => detail)).toEqual([
    { from: roleOf('vendor'), to: roleOf('super'), fullControlEnded: ['Depot', 'Yard'] },
    expect.objectContaining({ before: { limited: false }, fullControlEnded: ['Yard'] }),
  ]);
});

test('USR-03-partial of two who save over the same version one succeeds, and the other gets the current values', async () => {
  const { scope, admin, roleOf } = await fixture();
  const user = await person(scope, 'user');
  const rename = (name: string, ifMatch?: string) => sendForm('PUT', `accounts/${user.id}`, admin.bearer, { name }, ifMatch);
  const promote = (original: string, target: string, ifMatch: string) =>
    sendForm('PUT', 'roles/', admin.bearer, { id: user.id, original, target }, ifMatch);
  const tag = (await send(api(`accounts/${user.id}`), { bearer: admin.bearer })).headers.get('etag')!;
  const responses = await Promise.all([rename('One', tag), rename('Two', tag)]);
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  const won = responses.find(({ status }) => status === 200)!;
  const lost = responses.find(({ status }) => status === 412)!;
  const { name } = won.json<{ result: { name: string } }>().result;
  expect(lost.error()).toMatchObject({ key: 'conflict.stale', detail: { id: user.id, name, role: 'vendor' } });
  expect((await promote(roleOf('vendor'), roleOf('super'), tag)).error()).toMatchObject({ detail: { name, role: 'vendor' } });
  const second = await promote(roleOf('vendor'), roleOf('super'), won.headers.get('etag')!);
  expect([second.status, second.headers.get('etag')]).toEqual([200, '"3"']);
  // A client that sends no version is accepted.
  expect((await rename('Three')).status).toBe(200);
});

test('USR-02-partial a user cannot invite their own address, and Unicode in an address is rejected before the domain, not in the name', async () => {
  const { admin, roleOf } = await fixture();
  for (const email of [admin.email, `  ${admin.email.toUpperCase()} `])
    expect((await invite(admin.bearer, { email, name: 'Me', role: roleOf('super') })).error().key).toBe('account.exists');
  const named = await invite(admin.bearer, { email: 'josé.漢@highline.invalid', name: '王小明 🚌', role: roleOf('vendor') });
  expect(named.json()).toMatchObject({ result: { email: 'josé.漢@highline.invalid', name: '王小明 🚌' } });
  const longest = `${'a'.repeat(64)}@${'b'.repeat(254 - 65 - '.invalid'.length)}.invalid`;
  expect((await invite(admin.bearer, { email: longest, name: 'L', role: roleOf('vendor') })).status).toBe(200);
  expect((await invite(admin.bearer, { email: longest.replace('.', 'b.'), name: 'L', role: roleOf('vendor') })).status).toBe(400);
});

test('USR-04-partial a deleted user is signed out at once; the caller, the last admin and unrelated users cannot be deleted', async () => {
  const { scope, admin, roleOf } = await fixture();
  const user = await person(scope, 'user');
  const unrelated = await person((await fixture()).scope, 'user');
  expect((await remove(admin.bearer, admin.id)).error()).toMatchObject({ key: 'account.is_self', message: 'Permission denied' });
  for (const id of [unrelated.id, 'unknown', '..%2F..']) expect((await remove(admin.bearer, id)).status).toBe(404);
  expect((await introspect(unrelated.bearer)).status).toBe(200);
  expect((await remove(admin.bearer, user.id)).json()).toEqual({ result: { deleted: 1 } });
  expect((await introspect(user.bearer)).status).toBe(401);
  expect((await remove(admin.bearer, user.id)).error().key).toBe('account.not_found');
  expect((await remove(mainBearer, admin.id)).error().key).toBe('account.last_admin');
  expect((await changeRole(admin.bearer, admin.id, roleOf('super'), roleOf('vendor'))).error().key).toBe('account.last_admin');
});

test('USR-04-partial what a user leaves is counted before the deletion: what acts in the name of this one, and nothing of others', async () => {
  const { scope, admin } = await fixture();
  const [leaver, other] = [await person(scope, 'admin'), await person(scope, 'admin')];
  const org = scope.organizationId;
  const group = await server.seeding.group(scope, 'Depot');
  const made = async ({ method, path }: Pick<Operation, 'method' | 'path'>, { bearer }: Person, body: object) => {
    const response = await send(`${server.url}${path}`, { method, bearer, body: { org, ...body } });
    expect(response.status, response.text).toBe(200);
  };
  const add = async (by: Person) => {
    await made(apiKeys.createKey, by, { name: 'Depot', operations: ['devices.list'] });
    await made(links.createLink, by, { group, showsNames: true, hours: 1 });
    await made(views.addView, by, { list: 'devices', name: 'Private', content: { search: {}, layout: {} } });
  };
  await add(leaver);
  await add(other);
  await made(views.addView, leaver, { list: 'devices', name: 'Shared', shared: true, content: { search: {}, layout: {} } });
  const backups = { nightly: true, hour: 3, zone: 'America/Chicago', versions: 7, days: 90 };
  await made(routerBackups.saveSettings, leaver, backups);
  // A rule that tests does so in the name of a person, without any action.
  await made(alerts.addRule, leaver, {
    name: 'Reaches us',
    enabled: true,
    severity: 'warning',
    condition: {
      kind: 'test',
      test: { tool: 'ping', host: '127.0.0.1', ipVersion: '4', count: 2, bytes: 32 },
      everyMinutes: 60,
      slowerThan: null,
    },
    forSeconds: 0,
    scope: { kind: 'all' },
    hours: null,
    channels: { mails: [], escalation: null, quiet: null },
    action: null,
  });
  const router = { serial: 'LEAVES1', mac: makeMac(1) };
  await server.seeding.routers(main, [router]);
  const [device] = await server.seeding.devices(scope, [router]);
  await server.owner.query(
    `insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, priority, status, created_at, updated_at, use_author)
     select organization_id, gen_random_uuid(), main_account_id, id, router_id, serial, 1, 'Assigning...', now(), now(), $2
       from devices where id = $1`,
    [device, JSON.stringify({ actor: { accountId: leaver.id }, call: 'esims.use' })],
  );
  const leaves = async (bearer: string, id: string) => send(api(`accounts/${id}/leaves`), { bearer });
  const counted = (await leaves(admin.bearer, leaver.id)).json<{ result: { leaves: object[] } }>().result.leaves;
  const kinds = ['keys', 'links', 'views', 'backups', 'rules', 'switches'];
  expect(counted).toHaveLength(kinds.length);
  expect(counted).toEqual(expect.arrayContaining(kinds.map((kind) => ({ kind, count: 1 }))));
  expect((await leaves(admin.bearer, admin.id)).json()).toEqual({ result: { id: admin.id, leaves: [] } });
  expect((await leaves((await fixture()).admin.bearer, leaver.id)).status).toBe(404);
  expect((await leaves((await person(scope, 'user')).bearer, leaver.id)).status).toBe(403);
});

test('USR-04-partial of a colleague of the main account saved reports and actions of rules in its organizations are counted too', async () => {
  const { scope } = await fixture();
  const [leaver, other] = [await person(main, 'main'), await person(main, 'main')];
  const add = async ({ path }: Pick<Operation, 'path'>, { bearer }: Person, body: object) => {
    const response = await send(`${server.url}${path}`, { bearer, body: { org: scope.organizationId, ...body } });
    expect(response.status, response.text).toBe(200);
    return response.json<{ result: { id: string } }>().result.id;
  };
  const url = 'https://example.com/act';
  const webhook = await add(webhooks.createWebhook, leaver, { name: 'Automation', url, format: 'standard', events: [] });
  const rule = {
    enabled: true,
    severity: 'warning',
    condition: { kind: 'reading', reading: 'rsrp', operator: 'below', threshold: -110, clear: -105 },
    forSeconds: 0,
    scope: { kind: 'all' },
    hours: null,
    channels: { mails: [], escalation: null, quiet: null },
    action: { does: { kind: 'webhook', webhook }, cooldownMinutes: 60, atOnce: 2, perDay: 20, dryRun: false },
  };
  await add(alerts.addRule, leaver, { ...rule, name: 'Calls' });
  await add(reports.saveReport, leaver, { reportName: 'Signal', dayType: 'today', properties: { id: 'rssi' } });
  const leaves = async ({ id }: Person) =>
    (await send(api(`accounts/${id}/leaves`), { bearer: mainBearer })).json<{ result: { leaves: object[] } }>().result.leaves;
  expect(await leaves(leaver)).toEqual(['rules', 'reports'].map((kind) => ({ kind, count: 1 })));
  expect(await leaves(other)).toEqual([]);
});

test('USR-04-partial of two admins who remove each other at once, one stays', async () => {
  const { scope, admin } = await fixture();
  const second = await person(scope, 'admin');
  const responses = await Promise.all([remove(admin.bearer, second.id), remove(second.bearer, admin.id)]);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const { rowCount } = await server.owner.query('select 1 from accounts where organization_id = $1', [scope.organizationId]);
  expect(rowCount).toBe(1);
});

test('USR-01-partial the list is filtered by role, searched by name and e-mail, sorted, paged and downloaded', async () => {
  const { scope, admin } = await fixture();
  const users = [await person(scope, 'user'), await person(scope, 'user'), await person(scope, 'user')];
  expect(await listOf(admin.bearer, 'limit=3')).toMatchObject({ total: 4, result: { list: { length: 3 } } });
  expect((await listOf(admin.bearer, 'limit=10&role=admin')).result.list.map(({ id }) => id)).toEqual([admin.id]);
  expect((await listOf(admin.bearer, 'limit=10&role=user&sort=-email')).result.list.map(({ id }) => id)).toEqual(
    users.map(({ id }) => id).toReversed(),
  );
  expect((await listOf(admin.bearer, `limit=10&field=email&search=${users[1]!.email}`)).result.list).toMatchObject([
    { id: users[1]!.id },
  ]);
  expect((await listOf(admin.bearer, 'limit=10&field=name&search=%25')).total).toBe(0);
  expect((await listOf(admin.bearer, '')).result.list).toHaveLength(4);
  await server.owner.query("update accounts set signed_in_at = '2026-11-20T08:00:00Z' where id = $1", [users[1]!.id]);
  const [latest] = (await listOf(admin.bearer, 'limit=10&sort=-signedIn')).result.list;
  expect(latest).toMatchObject({ id: users[1]!.id, signedIn: 1_795_161_600 });
  const signedIn = await send(api('accounts/export?columns=email,signedIn&sort=-signedIn'), { bearer: admin.bearer });
  expect(signedIn.text).toContain(`${users[1]!.email},11/20/2026 08:00:00`);
  const there = await send(api('accounts/export?columns=email,signedIn&zone=Asia/Taipei&language=zh-TW'), {
    bearer: admin.bearer,
  });
  expect(there.text).toContain(`${users[1]!.email},2026/11/20 16:00:00`);
  const file = await send(api('accounts/export?language=zh-TW&role=user'), { bearer: admin.bearer });
  expect(file.text.trim().split(/\r?\n/u)).toHaveLength(4);
  expect(file.text).toContain('使用者名稱');
});

test('USR-01-partial SHR-08-partial the file, the filter and the privileges say of own roles, guests and people without access what the list says', async () => {
  const { scope, admin } = await fixture();
  const [dispatcher, guest, user] = [await person(scope, 'user'), await person(scope, 'admin'), await person(scope, 'user')];
  const none = await person(scope, 'none');
  const role = await send(api('own_roles'), {
    bearer: admin.bearer,
    body: { name: 'Dispatcher', rights: ['devices.read', 'groups.read'] },
  });
  const { id } = role.json<{ result: { id: string } }>().result;
  await send(api(`accounts/${dispatcher.id}/own_role`), { method: 'PUT', bearer: admin.bearer, body: { role: id } });
  await server.owner.query(
    `insert into visits (id, kind, role, account_id, main_account_id, organization_id, granted_by_email, created_at, until)
      values (gen_random_uuid(), 'guest', 'admin', $1, $2, $3, 'ada', now(), '2126-12-24T08:00:00Z')`,
    [guest.id, scope.mainAccountId, scope.organizationId],
  );
  const ofPeople = [admin, dispatcher, guest, user, none].map(({ email }) => email);
  const linesOf = async (columns: string) => {
    const { text } = await send(api(`accounts/export?columns=email,${columns}`), { bearer: admin.bearer });
    return ofPeople.map((email) =>
      text
        .split(/\r?\n/u)
        .find((line) => line.startsWith(`${email},`))!
        .slice(email.length + 1),
    );
  };
  expect(await linesOf('role,guestUntil')).toEqual([
    'Admin,',
    'Dispatcher,',
    'Admin (guest),12/24/2126 08:00:00',
    'User,',
    'No access,',
  ]);
  expect(await linesOf('role&language=zh-TW')).toEqual(['管理員', 'Dispatcher', '管理員（來賓）', '使用者', '無存取權']);
  const users = (await listOf(admin.bearer, 'limit=10&role=user')).result.list.map(({ email }) => email);
  expect(users.toSorted()).toEqual([dispatcher.email, user.email].toSorted());
  const { list } = (await listOf(admin.bearer, 'limit=10')).result;
  expect(ofPeople.map((email) => list.find((each) => each.email === email)!.privilege)).toEqual([
    expect.stringContaining('Views and manages devices'),
    'Dispatcher: devices.read, groups.read',
    expect.stringContaining('Views and manages devices'),
    expect.stringContaining('Views devices and groups'),
    'No access.',
  ]);
  const page = await send(api(`accounts/${dispatcher.id}`), { bearer: admin.bearer });
  expect(page.json()).toMatchObject({ result: { privilege: 'Dispatcher: devices.read, groups.read' } });
  expect((await introspect(dispatcher.bearer)).json()).toMatchObject({
    result: { privilege: 'Dispatcher: devices.read, groups.read' },
  });
});

test('AUTH-08-partial a user’s own sessions are listed, and one of them can be ended alone', async () => {
  const { scope } = await fixture();
  const user = await person(scope, 'user');
  const other = await server.seeding.bearer(user.id);
  const unrelated = await person(scope, 'user');
  const sessionsOf = async (bearer: string) =>
    (await send(api('auth/sessions'), { bearer })).json<{ result: { list: accounts.OwnSession[] } }>().result.list;
  const end = async (bearer: string, id: string) =>
    (await send(api(`auth/sessions/${id}`), { method: 'DELETE', bearer })).json<{ result: { ended: number } }>().result.ended;
  const [one, two] = await sessionsOf(user.bearer);
  expect(one!.current).toBe(!two!.current);
  const foreign = (await sessionsOf(unrelated.bearer))[0]!.id;
  expect([await end(user.bearer, foreign), await end(user.bearer, 'x')]).toEqual([0, 0]);
  expect((await introspect(unrelated.bearer)).status).toBe(200);
  expect(await end(user.bearer, [one!, two!].find(({ current }) => !current)!.id)).toBe(1);
  expect((await introspect(other)).status).toBe(401);
  expect((await introspect(user.bearer)).status).toBe(200);
});

test('SEC-F8 an invitation sent again cancels the undelivered mail of the first one', async () => {
  const { admin, roleOf } = await fixture();
  const email = freshEmail();
  const made = await invite(admin.bearer, { email, name: 'Ann', role: roleOf('vendor') });
  const { id } = made.json<{ result: accounts.Account }>().result;
  const first = await mailedSecret(email);
  // As if the mail server had been down: the first mail is still queued.
  await server.owner.query('update mails set sent_at = null, next_attempt_at = null where recipient = $1', [email]);
  expect((await send(api(`accounts/${id}/invitation`), { method: 'POST', bearer: admin.bearer })).status).toBe(200);
  const mails = await server.mailsTo(email);
  expect(mails.map(({ plain }) => plain.includes(first))).toEqual([false]);
  expect((await accept(await mailedSecret(email))).status).toBe(200);
});

test('SEC-F11 a caller that keeps creating users is stopped for the day, whatever the addresses', async () => {
  const { admin, roleOf } = await fixture();
  await server.owner.query("insert into rate_windows (key, hits, ends_at) values ($1, 300, now() + interval '1 hour')", [
    `people-created:${admin.id}`,
  ]);
  const rejected = await invite(admin.bearer, { email: freshEmail(), name: 'Ann', role: roleOf('vendor') });
  expect([rejected.status, rejected.error().key]).toEqual([429, 'account.too_many_tries']);
});
