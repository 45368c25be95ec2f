import { tidySearch } from '@highline/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startIdentityProvider, type IdentityProvider, type ProviderPerson } from '../../testing/identity-provider.ts';
import { inject, type TestResponse } from '../../testing/inject.ts';
import type { OrganizationScope } from '../../testing/seeding.ts';
import { createPushBrowser } from '../../testing/push-browser.ts';
import { EVERYTHING, listEverywhere, readListed } from '../../testing/mail-lists.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { nameOf, ruleFor } from './claims.ts';

// A real provider in a process of its own, over TLS.

let identity: IdentityProvider;
let server: TestServer;
let acme: Company;
let bolt: Company;
const people: Record<string, ProviderPerson> = {};

interface Company {
  readonly scope: OrganizationScope;
  readonly admin: { readonly sessionId: string; readonly id: string };
  readonly provider: string;
  readonly fields: Record<string, unknown>;
}

const PASSWORD = 'correct horse battery staple';

beforeAll(async () => {
  identity = await startIdentityProvider();
  server = await startTestServer({
    webhooks: { ca: identity.ca },
    environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1' },
  });
  const { scope: main, actor } = await server.seeding.mainAccount('Vendor');
  const mainBearer = await server.seeding.bearer(actor.accountId);
  acme = await addCompany(main, mainBearer, 'acme');
  bolt = await addCompany(main, mainBearer, 'bolt');
  await identity.setClients(
    [acme, bolt].map(({ provider, fields }) => ({
      id: String(fields['clientId']),
      secret: String(fields['clientSecret']),
      redirectUri: `${server.url}/console/oidc/callback`,
      logoutUri: `${server.url}/dmp_aa/api/v1/auth/provider/${provider}/logout`,
    })),
  );
});
afterAll(async () => {
  await server.close();
  await identity.close();
});

/** An organization with an admin, and a provider with the domain `<name>.example`, which the main account assigned. */
async function addCompany(
  main: Parameters<TestServer['seeding']['organization']>[0],
  mainBearer: string,
  name: string,
): Promise<Company> {
  const scope = await server.seeding.organization(main, name);
  const id = await server.seeding.account(scope, `owner@${name}.example`, 'admin', PASSWORD);
  const admin = { id, sessionId: await server.seeding.bearer(id) };
  const fields = {
    name: `${name} ID`,
    issuer: identity.issuer,
    clientId: name,
    clientSecret: `secret of ${name}`,
    scopes: 'openid email profile groups',
    rules: [
      { claim: 'groups', value: 'fleet-admins', role: 'admin' },
      { claim: 'groups', value: 'fleet', role: 'user' },
    ],
    domains: [`${name}.example`],
  };
  const created = await inject(server, 'POST', PATH, { as: admin, body: fields });
  expect(created.text).toContain('"confirmed":null');
  const provider = created.json.result.id as string;
  const assigned = await inject(server, 'PUT', `${PATH}/${provider}/domains/${name}.example`, {
    as: { sessionId: mainBearer },
    body: { assigned: true },
  });
  expect(assigned.json.result.domains).toMatchObject([{ domain: `${name}.example`, confirmed: 'assigned' }]);
  return { scope, admin, provider, fields };
}

const PATH = '/dmp_aa/api/v1/identityProviders';

async function addPerson(sub: string, claims: ProviderPerson): Promise<void> {
  people[sub] = { email_verified: true, name: sub, ...claims };
  await identity.setPeople(people);
}

const cookieOf = ({ headers }: TestResponse, name: string): string | undefined =>
  [headers['set-cookie'] ?? []]
    .flat()
    .filter((line) => typeof line === 'string')
    .map((line) => new RegExp(`^${name}=([^;]+)`, 'u').exec(line)?.[1])
    .find((value) => value !== undefined);

async function begin(email: string, next?: string): Promise<TestResponse> {
  return inject(server, 'POST', '/dmp_aa/api/v1/auth/provider', {
    body: { email, ...(next !== undefined && { next }) },
    headers: { host: new URL(server.url).host },
  });
}

/** Come back to the console from the provider. */
async function comeBack(address: string, flow: string | undefined): Promise<TestResponse> {
  const { pathname, search } = new URL(address);
  return inject(server, 'GET', `${pathname}${search}`, flow === undefined ? {} : { headers: { cookie: `idp=${flow}` } });
}

/** Sign in by the provider as a browser does. @returns the last answer, and the bearer */
async function signIn(email: string, sub: string, next?: string, browser = identity.browse()) {
  const begun = await begin(email, next);
  expect(begun.status, begun.text).toBe(200);
  const back = await browser.signIn(begun.json.result.url as string, sub);
  const response = await comeBack(back, cookieOf(begun, 'idp'));
  return { response, location: response.headers['location'], bearer: cookieOf(response, 'vap') ?? '' };
}

const introspect = (bearer: string) =>
  inject(server, 'POST', '/dmp_aa/api/v2/auth/introspect/', { as: { sessionId: bearer }, body: {} });
const byPassword = (email: string) =>
  inject(server, 'POST', '/dmp_aa/api/v1/auth/token', { body: { email, password: PASSWORD } });

describe('a first sign-in', () => {
  test('IAM-01-partial makes a person of the company with the role by the rules, and opens the page that was requested', async () => {
    await addPerson('ann', { email: 'Ann@ACME.example', name: 'Ann Lee', groups: ['other', 'fleet'] });
    const { response, location, bearer } = await signIn(' ann@acme.example', 'ann', '/devices?page=2');
    expect([response.status, location]).toEqual([303, '/devices?page=2']);
    const { result } = (await introspect(bearer)).json;
    expect(result).toMatchObject({
      email: 'ann@acme.example',
      name: 'Ann Lee',
      role: 'vendor',
      org: { id: acme.scope.organizationId },
    });
    const log = await server.owner.query<{ action: string }>(
      'select action from audit_entries where chain_id = $1 order by seq',
      [acme.scope.organizationId],
    );
    const actions = log.rows.map(({ action }) => action);
    expect(actions).toContain('ann@acme.example was added at the first sign-in by acme ID');
    expect(actions).toContain('Signed in by acme ID');
  });

  test('IAM-01-partial gives no one a role whom no rule names', async () => {
    await addPerson('guest', { email: 'guest@acme.example', groups: ['visitors'] });
    expect((await signIn('guest@acme.example', 'guest')).location).toBe('/account.html?failed=provider.no_role');
  });

  test.each([
    ['an address that is not verified', { email: 'bob@acme.example', email_verified: false, groups: ['fleet'] }],
    ['an address of another domain', { email: 'bob@elsewhere.example', groups: ['fleet'] }],
    ["an address of another company's domain", { email: 'bob@bolt.example', groups: ['fleet'] }],
    ['no address', { groups: ['fleet'] }],
    ['an address that is a list', { email: ['bob@acme.example'], groups: ['fleet'] }],
  ])('IAM-01-partial rejects %s', async (_, claims) => {
    await addPerson('bob', claims);
    expect((await signIn('x@acme.example', 'bob')).location).toBe('/account.html?failed=provider.email_unverified');
    expect((await server.owner.query("select 1 from accounts where email like 'bob@%'")).rows).toEqual([]);
  });

  test('IAM-01-partial takes 5,000 groups', async () => {
    const groups = Array.from({ length: 5_000 }, (_, index) => `group-${index}`);
    await addPerson('many', { email: 'many@acme.example', groups: [...groups, 'fleet'] });
    expect((await signIn('many@acme.example', 'many')).location).toBe('/');
  });
});

test('IAM-01-partial IAM-02-partial what a Mac writes, an ü in two characters, is the name and the group that people type', () => {
  const name = nameOf({ name: 'Ju\u0308rgen\u00a0  Mu\u0308ller' }, 'j@acme.example');
  expect(name).toBe('Jürgen Müller');
  expect(name).toContain(tidySearch('Mu\u0308ller'));
  expect(nameOf({ name: '\u200b' }, 'j@acme.example')).toBe('j');
  const rule = { claim: 'groups', value: 'Zürich Admins', role: 'admin' } as const;
  expect(ruleFor([rule], { groups: ['other', 'Zu\u0308rich\u00a0Admins'] })).toBe(rule);
  expect(ruleFor([rule], { groups: ['Zurich Admins'] })).toBeUndefined();
});

describe('later sign-ins', () => {
  test('IAM-01-partial role and address follow the provider; the last admin stays one', async () => {
    await addPerson('eve', { email: 'eve@acme.example', groups: ['fleet'] });
    const first = await signIn('eve@acme.example', 'eve');
    await addPerson('eve', { email: 'Eve.New@acme.example', groups: ['fleet-admins'] });
    const second = await signIn('eve@acme.example', 'eve');
    const [before, after] = [(await introspect(first.bearer)).json.result, (await introspect(second.bearer)).json.result];
    expect(after).toMatchObject({ id: before.id, email: 'eve.new@acme.example', role: 'super' });
    // By the address that the provider used before, and by the new one.
    await addPerson('eve', { email: 'eve.new@acme.example', groups: ['fleet'] });
    expect((await introspect((await signIn('eve.new@acme.example', 'eve')).bearer)).json.result.role).toBe('vendor');
    await addPerson('owner', { email: 'owner@acme.example', groups: ['fleet'] });
    const owner = await signIn('owner@acme.example', 'owner');
    expect((await introspect(owner.bearer)).json.result).toMatchObject({ id: acme.admin.id, role: 'super' });
  });

  test('IAM-01-partial the last admin who can sign in from any network keeps role, address and sight of everything', async () => {
    const second = await server.seeding.account(acme.scope, 'second@acme.example', 'admin', PASSWORD);
    const usual = { needsFactor: false, idleMinutes: 720, lifetimeHours: 168, ranges: [], excepted: [] };
    const savePolicy = async (more: object) =>
      (await inject(server, 'PUT', '/dmp_aa/api/v1/auth/policy', { as: acme.admin, body: { ...usual, ...more } })).status;
    const saveRules = async (rules: unknown) =>
      (await inject(server, 'PUT', `${PATH}/${acme.provider}`, { as: acme.admin, body: { ...acme.fields, rules } })).status;
    const limit = { groups: [], tags: ['cold'] };
    expect(await savePolicy({ ranges: ['127.0.0.0/8'], excepted: ['owner@acme.example'] })).toBe(200);
    for (const role of ['admin', 'user']) {
      expect(await saveRules([{ claim: 'groups', value: 'north', role, limit }])).toBe(200);
      await addPerson('owner', { email: `${role}@acme.example`, groups: ['north'] });
      const { bearer, location } = await signIn('owner@acme.example', 'owner');
      expect(location).toBe('/');
      expect((await introspect(bearer)).json.result).toMatchObject({
        id: acme.admin.id,
        email: 'owner@acme.example',
        role: 'super',
        limitedTo: null,
      });
    }
    expect([await savePolicy({}), await saveRules(acme.fields['rules'])]).toEqual([200, 200]);
    await addPerson('owner', { email: 'owner@acme.example', groups: ['fleet'] });
    expect((await inject(server, 'DELETE', `/dmp_aa/api/v1/accounts/${second}`, { as: acme.admin })).status).toBe(200);
  });

  test('IAM-01-partial mails about vehicles follow the address, in the company and where the person is a guest, and join those of the new one', async () => {
    await addPerson('ian', { email: 'ian@acme.example', groups: ['fleet'] });
    await signIn('ian@acme.example', 'ian');
    const guest = { kind: 'guest', role: 'user', email: 'ian@acme.example', days: 30 };
    expect((await inject(server, 'POST', '/dmp_aa/api/v1/visits', { as: bolt.admin, body: guest })).status).toBe(200);
    await listEverywhere(server, acme.admin, 'ian@acme.example', 'ian.new@acme.example');
    await listEverywhere(server, bolt.admin, 'ian@acme.example');
    await addPerson('ian', { email: 'ian.new@acme.example', groups: ['fleet'] });
    await signIn('ian@acme.example', 'ian');
    for (const { admin } of [acme, bolt]) {
      expect(await readListed(server, admin, 'ian@acme.example')).toEqual([]);
      expect(await readListed(server, admin, 'ian.new@acme.example')).toEqual(EVERYTHING);
    }
  });

  test('IAM-01-partial an address that another account has stays as it was', async () => {
    await addPerson('fay', { email: 'fay@acme.example', groups: ['fleet'] });
    await signIn('fay@acme.example', 'fay');
    await addPerson('fay', { email: 'owner@acme.example', groups: ['fleet'] });
    const { bearer } = await signIn('fay@acme.example', 'fay');
    expect((await introspect(bearer)).json.result.email).toBe('fay@acme.example');
  });

  test('IAM-01-partial keys that change in the middle of a sign-in do not stop it', async () => {
    await addPerson('kim', { email: 'kim@acme.example', groups: ['fleet'] });
    await signIn('kim@acme.example', 'kim');
    const begun = await begin('kim@acme.example');
    const back = await identity.browse().signIn(begun.json.result.url as string, 'kim');
    await identity.rotateKeys();
    expect((await comeBack(back, cookieOf(begun, 'idp'))).headers['location']).toBe('/');
  });
});

describe('a sign-in stays in its browser', () => {
  test('IAM-01-partial without what the browser kept, with that of another sign-in, or a second time, it is rejected', async () => {
    await addPerson('zoe', { email: 'zoe@acme.example', groups: ['fleet'] });
    const [mine, other] = [await begin('zoe@acme.example'), await begin('zoe@acme.example')];
    const back = await identity.browse().signIn(mine.json.result.url as string, 'zoe');
    const failed = '/account.html?failed=provider.state_invalid';
    for (const flow of [undefined, '', 'AAAA', 'x'.repeat(3_000), cookieOf(other, 'idp')])
      expect((await comeBack(back, flow)).headers['location']).toBe(failed);
    const kept = cookieOf(mine, 'idp');
    expect((await comeBack(back, kept)).headers['location']).toBe('/');
    expect((await comeBack(back, kept)).headers['location']).toBe('/account.html?failed=provider.token_invalid');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\tb', 'x', '/a\\b'])(
    'IAM-01-partial %j is not opened after it',
    async (next) => {
      await addPerson('max', { email: 'max@acme.example', groups: ['fleet'] });
      expect((await signIn('max@acme.example', 'max', next)).location).toBe('/');
    },
  );

  test('IAM-01-partial what the provider or anyone sends to the callback is never a fault of ours', async () => {
    for (const query of [
      '',
      '?code=x',
      '?state=x',
      '?error=access_denied&state=x',
      '?code=a&code=b',
      `?code=${'x'.repeat(7_000)}&state=y`,
    ]) {
      const response = await inject(server, 'GET', `/console/oidc/callback${query}`);
      expect([303, 400]).toContain(response.status);
    }
    const begun = await begin('zoe@acme.example');
    const state = new URL(begun.json.result.url as string).searchParams.get('state');
    const denied = await comeBack(
      `${server.url}/console/oidc/callback?error=access_denied&state=${state}&iss=${identity.issuer}`,
      cookieOf(begun, 'idp'),
    );
    expect(denied.headers['location']).toBe('/account.html?failed=provider.rejected');
  });
});

describe('companies', () => {
  test('IAM-01-partial one company never gets the people of another', async () => {
    await addPerson('tom', { email: 'tom@bolt.example', groups: ['fleet'] });
    const { bearer } = await signIn('tom@bolt.example', 'tom');
    expect((await introspect(bearer)).json.result.org.id).toBe(bolt.scope.organizationId);
    // The same domain at another provider: it can be entered, and not be used.
    const taken = await inject(server, 'PUT', `${PATH}/${acme.provider}`, {
      as: acme.admin,
      body: { ...acme.fields, domains: ['acme.example', 'bolt.example'] },
    });
    expect(taken.json.result.domains).toMatchObject([{ confirmed: 'assigned' }, { domain: 'bolt.example', confirmed: null }]);
    const unproven = await inject(server, 'POST', `${PATH}/${acme.provider}/domains/bolt.example/confirm`, { as: acme.admin });
    expect(unproven.json.error.key).toBe('provider.domain_unproven');
    const { rows } = await server.owner.query<{ id: string }>("select id from accounts where email like 'main-%' limit 1");
    const mainBearer = { sessionId: await server.seeding.bearer(rows[0]!.id) };
    const assigned = await inject(server, 'PUT', `${PATH}/${acme.provider}/domains/bolt.example`, {
      as: mainBearer,
      body: { assigned: true },
    });
    expect(assigned.json.error.key).toBe('provider.domain_taken');
    expect(new URL((await begin('new@bolt.example')).json.result.url as string).searchParams.get('client_id')).toBe('bolt');
  });

  test('IAM-01-partial an address without a provider is no way in', async () => {
    for (const email of ['x@nowhere.example', 'x', '', '@', 'a@acme.example.', '\u0000@acme.example'])
      expect([404, 400]).toContain((await begin(email)).status);
  });
});

describe('only by provider', () => {
  const save = (more: object) =>
    inject(server, 'PUT', `${PATH}/${bolt.provider}`, { as: bolt.admin, body: { ...bolt.fields, ...more } });

  test('IAM-01-partial needs an admin with a password who may do without it; all others sign in by it alone', async () => {
    const id = await server.seeding.account(bolt.scope, 'pat@bolt.example', 'user', PASSWORD);
    const pat = await server.seeding.bearer(id);
    expect((await byPassword('pat@bolt.example')).status).toBe(200);
    for (const breakGlass of [[], ['pat@bolt.example'], ['absent@bolt.example'], ['owner@acme.example']])
      expect((await save({ required: true, breakGlass })).json.error.key).toBe('provider.break_glass_missing');
    expect((await save({ required: true, breakGlass: ['owner@bolt.example'], domains: [] })).json.error.key).toBe(
      'provider.domain_missing',
    );

    expect((await save({ required: true, breakGlass: ['owner@bolt.example'] })).status).toBe(200);
    expect((await byPassword('pat@bolt.example')).json.error.key).toBe('account.provider_required');
    expect((await introspect(pat)).status).toBe(401);
    expect((await byPassword('owner@bolt.example')).status).toBe(200);
    expect((await introspect(bolt.admin.sessionId)).status).toBe(200);
    await addPerson('pat', { email: 'pat@bolt.example', groups: ['fleet'] });
    expect((await introspect((await signIn('pat@bolt.example', 'pat')).bearer)).json.result.id).toBe(id);
    // Another company is not concerned.
    expect((await byPassword('owner@acme.example')).status).toBe(200);
  });

  test('IAM-01-partial the last admin who can sign in without the provider is neither deleted nor demoted', async () => {
    const second = await server.seeding.account(bolt.scope, 'second@bolt.example', 'admin', PASSWORD);
    const as = { sessionId: await server.seeding.bearer(second) };
    const removed = await inject(server, 'DELETE', `/dmp_aa/api/v1/accounts/${bolt.admin.id}`, { as });
    expect(removed.json.error.key).toBe('account.last_break_glass');
    const org = bolt.scope.organizationId;
    const change = new URLSearchParams({ id: bolt.admin.id, original: `r.${org}.super`, target: `r.${org}.vendor` });
    expect((await inject(server, 'PUT', '/dmp_aa/api/v1/roles/', { as, body: change })).json.error.key).toBe(
      'account.last_break_glass',
    );
  });

  test('IAM-01-partial IAM-04-partial who is limited already is no such admin: the limit can be changed, and the account deleted', async () => {
    const breakGlass = ['owner@bolt.example', 'limited@bolt.example'];
    const person = await server.seeding.account(bolt.scope, 'limited@bolt.example', 'admin', PASSWORD);
    expect((await save({ required: true, breakGlass })).status).toBe(200);
    const as = {
      sessionId: await server.seeding.bearer(await server.seeding.account(bolt.scope, 'third@bolt.example', 'admin')),
    };
    const limit = (id: string, tag: string) =>
      inject(server, 'PUT', `/dmp_aa/api/v1/accounts/${id}/limit`, { as, body: { limitedTo: { groups: [], tags: [tag] } } });
    expect((await limit(person, 'north')).status).toBe(200);
    expect((await limit(bolt.admin.id, 'north')).json.error.key).toBe('account.last_break_glass');
    // No one is such an admin any more.
    const { rows } = await server.owner.query<{ password_hash: string }>(
      'update accounts a set password_hash = null from accounts b where a.id = $1 and b.id = a.id returning b.password_hash',
      [bolt.admin.id],
    );
    const changed = await limit(person, 'south');
    expect([changed.status, changed.json.result?.limitedTo?.tags]).toEqual([200, ['south']]);
    expect((await inject(server, 'DELETE', `/dmp_aa/api/v1/accounts/${person}`, { as })).status).toBe(200);
    await server.owner.query('update accounts set password_hash = $2 where id = $1', [bolt.admin.id, rows[0]!.password_hash]);
    expect((await save({ required: false })).status).toBe(200);
    expect((await byPassword('pat@bolt.example')).status).toBe(200);
  });
});

describe('logout at the provider', () => {
  test('IAM-01-partial ends the sessions that it began, and no others', async () => {
    await addPerson('lou', { email: 'lou@acme.example', groups: ['fleet'] });
    const [browser, elsewhere] = [identity.browse(), identity.browse()];
    const here = await signIn('lou@acme.example', 'lou', undefined, browser);
    const there = await signIn('lou@acme.example', 'lou', undefined, elsewhere);
    await browser.signOut();
    await expect.poll(async () => (await introspect(here.bearer)).status).toBe(401);
    expect((await introspect(there.bearer)).status).toBe(200);
    const log = await server.owner.query('select 1 from audit_entries where chain_id = $1 and action = $2', [
      acme.scope.organizationId,
      'Signed out by acme ID',
    ]);
    expect(log.rows).toHaveLength(1);
  });

  test('IAM-01-partial SAY-05-partial AUTH-08-partial no browser of a person shows alerts any more once the last session was ended', async () => {
    const PUSH = '/data_manager/v1/alerts/people/push';
    const push = { endpoint: `${identity.issuer}/phone`, ...createPushBrowser().keys, language: 'en-US', zone: 'UTC' };
    const account = await server.seeding.account(acme.scope, 'philippa@acme.example', 'user');
    const register = async (bearer: string) =>
      expect((await inject(server, 'POST', PUSH, { as: { sessionId: bearer }, body: push })).status).toBe(200);
    const countBrowsers = async () => {
      const { json } = await inject(server, 'GET', '/data_manager/v1/alerts/people', { as: acme.admin });
      return json.result.find(({ mail }: { mail: string }) => mail === 'philippa@acme.example').browsers;
    };
    const save = async (more: object) => {
      const saved = await inject(server, 'PUT', `${PATH}/${acme.provider}`, {
        as: acme.admin,
        body: { ...acme.fields, ...more },
      });
      expect(saved.status, saved.text).toBe(200);
    };
    await addPerson('philippa', { email: 'philippa@acme.example', groups: ['fleet'] });
    const signInAt = (browser: ReturnType<IdentityProvider['browse']>) =>
      signIn('philippa@acme.example', 'philippa', undefined, browser);
    const [phone, desk] = [identity.browse(), identity.browse()];
    const [first, second] = [await signInAt(phone), await signInAt(desk)];
    await register(first.bearer);
    await desk.signOut();
    await expect.poll(async () => (await introspect(second.bearer)).status).toBe(401);
    expect(await countBrowsers()).toBe(1);
    await phone.signOut();
    await expect.poll(async () => (await introspect(first.bearer)).status).toBe(401);
    expect(await countBrowsers(), 'signed out at the provider').toBe(0);
    await register((await signInAt(identity.browse())).bearer);
    await save({ enabled: false });
    expect(await countBrowsers(), 'provider off').toBe(0);
    await save({});
    await register(await server.seeding.bearer(account));
    await save({ required: true, breakGlass: ['owner@acme.example'] });
    expect(await countBrowsers(), 'provider required').toBe(0);
    await save({});
    const { bearer } = await signInAt(identity.browse());
    await register(bearer);
    const sessions = `/dmp_aa/api/v1/accounts/${account}/sessions`;
    const [{ id }] = (await inject(server, 'GET', sessions, { as: acme.admin })).json.result.list;
    await inject(server, 'DELETE', `${sessions}/${id}`, { as: acme.admin });
    expect((await introspect(bearer)).status).toBe(401);
    expect(await countBrowsers(), 'ended by an admin').toBe(0);
  });

  test('IAM-01-partial a provider that is deleted or off ends its sessions, and no one signs in by it', async () => {
    const { bearer } = await signIn('lou@acme.example', 'lou');
    const off = await inject(server, 'PUT', `${PATH}/${acme.provider}`, {
      as: acme.admin,
      body: { ...acme.fields, enabled: false },
    });
    expect(off.status).toBe(200);
    expect((await introspect(bearer)).status).toBe(401);
    expect((await begin('lou@acme.example')).json.error.key).toBe('provider.none');
    await inject(server, 'PUT', `${PATH}/${acme.provider}`, { as: acme.admin, body: acme.fields });
  });
});

describe('IAM-01-partial what people see follows the claims', () => {
  test('a rule limits to groups and tags at each sign-in, another one to nothing, and a group that does not exist is rejected', async () => {
    await server.seeding.group(acme.scope, 'Depot North');
    const save = (rules: readonly object[]) =>
      inject(server, 'PUT', `${PATH}/${acme.provider}`, { as: acme.admin, body: { ...acme.fields, rules } });
    const limit = { groups: ['Depot North'], tags: ['cold'] };
    const unknown = [{ claim: 'groups', value: 'north', role: 'user', limit: { groups: ['Depot South'], tags: [] } }];
    expect((await save(unknown)).json.error).toMatchObject({ key: 'group.not_found', field: 'rules' });
    const rules = [{ claim: 'groups', value: 'north', role: 'user', limit }, ...(acme.fields['rules'] as object[])];
    const saved = await save(rules);
    expect(saved.status, saved.text).toBe(200);
    expect(saved.json.result.rules[0].limit).toEqual(limit);
    const seenBy = async (groups: readonly string[]) => {
      await addPerson('nora', { email: 'nora@acme.example', groups });
      const { bearer, location } = await signIn('nora@acme.example', 'nora');
      expect(location).toBe('/');
      return (await introspect(bearer)).json.result.limitedTo;
    };
    const north = { groups: [{ name: 'Depot North' }], tags: ['cold'] };
    expect(await seenBy(['north'])).toMatchObject(north);
    expect(await seenBy(['fleet'])).toBeNull();
    expect(await seenBy(['fleet', 'north'])).toMatchObject(north);
    const log = await server.owner.query('select 1 from audit_entries where chain_id = $1 and action = $2', [
      acme.scope.organizationId,
      'What nora@acme.example sees was changed by acme ID',
    ]);
    expect(log.rows).toHaveLength(3);
    // A guest of the company keeps what the visit allows.
    const groups = [await server.seeding.group(acme.scope, 'Depot West')];
    const guest = { kind: 'guest', role: 'user', email: 'gus@acme.example', days: 30, groups };
    expect((await inject(server, 'POST', '/dmp_aa/api/v1/visits', { as: acme.admin, body: guest })).status).toBe(200);
    for (const claimed of ['fleet-admins', 'north']) {
      await addPerson('gus', { email: 'gus@acme.example', groups: [claimed] });
      const { bearer } = await signIn('gus@acme.example', 'gus');
      const shown = { role: 'vendor', limitedTo: { groups: [{ name: 'Depot West' }], tags: [] }, visit: { atHome: true } };
      expect((await introspect(bearer)).json.result).toMatchObject(shown);
    }
    // No rule limits any more: what the admins choose stays.
    expect((await save(acme.fields['rules'] as object[])).status).toBe(200);
    expect(await seenBy(['fleet'])).toMatchObject(north);
  });
});

describe('IAM-01 another sign-in by the provider in place of the own password', () => {
  const CONFIRMATION = '/dmp_aa/api/v1/auth/provider/confirmation';
  const FACTOR = '/dmp_aa/api/v1/auth/second-factor';
  const beginSecondFactor = (as: { sessionId: string }) => inject(server, 'POST', FACTOR, { as, body: { password: '' } });
  const read = async (as: { sessionId: string }) => (await inject(server, 'GET', CONFIRMATION, { as })).json.result;
  const headers = () => ({ host: new URL(server.url).host });

  async function person(sub: string) {
    await addPerson(sub, { email: `${sub}@acme.example`, groups: ['fleet'] });
    const browser = identity.browse();
    const { bearer } = await signIn(`${sub}@acme.example`, sub, undefined, browser);
    return { as: { sessionId: bearer }, browser };
  }

  async function confirm(
    as: { sessionId: string },
    browser: ReturnType<IdentityProvider['browse']>,
    sub: string,
    isSameBrowser = true,
  ) {
    const begun = await inject(server, 'POST', CONFIRMATION, { as, body: { next: '/profile' }, headers: headers() });
    expect(begun.status, begun.text).toBe(200);
    const url = begun.json.result.url as string;
    expect(url).toContain('prompt=login');
    return comeBack(await browser.signIn(url, sub), isSameBrowser ? cookieOf(begun, 'idp') : undefined);
  }

  test('is requested even of who is signed in there, counts for this session alone, and for five minutes', async () => {
    const { as, browser } = await person('stella');
    expect((await beginSecondFactor(as)).json.error.key).toBe('account.wrong_password');
    expect(await read(as)).toEqual({ possible: true, until: null });
    const back = await confirm(as, browser, 'stella');
    expect(back.headers['location']).toBe('/profile');
    // No other session begins.
    expect(cookieOf(back, 'vap')).toBeUndefined();
    expect((await read(as)).until).not.toBeNull();
    expect((await beginSecondFactor(as)).status).toBe(200);
    const other = await signIn('stella@acme.example', 'stella');
    expect((await beginSecondFactor({ sessionId: other.bearer })).json.error.key).toBe('account.wrong_password');
    await server.owner.query(`update sessions set confirmed_at = confirmed_at - interval '6 minutes'`);
    expect((await beginSecondFactor(as)).json.error.key).toBe('account.wrong_password');
  });

  test('is not that of another person, of another browser, or of a session that has ended', async () => {
    const { as, browser } = await person('sven');
    await addPerson('siri', { email: 'siri@acme.example', groups: ['fleet'] });
    expect((await confirm(as, identity.browse(), 'siri')).headers['location']).toContain('provider.token_invalid');
    expect((await confirm(as, browser, 'sven', false)).headers['location']).toContain('provider.state_invalid');
    expect((await read(as)).until).toBeNull();
    const begun = await inject(server, 'POST', CONFIRMATION, { as, body: {}, headers: headers() });
    const back = await browser.signIn(begun.json.result.url as string, 'sven');
    await inject(server, 'POST', '/dmp_aa/api/v1/auth/logout', { as, body: {} });
    expect((await comeBack(back, cookieOf(begun, 'idp'))).headers['location']).toContain('provider.state_invalid');
  });

  test('is not possible after a sign-in by password', async () => {
    expect(await read(acme.admin)).toEqual({ possible: false, until: null });
    expect((await inject(server, 'POST', CONFIRMATION, { as: acme.admin, body: {} })).json.result).toEqual({ url: null });
  });
});
