import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { purgeLastTables } from '../../platform/retention/batches.ts';
import { createMovingClock, send } from '../../testing/call.ts';
import { inject, type Method, type TestCall } from '../../testing/inject.ts';
import { codeOf, PEOPLES_PASSWORD as password, PEOPLES_SECRET } from '../../testing/second-factor.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { accountsModule } from './module.ts';

const clock = createMovingClock();
const none = { needsFactor: false, idleMinutes: 720, lifetimeHours: 168, ranges: [], excepted: [] };

let server: TestServer;
let main: MainScope;
let organization: OrganizationScope;
let admin: { id: string; email: string; bearer: string };
let count = 0;

beforeAll(async () => {
  server = await startTestServer({ clock });
  main = (await server.seeding.mainAccount('Home')).scope;
});
beforeEach(async () => {
  count += 1;
  organization = await server.seeding.organization(main, `Policy ${count}`);
  admin = await person('admin');
});
afterAll(() => server.close());

let people = 0;
async function person(role: 'main' | 'admin' | 'user' = 'user') {
  people += 1;
  const email = `policy-${people}@highline.invalid`;
  const id = await server.seeding.account(role === 'main' ? main : organization, email, role, password);
  return { id, email, bearer: await server.seeding.bearer(id) };
}
const call = (method: Method, path: string, bearer: string, body?: unknown, more: TestCall = {}) =>
  inject(server, method, `/dmp_aa/api/v1/${path}`, { as: { sessionId: bearer }, body, ...more });
const outcomeOf = ({ status, json }: { readonly status: number; readonly json: { error?: { key: string } } }) =>
  status === 200 ? 'done' : json.error?.key;
const save = (input: object, bearer = admin.bearer) => call('PUT', 'auth/policy', bearer, { ...none, ...input });
const signIn = async (email: string, more: object = {}) => {
  const response = await send(`${server.url}/dmp_aa/api/v1/auth/token`, { body: { email, password, ...more } });
  return response.status === 200 ? response.json<{ result: { id: string; vap: string } }>().result : response.error().key;
};
const bearerOf = (session: Awaited<ReturnType<typeof signIn>>) => (typeof session === 'string' ? session : session.vap);
const isSignedIn = async (bearer: string) => (await call('POST', '../v2/auth/introspect/', bearer)).status === 200;
const mailsTo = async (email: string) =>
  (
    await server.owner.query<{ subject: string; plain: string }>(
      'select subject, plain from mails where recipient = $1 order by created_at',
      [email],
    )
  ).rows;

describe('IAM-06-partial a policy of the company', () => {
  test('is of its admins, and says what it does before it was ever saved', async () => {
    const user = await person();
    const { json } = await call('GET', 'auth/policy', admin.bearer);
    expect(json.result).toMatchObject({ ...none, people: 2, withoutFactor: 2, by: null, version: '0' });
    expect(outcomeOf(await call('GET', 'auth/policy', user.bearer))).toBe('permission.denied');
    expect(outcomeOf(await save({ needsFactor: true }, user.bearer))).toBe('permission.denied');
  });

  test('concerns its own people only: not those of another organization, nor of the main account', async () => {
    const colleague = await person('main');
    const own = await person();
    const home = organization;
    organization = await server.seeding.organization(main, `Other ${count}`);
    const other = await person();
    expect(outcomeOf(await save({ needsFactor: true }))).toBe('done');
    expect(await signIn(own.email)).toBe('account.factor_needed');
    expect(await signIn(other.email)).toMatchObject({ id: other.id });
    expect(await signIn(colleague.email)).toMatchObject({ id: colleague.id });
    expect(outcomeOf(await save({ idleMinutes: 600 }, colleague.bearer))).toBe('done');
    expect((await call('GET', 'auth/policy', admin.bearer)).json.result).toMatchObject({ needsFactor: true, idleMinutes: 720 });
    await server.database.write((tx) => purgeLastTables(tx, home, accountsModule.organizationEnd!.lastTables!));
    const { rowCount } = await server.owner.query('select from sign_in_policies where organization_id = $1', [
      home.organizationId,
    ]);
    expect(rowCount).toBe(0);
  });

  test('is saved over no one else’s: If-Match', async () => {
    const stale = await call(
      'PUT',
      'auth/policy',
      admin.bearer,
      { ...none, idleMinutes: 30 },
      { headers: { 'if-match': '"0"' } },
    );
    expect(outcomeOf(stale)).toBe('done');
    const late = await call('PUT', 'auth/policy', admin.bearer, { ...none, idleMinutes: 60 }, { headers: { 'if-match': '"0"' } });
    expect(outcomeOf(late)).toBe('conflict.stale');
  });

  test.each([
    [{ idleMinutes: 4 }, 'request.invalid'],
    [{ lifetimeHours: 169 }, 'request.invalid'],
    [{ ranges: ['203.0.113.0/33'] }, 'policy.range_invalid'],
    [{ ranges: ['not a network'] }, 'policy.range_invalid'],
    [{ ranges: Array.from({ length: 51 }, () => '203.0.113.0/24') }, 'request.invalid'],
    [{ ranges: ['203.0.113.0/24'] }, 'policy.excepted_missing'],
    [{ ranges: ['203.0.113.0/24'], excepted: ['no-one@highline.invalid'] }, 'policy.excepted_missing'],
  ])('is rejected with what is wrong with it: %j', async (input, key) => {
    expect(outcomeOf(await save(input))).toBe(key);
  });
});

describe('IAM-06-partial a second factor for all', () => {
  test('leads who lacks one to set it up at the next sign-in; a password alone opens nothing', async () => {
    const { id, email, bearer } = await person();
    await save({ needsFactor: true });
    expect(await isSignedIn(bearer)).toBe(true);
    expect(await signIn(email)).toBe('account.factor_needed');
    const begin = (secret: string) =>
      send(`${server.url}/dmp_aa/api/v1/auth/second-factor/sign-in`, { body: { email, password: secret } });
    expect((await begin('not this one')).error().key).toBe('account.wrong_password');
    const { secret } = (await begin(password)).json<{ result: { secret: string } }>().result;
    const confirm = (code: string) =>
      send(`${server.url}/dmp_aa/api/v1/auth/second-factor/sign-in/confirm`, { body: { email, password, code } });
    expect((await confirm('abcdef')).error().key).toBe('account.otp_wrong');
    const begun = (await confirm(codeOf(secret, clock.now()))).json<{
      result: { id: string; vap: string; recoveryCodes: string[] };
    }>();
    expect(begun.result.id).toBe(id);
    expect(begun.result.recoveryCodes).toHaveLength(10);
    expect(await isSignedIn(begun.result.vap)).toBe(true);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toContain(
      'A second factor was set up for your Highline account',
    );
    expect(await signIn(email)).toBe('account.otp_needed');
    expect(await signIn(email, { otp: begun.result.recoveryCodes[0] })).toMatchObject({ id });
    // No one who knows the password replaces it.
    expect((await begin(password)).error().key).toBe('account.second_factor_on');
    const end = { password, code: begun.result.recoveryCodes[1] };
    expect(outcomeOf(await call('DELETE', 'auth/second-factor', begun.result.vap, end))).toBe('account.factor_required');
    const sessions = await call('GET', 'auth/sessions', begun.result.vap);
    const own = sessions.json.result.list.find(({ current }: { current: boolean }) => current);
    expect(own).toMatchObject({ method: 'code' });
  });

  test('cannot be set up at the sign-in where no one requires it', async () => {
    const { email } = await person();
    const response = await send(`${server.url}/dmp_aa/api/v1/auth/second-factor/sign-in`, { body: { email, password } });
    expect(response.error().key).toBe('account.second_factor_on');
  });

  test('is mailed to those whom it concerns', async () => {
    const without = await person();
    const having = await person();
    await server.seeding.secondFactor(having.id, PEOPLES_SECRET, true);
    await save({ needsFactor: true });
    const [to] = await mailsTo(without.email);
    expect(to?.plain).toContain('At your next sign-in by password you will set up a second factor');
    expect(to?.plain).toContain(admin.email);
    expect((await mailsTo(having.email))[0]?.plain).not.toContain('set up a second factor');
    await save({ needsFactor: true });
    expect(await mailsTo(without.email)).toHaveLength(1);
  });
});

describe('IAM-06-partial times of sessions', () => {
  test('a session ends after its idle time and after its lifetime, and says until when it lasts', async () => {
    const { email } = await person();
    await save({ idleMinutes: 30, lifetimeHours: 2 });
    const bearer = bearerOf(await signIn(email));
    const { json } = await call('POST', '../v2/auth/introspect/', bearer);
    expect(json.result.idleUntil).toBe(Math.floor(clock.now().getTime() / 1_000) + 1_800);
    for (let call = 0; call < 4; call += 1) {
      clock.advance(29 * 60_000);
      expect(await isSignedIn(bearer)).toBe(true);
    }
    clock.advance(5 * 60_000);
    expect(await isSignedIn(bearer)).toBe(false);
    const idle = bearerOf(await signIn(email));
    clock.advance(31 * 60_000);
    expect(await isSignedIn(idle)).toBe(false);
    admin.bearer = bearerOf(await signIn(admin.email));
    const { json: listed } = await call('GET', `accounts/${(await personOf(email)).id}/sessions`, admin.bearer);
    expect(listed.result.list).toEqual([]);
  });
});

const personOf = async (email: string) =>
  (await server.owner.query<{ id: string }>('select id from accounts where email = $1', [email])).rows[0]!;

describe('IAM-06-partial networks', () => {
  const away = { ranges: ['203.0.113.0/24', '2001:db8::/32'] };

  test('that exclude the own address are saved only when confirmed, and then end what comes from elsewhere', async () => {
    const excepted = await person('admin');
    const user = await person();
    const rule = { ...away, excepted: [excepted.email] };
    const rejected = await save(rule);
    expect([outcomeOf(rejected), rejected.json.error.detail]).toEqual(['policy.excludes_you', { address: '127.0.0.1' }]);
    expect(await isSignedIn(user.bearer)).toBe(true);
    expect(outcomeOf(await save({ ...rule, confirmed: true }, excepted.bearer))).toBe('done');
    expect(await isSignedIn(user.bearer)).toBe(false);
    expect(await signIn(user.email)).toBe('account.address_not_allowed');
    expect(await isSignedIn(excepted.bearer)).toBe(true);
    expect(await signIn(excepted.email)).toMatchObject({ id: excepted.id });
    // Break-glass: someone can always sign in from everywhere.
    const last = await call('DELETE', `accounts/${excepted.id}`, (await person('main')).bearer);
    expect(outcomeOf(last)).toBe('account.last_excepted');
    await save({ ranges: ['127.0.0.0/8'], excepted: [excepted.email] }, excepted.bearer);
    expect(await isSignedIn(user.bearer)).toBe(true);
    expect((await mailsTo(user.email))[0]?.plain).toContain('203.0.113.0/24');
  });

  test('IAM-04-partial who is limited already is no one whom they keep: the limit can be changed', async () => {
    const [limited, other] = [await person('admin'), await person('admin')];
    await save({ ...away, excepted: [limited.email, other.email], confirmed: true });
    const limit = async (id: string, tag: string) =>
      outcomeOf(await call('PUT', `accounts/${id}/limit`, other.bearer, { limitedTo: { groups: [], tags: [tag] } }));
    const by = (await person('main')).bearer;
    expect(await limit(limited.id, 'north')).toBe('done');
    expect(outcomeOf(await call('DELETE', `accounts/${other.id}`, by))).toBe('account.last_excepted');
    await server.owner.query('update accounts set password_hash = null where id = $1', [other.id]);
    expect(await limit(limited.id, 'south')).toBe('done');
    expect(outcomeOf(await call('DELETE', `accounts/${limited.id}`, by))).toBe('done');
  });

  test('a right password says nothing before it was right', async () => {
    const user = await person();
    await save({ ...away, excepted: [admin.email] });
    expect(await signIn(user.email, { password: 'not this one' })).toBe('account.wrong_password');
  });
});

describe('IAM-06-partial sessions of colleagues', () => {
  const idOf = (bearer: string) => createHash('sha256').update(bearer).digest('hex');

  test('are listed with how they began, and end at once, one or all; the person gets a mail', async () => {
    const { id, email } = await person();
    const first = bearerOf(await signIn(email));
    const second = bearerOf(await signIn(email));
    const { json } = await call('GET', `accounts/${id}/sessions`, admin.bearer);
    expect(json.result.list).toHaveLength(3);
    expect(json.result.list.find((each: { id: string }) => each.id === idOf(first))).toMatchObject({
      address: '127.0.0.1',
      method: 'password',
      current: false,
    });
    expect((await call('DELETE', `accounts/${id}/sessions/${idOf(first)}`, admin.bearer)).json.result).toEqual({ ended: 1 });
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
    expect((await call('DELETE', `accounts/${id}/sessions/all`, admin.bearer)).json.result).toEqual({ ended: 2 });
    expect(await isSignedIn(second)).toBe(false);
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(
      Array.from({ length: 2 }, () => 'You were signed out of Highline'),
    );
    expect((await call('DELETE', `accounts/${id}/sessions/all`, admin.bearer)).json.result).toEqual({ ended: 0 });
  });

  test('are not those of others: another organization’s people, a session of someone else, oneself', async () => {
    const own = admin;
    const colleague = await person();
    organization = await server.seeding.organization(main, `Foreign ${count}`);
    const foreign = await person();
    expect(outcomeOf(await call('GET', `accounts/${foreign.id}/sessions`, own.bearer))).toBe('account.not_found');
    expect(outcomeOf(await call('DELETE', `accounts/${foreign.id}/sessions/all`, own.bearer))).toBe('account.not_found');
    const crossed = await call('DELETE', `accounts/${colleague.id}/sessions/${idOf(foreign.bearer)}`, own.bearer);
    expect(crossed.json.result).toEqual({ ended: 0 });
    expect(await isSignedIn(foreign.bearer)).toBe(true);
    expect(outcomeOf(await call('DELETE', `accounts/${own.id}/sessions/all`, own.bearer))).toBe('account.is_self');
    for (const wrong of ['', 'x', '%00', 'f'.repeat(63)])
      expect([404, 200], wrong).toContain(
        (await call('DELETE', `accounts/${colleague.id}/sessions/${wrong}`, own.bearer)).status,
      );
  });
});

test('IAM-08-partial whom to ask: the admins of the own organization who can sign in, and no one of another', async () => {
  const user = await person();
  const second = await person('admin');
  await server.owner.query('update accounts set password_hash = null where id = $1', [second.id]);
  const { json } = await call('GET', 'auth/admins', user.bearer);
  expect(json.result.list.map(({ email }: { email: string }) => email)).toEqual([admin.email]);
});
