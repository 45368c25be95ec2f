import { accounts, alerts, apiKeys, devices, search, visits as calls, type Operation } from '@highline/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createMovingClock } from '../../testing/call.ts';
import { inject, outcomeOf } from '../../testing/inject.ts';
import { PEOPLES_PASSWORD as password } from '../../testing/second-factor.ts';
import type { SeededPerson as Person } from '../../testing/seeding.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { findAllowed } from '../accounts/index.ts';
import { runVisits } from './visits.service.ts';

const clock = createMovingClock();

let server: TestServer;
let main: MainScope;
let organization: OrganizationScope;
let [ada, engineer]: Person[] = [];
let depots = 0;
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ clock });
});
beforeEach(async () => {
  count += 1;
  main = (await server.seeding.mainAccount(`Host ${count}`)).scope;
  organization = await server.seeding.organization(main, `Visited ${count}`);
  [ada, engineer] = [await person('admin'), await person('main')];
});
afterAll(() => server.close());

const person = (role: 'main' | 'admin' | 'user', scope = role === 'main' ? main : organization) =>
  server.seeding.person(scope, role, password);
const call = (operation: Pick<Operation, 'method' | 'path'>, { bearer }: Pick<Person, 'bearer'>, body?: unknown, id = '') =>
  inject(server, operation.method, operation.path.replace('{visit}', id), { as: { sessionId: bearer }, body });
const open = (by: Person, input: object) => call(calls.openVisit, by, { kind: 'support', role: 'admin', ...input });
const idOf = ({ json }: { readonly json: { result: calls.Visit } }) => json.result.id;
const enter = async (by: Person, id: string) => outcomeOf(await call(calls.enterVisit, by, undefined, id));
const introspect = async (by: Person) => (await call(accounts.introspect, by)).json.result as accounts.Introspection | undefined;
const addGroup = (by: Person) =>
  call({ method: 'POST', path: '/data_manager/v1/dm/group' }, by, {
    org: organization.organizationId,
    name: `Depot ${(depots += 1)}`,
  });
const logOf = async ({ organizationId }: OrganizationScope) =>
  (
    await server.owner.query<{ actor_email: string; action: string; actor_role: string; actor_with: unknown }>(
      'select actor_email, action, actor_role, actor_with from audit_entries where chain_id = $1 order by seq',
      [organizationId],
    )
  ).rows;
const accountAt = async (email: string) =>
  (await server.owner.query<{ id: string }>('select id from accounts where email = $1', [email])).rows[0]!.id;
const run = () => runVisits({ database: server.database }, 'https://cloud.test', clock.now());

describe('IAM-05 support', () => {
  test('acts in the organization with the role it was given, and each entry names both', async () => {
    expect(outcomeOf(await addGroup(engineer!))).toBe('permission.denied');
    const id = idOf(await open(ada!, { hours: 4 }));
    expect(await introspect(ada!)).toMatchObject({ visit: null, support: { id } });
    expect(await enter(engineer!, id)).toBe('done');
    expect(await introspect(engineer!)).toMatchObject({
      id: engineer!.id,
      role: 'super',
      org: { id: organization.organizationId },
      visit: { kind: 'support', by: ada!.email },
      support: null,
    });
    expect(outcomeOf(await addGroup(engineer!))).toBe('done');
    const entries = await logOf(organization);
    expect(entries.at(-1)).toMatchObject({
      actor_email: engineer!.email,
      actor_role: 'admin',
      actor_with: [{ as: 'support', email: ada!.email }],
    });
    expect(outcomeOf(await call(calls.leaveVisit, engineer!))).toBe('done');
    expect(await introspect(engineer!)).toMatchObject({ org: null, visit: null });
    expect(outcomeOf(await addGroup(engineer!))).toBe('permission.denied');
  });

  test('sees nothing of another organization, and changes no people, keys or rules, nor lets anyone in', async () => {
    const sibling = await server.seeding.organization(main, `Sibling ${count}`);
    const id = idOf(await open(ada!, {}));
    await enter(engineer!, id);
    const list = (org: string) => call({ method: 'GET', path: `${devices.listDevices.path}?limit=5&org=${org}` }, engineer!);
    expect((await list(organization.organizationId)).status).toBe(200);
    expect((await list(sibling.organizationId)).status).toBe(404);
    for (const attempt of [
      open(engineer!, { hours: 1 }),
      call({ method: 'POST', path: apiKeys.createKey.path }, engineer!, { name: 'Key', operations: ['devices.list'] }),
      call({ method: 'GET', path: '/dmp_aa/api/v1/auth/policy' }, engineer!),
      call({ method: 'POST', path: '/data_manager/v1/dm/jobs' }, engineer!, {
        action: { kind: 'remove', list: 'users' },
        selection: { rows: [ada!.id] },
      }),
    ])
      expect(outcomeOf(await attempt)).toBe('permission.visitor');
  });

  test('of someone with an own role of the main account does no more than that role, in calls and in what runs later', async () => {
    const own = { method: 'POST', path: '/dmp_aa/api/v1/own_roles' } as const;
    const give = (role: string) =>
      inject(server, 'PUT', `/dmp_aa/api/v1/accounts/${engineer!.id}/own_role`, {
        as: { sessionId: boss.bearer },
        body: { role },
      });
    const boss = await person('main');
    const reader = (await call(own, boss, { name: 'Stock', rights: ['inventory.read'] })).json.result.id as string;
    const watcher = (await call(own, boss, { name: 'Watch', rights: ['devices.read'] })).json.result.id as string;
    const id = idOf(await open(ada!, { hours: 4 }));
    // Before and after entering: the role of now counts.
    expect(await enter(engineer!, id)).toBe('done');
    expect(outcomeOf(await addGroup(engineer!))).toBe('done');
    const list = () => call({ method: 'GET', path: `${devices.listDevices.path}?limit=5` }, engineer!);
    const stored = {
      accountId: engineer!.id,
      email: engineer!.email,
      name: '',
      role: 'admin' as const,
      mainAccountId: main.mainAccountId,
      organizationId: organization.organizationId,
      address: '',
      sessionId: '',
      visit: { id, kind: 'support' as const, until: null, atHome: false },
    };
    const later = (right: Operation) => findAllowed(server.database.read, stored, right).then((allowed) => allowed !== undefined);
    expect(await later(devices.listDevices)).toBe(true);
    await give(reader);
    expect(outcomeOf(await list())).toBe('permission.own_role');
    expect(outcomeOf(await addGroup(engineer!))).toBe('permission.own_role');
    expect(await later(devices.listDevices)).toBe(false);
    await give(watcher);
    expect(outcomeOf(await list())).toBe('done');
    expect(outcomeOf(await addGroup(engineer!))).toBe('permission.own_role');
    expect(await introspect(engineer!)).toMatchObject({ visit: { kind: 'support' }, ownRole: { name: 'Watch' } });
    // A visit as a user is not widened by it either.
    const other = idOf(await open(ada!, { role: 'user' }));
    const again = { ...engineer!, bearer: await server.seeding.bearer(engineer!.id) };
    expect(await enter(again, other)).toBe('done');
    expect(outcomeOf(await addGroup(again))).toBe('permission.denied');
  });

  test('ends by one press, by itself, with the organization and with the engineer: the next call is rejected', async () => {
    const first = idOf(await open(ada!, { hours: 4 }));
    await enter(engineer!, first);
    expect(outcomeOf(await call(calls.endVisit, ada!, undefined, first))).toBe('done');
    expect(outcomeOf(await addGroup(engineer!))).toBe('session.invalid');
    const second = { ...engineer!, bearer: await server.seeding.bearer(engineer!.id) };
    expect(await enter(second, first)).toBe('visit.not_found');
    const hourly = idOf(await open(ada!, { hours: 1 }));
    expect(await enter(second, hourly)).toBe('done');
    await server.owner.query("update visits set until = now() - interval '1 hour' where id = $1", [hourly]);
    expect(outcomeOf(await addGroup(second))).toBe('session.invalid');
    await run();
    expect((await logOf(organization)).at(-1)).toMatchObject({
      actor_email: 'Highline',
      action: 'The access of support has ended',
    });
    const third = { ...engineer!, bearer: await server.seeding.bearer(engineer!.id) };
    await enter(third, idOf(await open(ada!, {})));
    await server.owner.query('update organizations set deleted_at = now() where id = $1', [organization.organizationId]);
    expect(outcomeOf(await addGroup(third))).toBe('session.invalid');
    await run();
    const { rows } = await server.owner.query('select from visits where organization_id = $1 and ended_at is null', [
      organization.organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  test('is one at a time, of the own main account, and let in by an admin who is signed in', async () => {
    const first = idOf(await open(ada!, { hours: 4 }));
    await enter(engineer!, first);
    const other = idOf(await open(ada!, { role: 'user' }));
    expect(outcomeOf(await addGroup(engineer!))).toBe('session.invalid');
    const foreigner = await person('main', (await server.seeding.mainAccount(`Unrelated ${count}`)).scope);
    expect(await enter(foreigner, other)).toBe('visit.not_found');
    expect(await enter(ada!, other)).toBe('visit.not_found');
    expect(outcomeOf(await open(await person('user'), {}))).toBe('permission.denied');
    expect(outcomeOf(await open(engineer!, {}))).toBe('session.invalid');
    const again = { ...engineer!, bearer: await server.seeding.bearer(engineer!.id) };
    expect(await enter(again, other)).toBe('done');
    expect(outcomeOf(await addGroup(again))).toBe('permission.denied');
    const both = await Promise.all([open(ada!, {}), open(ada!, {})]);
    expect(both.map(outcomeOf)).toEqual(['done', 'done']);
    const { rows } = await server.owner.query('select from visits where organization_id = $1 and ended_at is null', [
      organization.organizationId,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('IAM-05 guests', () => {
  const guest = (email: string, more: object = {}) => open(ada!, { kind: 'guest', role: 'user', email, days: 30, ...more });

  test('of another organization enter with their own account, see what they are limited to, and leave', async () => {
    const elsewhere = await server.seeding.organization(main, `Elsewhere ${count}`);
    const gil = await person('admin', elsewhere);
    const group = await server.seeding.group(organization, `North ${count}`);
    const id = idOf(await guest(gil.email, { groups: [group] }));
    const [mail] = await server.mailsTo(gil.email);
    expect(mail?.subject).toBe(`You are a guest of Visited ${count}`);
    expect(mail?.plain).toMatch(/^Until \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC, you can act in/mu);
    expect(outcomeOf(await guest(gil.email))).toBe('visit.open_already');
    const { json } = await call({ method: 'GET', path: `${calls.listVisits.path}?mine=true&limit=5` }, gil);
    expect(json.result).toMatchObject([{ id, mayEnter: true, orgName: `Visited ${count}`, groups: [`North ${count}`] }]);
    expect(await enter(gil, id)).toBe('done');
    expect(await introspect(gil)).toMatchObject({
      role: 'vendor',
      org: { id: organization.organizationId },
      limitedTo: { groups: [{ id: group }] },
      visit: { kind: 'guest' },
    });
    const groupsSeen = await call({ method: 'GET', path: '/data_manager/v1/dm/group?limit=50' }, gil);
    expect(JSON.stringify(groupsSeen.json)).not.toContain('"default"');
    expect(outcomeOf(await call(calls.leaveVisit, gil))).toBe('done');
    expect(await introspect(gil)).toMatchObject({ role: 'super', org: { id: elsewhere.organizationId }, visit: null });
  });

  test('let a rule inform their own address, which leaves with them, and those that rules inform already; support none of its own', async () => {
    const gil = await person('admin', await server.seeding.organization(main, `Elsewhere ${count}`));
    const save = async (by: Person, ...mails: readonly string[]) => {
      const body = {
        name: `Lost ${mails.join()}`,
        enabled: true,
        severity: 'critical',
        condition: { kind: 'offline' },
        forSeconds: 0,
        scope: { kind: 'all' },
        hours: null,
        channels: { mails, webhooks: [], escalation: null, quiet: null },
      };
      return outcomeOf(await call(alerts.addRule, by, body));
    };
    await enter(gil, idOf(await guest(gil.email, { role: 'admin' })));
    await enter(engineer!, idOf(await open(ada!, {})));
    expect(await save(ada!, 'duty@visited.example')).toBe('done');
    expect(await save(gil, gil.email, 'DUTY@visited.example')).toBe('done');
    expect(await save(gil, 'private@elsewhere.example')).toBe('permission.visitor');
    expect(await save(engineer!, engineer!.email)).toBe('permission.visitor');
    expect(await save(engineer!)).toBe('done');
  });

  test('find no people of the organization in the palette, whose list they may not open; its admins do', async () => {
    const elsewhere = await server.seeding.organization(main, `Elsewhere ${count}`);
    const [gil, helper] = [await person('admin', elsewhere), engineer!];
    const group = await server.seeding.group(organization, `Sought ${count}`);
    const sought = await server.seeding.account(organization, `sought-${count}@visited.example`, 'user');
    const found = async (by: Person) => {
      const { json } = await call({ method: 'GET', path: `${search.find.path}?text=sought` }, by);
      return json.result.map(({ id }: search.Found) => id);
    };
    await enter(gil, idOf(await guest(gil.email, { role: 'admin' })));
    await enter(helper, idOf(await open(ada!, {})));
    expect(await found(gil)).toEqual([group]);
    expect(await found(helper)).toEqual([group]);
    expect(await found(ada!)).toEqual([group, sought]);
  });

  test('without an account are invited; they get a mail a week before the end, and sign in no more after it', async () => {
    const email = `guest-${count}@elsewhere.example`;
    const id = idOf(await guest(email));
    const account = await accountAt(email);
    const gus = { id: account, email, bearer: await server.seeding.bearer(account) };
    expect(await introspect(gus)).toMatchObject({ role: 'vendor', visit: { kind: 'guest', atHome: true } });
    const { json } = await call(accounts.listAccounts, ada!);
    expect(json.result.list.find((each: { email: string }) => each.email === email)).toMatchObject({
      guestUntil: expect.any(String),
    });
    await server.owner.query("update visits set until = now() + interval '6 days' where id = $1", [id]);
    await server.owner.query("update visits set created_at = now() - interval '20 days' where id = $1", [id]);
    await run();
    await run();
    expect((await server.mailsTo(email)).filter(({ subject }) => subject.includes('ends soon'))).toHaveLength(1);
    await server.owner.query("update visits set until = now() - interval '1 hour' where id = $1", [id]);
    expect(await introspect(gus)).toBeUndefined();
    await run();
    const { rows: left } = await server.owner.query<{ roles: string[] }>('select roles from accounts where id = $1', [gus.id]);
    expect(left[0]!.roles).toEqual([]);
  });

  test('IAM-05-partial USR-04-partial are no admins who keep an organization: the last one of its own stays, and its main account may add one where none is left', async () => {
    const email = `consultant-${count}@elsewhere.example`;
    await guest(email, { role: 'admin' });
    const consultant = await accountAt(email);
    await server.seeding.password(consultant, password);
    const api = '/dmp_aa/api/v1';
    const roleOf = (role: 'super' | 'vendor') => `r.${organization.organizationId}.${role}`;
    const remove = (id: string) => call({ method: 'DELETE', path: `${api}/accounts/${id}` }, engineer!);
    const demote = { id: ada!.id, original: roleOf('super'), target: roleOf('vendor') };
    const inviteAdmin = (name: string) =>
      call({ method: 'POST', path: `${api}/vendorAccounts/` }, engineer!, {
        email: `${name}-${count}@visited.example`,
        name,
        role: roleOf('super'),
      });
    const second = await person('admin');
    const limit = { limitedTo: { groups: [], tags: ['north'] } };
    expect(outcomeOf(await call({ method: 'PUT', path: `${api}/accounts/${second.id}/limit` }, ada!, limit))).toBe('done');
    for (const attempt of [
      remove(ada!.id),
      call({ method: 'PUT', path: `${api}/roles/` }, engineer!, new URLSearchParams(demote)),
      call({ method: 'PUT', path: `${api}/accounts/${ada!.id}/limit` }, engineer!, limit),
    ])
      expect(outcomeOf(await attempt)).toBe('account.last_admin');
    expect(outcomeOf(await inviteAdmin('early'))).toBe('account.admin_exists');
    const { json } = await call({ method: 'GET', path: `${api}/auth/admins` }, ada!);
    expect(json.result.list.map((admin: { email: string }) => admin.email)).toEqual([ada!.email]);
    // As it was left by an earlier version.
    await server.owner.query("update accounts set roles = '{}' where id = $1", [ada!.id]);
    expect(outcomeOf(await inviteAdmin('first'))).toBe('done');
    expect(outcomeOf(await remove(consultant))).toBe('done');
  });

  test('USR-02-partial are invited again after their visit, as guests, as people, or by another organization', async () => {
    const other = await server.seeding.organization(main, `Next ${count}`);
    const otherAdmin = await person('admin', other);
    const group = await server.seeding.group(organization, `Past ${count}`);
    const email = `returning-${count}@elsewhere.example`;
    const end = async (id: string) => expect(outcomeOf(await call(calls.endVisit, ada!, undefined, id))).toBe('done');
    const pageOf = async (by: Person) => {
      const { json } = await call({ method: 'GET', path: `/dmp_aa/api/v1/accounts/${await accountAt(email)}` }, by);
      return json.result;
    };
    const add = (by: Person, org: OrganizationScope, address = email) =>
      call({ method: 'POST', path: '/dmp_aa/api/v1/vendorAccounts/' }, by, {
        email: address,
        name: 'Rae',
        role: `r.${org.organizationId}.vendor`,
      });
    const first = idOf(await guest(email, { groups: [group] }));
    const account = await accountAt(email);
    const control = { account, control: 'full' };
    const controls = { method: 'PATCH', path: `/data_manager/v1/dm/group/${group}/accounts` } as const;
    // It gives nothing to someone who is limited; a process of before stored it.
    expect(outcomeOf(await call(controls, ada!, control))).toBe('group.not_controllable');
    await server.owner.query(
      'insert into group_controls (organization_id, group_key, account_id, created_at) values ($1, $2, $3, now())',
      [organization.organizationId, group, account],
    );
    await end(first);
    expect(await pageOf(ada!)).toMatchObject({
      roles: [],
      guestEnded: expect.any(String),
      limitedTo: { groups: [{ id: group }] },
    });
    const again = idOf(await guest(email));
    expect(await pageOf(ada!)).toMatchObject({ role: 'vendor', guestEnded: null, limitedTo: null });
    const list = await call({ method: 'GET', path: controls.path }, ada!);
    expect(
      list.json.result.filter(({ id, control }: { id: string; control: string }) => id === account && control === 'full'),
    ).toEqual([]);
    expect(outcomeOf(await guest(email))).toBe('visit.open_already');
    expect(outcomeOf(await add(otherAdmin, other))).toBe('account.exists');
    await end(again);
    // One of the people, who is no guest since: no directory takes the role for that.
    expect(outcomeOf(await add(ada!, organization))).toBe('done');
    expect(await pageOf(ada!)).toMatchObject({ role: 'vendor', guestEnded: null });
    const { rows } = await server.owner.query('select from visits where account_id = $1', [await accountAt(email)]);
    expect(rows).toEqual([]);
    expect(outcomeOf(await guest(email))).toBe('visit.is_member');
    expect(outcomeOf(await add(otherAdmin, other))).toBe('account.exists');
    // Of another organization, after a visit here; one whom a directory keeps stays.
    const second = `second-${email}`;
    await end(idOf(await guest(second)));
    const kept = [await accountAt(second), organization.organizationId];
    await server.owner.query(
      `insert into scim_users (account_id, organization_id, user_name, content, is_active, created_at, updated_at)
        values ($1, $2, 'second', '{}', false, now(), now())`,
      kept,
    );
    expect(outcomeOf(await add(otherAdmin, other, second))).toBe('account.exists');
    await server.owner.query('delete from scim_users where account_id = $1 and organization_id = $2', kept);
    expect(outcomeOf(await add(otherAdmin, other, second))).toBe('done');
  });

  test('get no more mails about vehicles after a press, the time, or the end of their company or account', async () => {
    const gone = await server.seeding.organization(main, `Gone ${count}`);
    const partner = await server.seeding.organization(main, `Partner ${count}`);
    const [pressed, ofGone, deleted] = [
      await person('admin', partner),
      await person('admin', gone),
      await person('user', partner),
    ];
    const invited = { email: `invited-${count}@elsewhere.example` };
    const all = [invited, pressed, ofGone, deleted].map(({ email }) => email);
    const alerts = '/data_manager/v1/alerts/people';
    const ids: string[] = [];
    for (const mail of all) {
      ids.push(idOf(await guest(mail)));
      const entry = { mail, severities: ['warning'], hours: null, channels: ['mail'], language: 'en-US', zone: 'UTC' };
      expect(outcomeOf(await call({ method: 'PUT', path: alerts }, ada!, entry))).toBe('done');
    }
    const report = {
      name: 'Fleet',
      kind: 'inventory',
      format: 'csv',
      zone: 'UTC',
      language: 'en-US',
      every: 'day',
      onDay: 1,
      hour: 6,
    };
    const summaries = { method: 'POST', path: '/data_manager/v1/dm/summaries' } as const;
    expect(outcomeOf(await call(summaries, ada!, { ...report, recipients: all }))).toBe('done');
    const informed = async () => {
      const { json } = await call({ method: 'GET', path: `${alerts}?informed=true&limit=50` }, ada!);
      return (json.result as { mail: string }[])
        .map(({ mail }) => mail)
        .filter((mail) => all.includes(mail))
        .toSorted();
    };
    expect(await informed()).toEqual(all.toSorted());
    expect(outcomeOf(await call(calls.endVisit, ada!, undefined, ids[1]))).toBe('done');
    expect(await informed()).not.toContain(pressed.email);
    await server.owner.query("update visits set until = now() - interval '1 hour' where id = $1", [ids[0]]);
    const ended = { org: gone.organizationId };
    expect(outcomeOf(await call({ method: 'DELETE', path: '/data_manager/v1/dm/org' }, engineer!, ended))).toBe('done');
    await run();
    expect(await informed()).toEqual([deleted.email]);
    expect(outcomeOf(await call({ method: 'DELETE', path: `/dmp_aa/api/v1/accounts/${deleted.id}` }, engineer!))).toBe('done');
    expect(await informed()).toEqual([]);
  });

  test('are people of elsewhere, and of no other main account', async () => {
    expect(outcomeOf(await guest((await person('user')).email))).toBe('visit.is_member');
    expect(outcomeOf(await guest(engineer!.email))).toBe('visit.is_member');
    const abroad = (await server.seeding.mainAccount(`Abroad ${count}`)).scope;
    const foreigner = await person('admin', await server.seeding.organization(abroad, 'Far'));
    expect(outcomeOf(await guest(foreigner.email))).toBe('account.exists');
    expect(outcomeOf(await open(ada!, { kind: 'guest', days: 3 }))).toBe('request.invalid');
  });
});
