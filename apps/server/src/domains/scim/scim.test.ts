import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createMovingClock } from '../../testing/call.ts';
import { inject, type Method, type TestCall } from '../../testing/inject.ts';
import { EVERYTHING, listEverywhere, readListed } from '../../testing/mail-lists.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { purgeVisits } from '../visits/index.ts';
import { purgeDirectories } from './directories.purge.ts';

// As a directory sends it: over HTTP, by what RFC 7643 and 7644 say and by what Microsoft Entra ID and Okta send.

const clock = createMovingClock();
const PASSWORD = 'correct horse battery staple';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const CONSOLE = '/data_manager/v1/dm/scim';

let server: TestServer;
let main: MainScope;
let acme: Company;
let count = 0;

interface Company {
  readonly name: string;
  readonly scope: OrganizationScope;
  readonly admin: { readonly id: string; readonly sessionId: string };
  readonly secret: string;
}

beforeAll(async () => {
  server = await startTestServer({ clock });
  main = (await server.seeding.mainAccount('Vendor')).scope;
});
afterAll(() => server.close());
beforeEach(async () => {
  acme = await addCompany();
});

async function addCompany(): Promise<Company> {
  count += 1;
  const name = `scim-${count}`;
  const scope = await server.seeding.organization(main, name);
  const id = await server.seeding.account(scope, `owner@${name}.example`, 'admin', PASSWORD);
  const admin = { id, sessionId: await server.seeding.bearer(id) };
  const made = await inject(server, 'POST', `${CONSOLE}/secrets`, { as: admin, body: { name: 'Entra ID', days: 365 } });
  expect(made.status, made.text).toBe(200);
  return { name, scope, admin, secret: made.json.secret as string };
}

/** A call of the directory of a company. */
async function call(
  method: Method,
  path: string,
  body?: unknown,
  { company = acme, ...more }: TestCall & { company?: Company } = {},
) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const response = await server.inject({
    method,
    url: `/scim/v2${path}`,
    headers: {
      authorization: `Bearer ${company.secret}`,
      ...(text === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...more.headers,
    },
    ...(text === undefined ? {} : { payload: text }),
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
    json: (response.body === '' ? {} : JSON.parse(response.body)) as Record<string, any>,
  };
}

const emailOf = (name: string, company = acme) => `${name}@${company.name}.example`;
async function add(name: string, more: object = {}, company = acme): Promise<string> {
  const body = { schemas: [USER], userName: emailOf(name, company), displayName: name, ...more };
  const { status, text, json } = await call('POST', '/Users', body, { company });
  expect(status, text).toBe(201);
  return json['id'] as string;
}
const operations = (...all: object[]) => ({ schemas: [PATCH], Operations: all });
const deactivate = operations({ op: 'Replace', path: 'active', value: 'False' });
const bearerOf = (id: string) => server.seeding.bearer(id);
const isSignedIn = async (sessionId: string) =>
  (await inject(server, 'POST', '/dmp_aa/api/v2/auth/introspect/', { as: { sessionId } })).status === 200;
const rolesOf = async (id: string) =>
  (await server.owner.query<{ roles: string[] }>('select roles from accounts where id = $1', [id])).rows[0]?.roles.map(
    (role) => role.split('.')[2],
  );
const directory = async (company = acme) => (await inject(server, 'GET', CONSOLE, { as: company.admin })).json.result;
const saveRoles = (body: object, company = acme) => inject(server, 'PUT', `${CONSOLE}/roles`, { as: company.admin, body });

describe('IAM-02-partial who may call', () => {
  test('programs without the secret are rejected before anything is read, in the form of the RFC', async () => {
    for (const authorization of [
      '',
      'Bearer x',
      'Basic eDp5',
      `Bearer hls_${'a'.repeat(43)}`,
      `Bearer ${acme.admin.sessionId}`,
    ]) {
      const { status, json, headers } = await call('POST', '/Users', '{"userName":', { headers: { authorization } });
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toBe('Bearer realm="SCIM"');
      expect(json).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
    }
    // Not even which addresses there are.
    expect((await call('GET', '/Nothing', undefined, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
    expect((await call('GET', '/Nothing')).status).toBe(404);
  });

  test('a secret is shown once, stored as a hash, and rejected once it was revoked or expired', async () => {
    const shown = JSON.stringify(await directory());
    expect(shown).not.toContain(acme.secret);
    const stored = await server.owner.query('select s::text from scim_secrets s');
    expect(JSON.stringify(stored.rows)).not.toContain(acme.secret.slice(8, -8));
    expect((await call('GET', '/Users')).status).toBe(200);
    const [secret] = (await directory()).secrets;
    expect(secret.lastUsed).not.toBeNull();
    const again = await inject(server, 'POST', `${CONSOLE}/secrets`, { as: acme.admin, body: { name: 'Next', days: 1 } });
    const next = { ...acme, secret: again.json.secret as string };
    expect((await inject(server, 'DELETE', `${CONSOLE}/secrets/${secret.id}`, { as: acme.admin, body: {} })).status).toBe(200);
    expect((await call('GET', '/Users')).status).toBe(401);
    expect((await call('GET', '/Users', undefined, { company: next })).status).toBe(200);
    await server.owner.query('update scim_secrets set expires_at = $1 where organization_id = $2', [
      clock.now(),
      acme.scope.organizationId,
    ]);
    expect((await call('GET', '/Users', undefined, { company: next })).status).toBe(401);
    await purgeDirectories(server.database, new Date(clock.now().getTime() + 91 * 86_400_000));
    const left = await server.owner.query('select 1 from scim_secrets where organization_id = $1', [acme.scope.organizationId]);
    expect(left.rows).toEqual([]);
  });

  test('there are at most three secrets', async () => {
    const make = () => inject(server, 'POST', `${CONSOLE}/secrets`, { as: acme.admin, body: { name: 'More', days: 30 } });
    await make();
    await make();
    expect((await make()).json.error.key).toBe('scim.too_many');
  });

  test('too many calls in a minute wait, with the time in Retry-After', async () => {
    await server.owner.query(`insert into rate_windows (key, hits, ends_at) values ($1, 3000, $2)`, [
      `directory:${acme.scope.organizationId}`,
      new Date(clock.now().getTime() + 30_000),
    ]);
    const { status, headers } = await call('GET', '/Users');
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  test('while the disk is full, changes are answered as in other calls, in the form of the RFC', async () => {
    const { owner } = server;
    // PostgreSQL reports a full disk this way; really filling the disk would break other tests.
    await owner.query(`create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await owner.query('create trigger no_space before insert on accounts for each row execute function no_space()');
    const { status, headers, json } = await call('POST', '/Users', { userName: emailOf('late') });
    await owner.query('drop function no_space cascade');
    expect([status, headers['retry-after'], json['detail']]).toEqual([
      503,
      '30',
      expect.stringContaining('The disk of the server, or of its database, is full.'),
    ]);
  });

  test('what the server supports is described, and searched by no filter', async () => {
    const config = await call('GET', '/ServiceProviderConfig');
    expect(config.headers['content-type']).toContain('application/scim+json');
    expect(config.json).toMatchObject({
      patch: { supported: true },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: true },
    });
    expect((await call('GET', '/Schemas')).json['totalResults']).toBe(3);
    expect((await call('GET', `/Schemas/${USER}`)).json).toMatchObject({ id: USER, name: 'User' });
    expect((await call('GET', '/ResourceTypes')).json['Resources']).toMatchObject([
      { id: 'User' },
      { id: 'Group', schema: GROUP },
    ]);
    expect((await call('GET', '/ResourceTypes/User')).json).toMatchObject({ endpoint: '/Users' });
    expect((await call('GET', '/Schemas?filter=id%20pr')).status).toBe(403);
    for (const path of ['/Me', '/Bulk']) expect((await call('GET', path)).status).toBe(501);
  });
});

describe('IAM-02-partial people', () => {
  test('are made, read, replaced, changed and deleted, with entity tags', async () => {
    const made = await call('POST', '/Users', {
      schemas: [USER],
      externalId: 'bjensen',
      userName: emailOf('bjensen'),
      name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
      password: 'is not taken',
    });
    expect(made.status, made.text).toBe(201);
    const id = made.json['id'] as string;
    expect(made.json).toMatchObject({
      externalId: 'bjensen',
      displayName: 'Ms. Barbara J Jensen III',
      active: true,
      meta: { resourceType: 'User' },
    });
    expect(made.text).not.toContain('is not taken');
    expect(made.headers['location']).toMatch(new RegExp(`/scim/v2/Users/${id}$`, 'u'));
    const tag = String(made.headers['etag']);
    expect(tag).toBe(made.json['meta'].version);
    const path = `/Users/${id}`;
    expect((await call('GET', path, undefined, { headers: { 'if-none-match': tag } })).status).toBe(304);
    const body = { schemas: [USER], userName: emailOf('bjensen'), displayName: 'Babs', title: 'Fleet Manager' };
    expect((await call('PUT', path, body, { headers: { 'if-match': 'W/"0.0"' } })).status).toBe(412);
    const put = await call('PUT', path, body, { headers: { 'if-match': tag } });
    expect(put.json).toMatchObject({ displayName: 'Babs', title: 'Fleet Manager', active: true });
    expect(put.json).not.toHaveProperty('name');
    expect(put.json).not.toHaveProperty('externalId');
    expect(
      (await call('PATCH', path, operations({ op: 'add', path: 'nickName', value: 'B' }), { headers: { 'if-match': tag } }))
        .status,
    ).toBe(412);
    const nickName = '😀'.repeat(1_000);
    const patched = await call('PATCH', path, operations({ op: 'add', value: { nickName } }));
    expect(patched.json).toMatchObject({ nickName, title: 'Fleet Manager' });
    expect(patched.headers['etag']).not.toBe(put.headers['etag']);
    const projected = await call('GET', `${path}?attributes=userName`);
    expect(Object.keys(projected.json).toSorted()).toEqual(['id', 'schemas', 'userName']);
    expect((await call('DELETE', path, undefined, { headers: { 'if-match': tag } })).status).toBe(412);
    expect((await call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'DELETE'] as const) expect((await call(method, path)).status).toBe(404);
    expect(await rolesOf(id)).toBeUndefined();
  });

  test('may be changed in what they are read with, an address that no one wrote included', async () => {
    const read = async (id: string) => {
      const { userName, emails, title } = (await call('GET', `/Users/${id}`)).json;
      const { rows } = await server.owner.query<{ email: string }>('select email from accounts where id = $1', [id]);
      return { userName, emails, title, account: rows[0]!.email };
    };
    const work = (value: string) => [{ value, type: 'work', primary: true }];
    const id = await add('eve');
    const [first, second, third] = ['eve', 'eva', 'evi'].map((name) => emailOf(name)) as [string, string, string];
    expect(await read(id)).toEqual({ userName: first, emails: work(first), title: undefined, account: first });
    // The address follows the name as long as no one wrote one, also after another change.
    expect((await call('PATCH', `/Users/${id}`, operations({ op: 'add', path: 'title', value: 'Boss' }))).status).toBe(200);
    expect((await call('PATCH', `/Users/${id}`, operations({ op: 'replace', path: 'userName', value: second }))).status).toBe(
      200,
    );
    expect(await read(id)).toEqual({ userName: second, emails: work(second), title: 'Boss', account: second });
    const change = operations({ op: 'replace', path: 'emails[type eq "work"].value', value: third });
    expect((await call('PATCH', `/Users/${id}`, change)).status).toBe(200);
    expect(await read(id)).toEqual({ userName: second, emails: work(third), title: 'Boss', account: third });
    // Of people who were invited as well; one that was changed here stays.
    const invited = await server.seeding.account(acme.scope, emailOf('guy'), 'user');
    expect((await call('PATCH', `/Users/${invited}`, change)).status).toBe(409);
    const other = operations({ op: 'replace', path: 'emails[type eq "work"].value', value: emailOf('gus') });
    expect((await call('PATCH', `/Users/${invited}`, other)).status).toBe(200);
    expect(await read(invited)).toMatchObject({ userName: emailOf('guy'), account: emailOf('gus') });
    const moved = await add('hal');
    await server.owner.query('update accounts set email = $2 where id = $1', [moved, emailOf('harold')]);
    expect((await call('PATCH', `/Users/${moved}`, operations({ op: 'add', path: 'title', value: 'Boss' }))).status).toBe(200);
    expect(await read(moved)).toMatchObject({ emails: work(emailOf('harold')), account: emailOf('harold') });
  });

  test('have another entity tag once their groups, and groups once the names of their members, are others', async () => {
    const id = await add('ivy');
    const tags = new Set<string>();
    /** Read with all tags of before: it is not one of them. */
    const isChanged = async (path: string) => {
      const headers = { 'if-none-match': [...tags, 'W/"none"'].join(', ') };
      const { status, headers: sent } = await call('GET', path, undefined, { headers });
      tags.add(String(sent['etag']));
      return status === 200;
    };
    const person = `/Users/${id}`;
    expect([await isChanged(person), await isChanged(person)]).toEqual([true, false]);
    const made = await call('POST', '/Groups', { schemas: [GROUP], displayName: 'Depot', members: [{ value: id }] });
    const group = `/Groups/${made.json['id']}`;
    const listed = async () => (await call('GET', '/Groups')).json['Resources'][0].meta.version as string;
    expect([await isChanged(person), await isChanged(person), await isChanged(group)]).toEqual([true, false, true]);
    expect(tags).toContain(await listed());
    await call('PATCH', group, operations({ op: 'replace', path: 'displayName', value: 'Yard' }));
    expect([await isChanged(person), await isChanged(group)]).toEqual([true, true]);
    await call('PATCH', person, operations({ op: 'replace', path: 'displayName', value: 'Ivana' }));
    expect([await isChanged(person), await isChanged(group), await isChanged(group)]).toEqual([true, true, false]);
    const stale = { headers: { 'if-match': made.json['meta'].version as string } };
    expect((await call('DELETE', group, undefined, stale)).status).toBe(412);
    const current = (await call('GET', group)).json['meta'].version as string;
    expect((await call('DELETE', group, undefined, { headers: { 'if-match': current } })).status).toBe(204);
    expect(await isChanged(person)).toBe(true);
  });

  test('have up to 32,000 characters, and may stay larger where they were', async () => {
    const id = await add('large');
    const texts = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ value: `${index}${'x'.repeat(900)}`, type: 'x' }));
    const person = (roles: object[], name = 'large') => ({ userName: emailOf(name), roles, active: true });
    for (const [method, path] of [
      ['POST', '/Users'],
      ['PUT', `/Users/${id}`],
    ] as const)
      expect((await call(method, path, person(texts(40), method === 'PUT' ? 'large' : 'other'))).json).toMatchObject({
        status: '400',
        scimType: 'invalidValue',
      });
    expect((await call('PUT', `/Users/${id}`, person(texts(30)))).status).toBe(200);
    const before = { displayName: 'large', roles: texts(50) };
    await server.owner.query('update scim_users set content = $1 where account_id = $2', [JSON.stringify(before), id]);
    expect((await call('PATCH', `/Users/${id}`, deactivate)).status).toBe(200);
  });

  test('are found by filters, in pages, those too who were invited', async () => {
    for (const name of ['ann', 'ben', 'cia']) await add(name, { title: name === 'cia' ? 'Boss' : 'Driver' });
    const find = async (query: string) => (await call('GET', `/Users?${new URLSearchParams(query).toString()}`)).json;
    expect(await find(`filter=userName eq "${emailOf('BEN')}"`)).toMatchObject({
      totalResults: 1,
      Resources: [{ displayName: 'ben' }],
    });
    // The admin, who is known here and not to the directory so far.
    expect(await find(`filter=userName eq "${emailOf('owner')}"`)).toMatchObject({
      totalResults: 1,
      Resources: [{ id: acme.admin.id }],
    });
    expect(await find('filter=title eq "driver"&count=1')).toMatchObject({ totalResults: 2, itemsPerPage: 1, startIndex: 1 });
    expect(await find('filter=title eq "driver"&count=1&startIndex=2')).toMatchObject({ Resources: [{ displayName: 'ben' }] });
    expect(await find('count=2')).toMatchObject({ totalResults: 4, itemsPerPage: 2 });
    expect(await find('count=0')).toMatchObject({ totalResults: 4, Resources: [] });
    expect(await find('startIndex=4&count=100000')).toMatchObject({ startIndex: 4, itemsPerPage: 1 });
    expect(await find('startIndex=-3')).toMatchObject({ startIndex: 1 });
    expect((await call('GET', '/Users?count=many')).json).toMatchObject({ scimType: 'invalidValue' });
    const search = await call('POST', '/Users/.search', { filter: `${'title pr or '.repeat(10_000)}title pr` });
    expect([search.status, search.json['scimType']]).toEqual([400, 'invalidFilter']);
    expect(
      (await call('POST', '/Users/.search', { filter: 'displayName eq "ann"', attributes: ['displayName'] })).json,
    ).toMatchObject({
      Resources: [{ displayName: 'ann' }],
    });
  });

  test('a name or address that is taken is a 409, no matter who has it', async () => {
    const other = await addCompany();
    await add('ann');
    for (const userName of [emailOf('ann'), emailOf('ANN'), emailOf('owner'), emailOf('owner', other)]) {
      const { status, json } = await call('POST', '/Users', { userName });
      expect([status, json['scimType'], json['detail']]).toEqual([409, 'uniqueness', 'This name or address is taken.']);
    }
    const id = await add('ben');
    const change = operations({
      op: 'replace',
      value: { userName: emailOf('owner', other), emails: [{ value: emailOf('owner', other) }] },
    });
    expect((await call('PATCH', `/Users/${id}`, change)).json['scimType']).toBe('uniqueness');
  });

  test.each([
    ['no name', {}, 'invalidValue'],
    ['no address', { userName: 'bjensen' }, 'invalidValue'],
    ['a list', [], 'invalidSyntax'],
    ['no JSON', '{"userName":', 'invalidSyntax'],
    ['another type', { userName: { a: 1 } }, 'invalidValue'],
    ['a broken character', '{"userName":"a\\u0000@scim.example"}', 'invalidValue'],
    ['a path that does not exist', undefined, 'invalidPath'],
  ])('%s is rejected with the reason', async (_, body, expected) => {
    const response =
      body === undefined
        ? await call('PATCH', `/Users/${acme.admin.id}`, operations({ op: 'add', path: 'no.where', value: 1 }))
        : await call('POST', '/Users', body);
    expect([response.status, response.json['scimType']], response.text).toEqual([400, expected]);
  });

  test('of another organization do not exist, nor do its groups', async () => {
    const other = await addCompany();
    const theirs = await add('zoe', {}, other);
    const group = (await call('POST', '/Groups', { displayName: 'Theirs' }, { company: other })).json['id'] as string;
    const body = { userName: emailOf('ann'), displayName: 'x' };
    for (const path of [`/Users/${theirs}`, `/Users/${other.admin.id}`, `/Groups/${group}`, '/Users/x', '/Groups/x']) {
      expect((await call('GET', path)).status).toBe(404);
      expect((await call('PUT', path, body)).status).toBe(404);
      expect((await call('PATCH', path, operations({ op: 'add', path: 'externalId', value: 'x' }))).status).toBe(404);
      expect((await call('DELETE', path)).status).toBe(404);
    }
    const member = await call('POST', '/Groups', { displayName: 'Ours', members: [{ value: theirs }] });
    expect([member.status, member.json['scimType']]).toEqual([400, 'invalidValue']);
    expect((await call('GET', '/Users')).text).not.toContain(other.name);
    expect(
      (await call('GET', `/Users?filter=${encodeURIComponent(`userName eq "${emailOf('zoe', other)}"`)}`)).json['totalResults'],
    ).toBe(0);
    const taken = await saveRoles({ defaultRole: 'user', groups: [{ id: group, role: 'admin' }] });
    expect(taken.json.error.key).toBe('scim.group_not_found');
  });
});

describe('IAM-02 one request compares no more than others can wait for', () => {
  const many = (most: number, make: (index: number) => object) =>
    operations(...Array.from({ length: most }, (_, index) => make(index)));
  const outcomeOf = async (method: Method, path: string, body: object) => {
    const { status, json, text } = await call(method, path, body);
    expect(text.length).toBeLessThan(2_000);
    return status === 200 ? 'done' : [status, json['scimType']];
  };

  test('operations, terms and values multiply up to a bound, and nothing of a rejected one is kept', async () => {
    const emails = Array.from({ length: 100 }, (_, index) => ({
      value: `p${index}@x.example`,
      display: `d${index}`,
      type: 'work',
    }));
    const id = await add('ann', { emails });
    const before = (await call('GET', `/Users/${id}`)).text;
    const path = `emails[${'display eq "q" or '.repeat(40)}value pr].display`;
    const attempts: [object, string][] = [
      [many(1_000, () => ({ op: 'replace', path, value: 'x' })), 'tooMany'],
      [many(1_000, () => ({ op: 'add', path: 'emails', value: [emails[0]] })), 'tooMany'],
      [many(1_000, () => ({ op: 'remove', path: 'emails', value: [{ value: 'x', type: 'work' }] })), 'tooMany'],
      [many(1_000, () => ({ op: 'replace', path: 'emails.type', value: 'home' })), 'tooMany'],
      [
        many(1, () => ({
          op: 'add',
          value: Object.fromEntries(emails.map((_, index) => [path.replace('"q"', `"${index}"`), 'x'])),
        })),
        'tooMany',
      ],
      // No way adds more values than a list may have.
      [many(1, () => ({ op: 'add', path: 'emails', value: [{ value: 'more@x.example' }] })), 'invalidValue'],
      [many(1, () => ({ op: 'add', path: 'emails[type eq "new"].value', value: 'more@x.example' })), 'invalidValue'],
      [many(1, () => ({ op: 'add', value: { emails: [{ value: 'more@x.example' }] } })), 'invalidValue'],
      [
        many(1, () => ({ op: 'add', value: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`a${index}`, 1])) })),
        'invalidValue',
      ],
    ];
    const outcomes: unknown[] = [];
    for (const [body] of attempts) outcomes.push(await outcomeOf('PATCH', `/Users/${id}`, body));
    expect(outcomes).toEqual(attempts.map(([, expected]) => [400, expected]));
    expect((await call('GET', `/Users/${id}`)).text).toBe(before);
    // What directories send is far below it.
    const usual = many(60, (index) => ({ op: 'Replace', path: 'emails[type eq "work"].display', value: `x${index}` }));
    expect((await call('PATCH', `/Users/${id}`, usual)).status).toBe(200);
  });

  test('one operation for each of many members is as good as one for all', async () => {
    const people = [await add('ann'), await add('ben'), await add('cia')];
    const group = (await call('POST', '/Groups', { displayName: 'Many' })).json['id'] as string;
    const added = many(900, (index) => ({ op: 'Add', path: 'members', value: [{ value: people[index % 3], type: 'User' }] }));
    const listed = async () => (await call('GET', `/Groups/${group}`)).json['members']?.length as number | undefined;
    expect((await call('PATCH', `/Groups/${group}`, added)).status).toBe(200);
    expect(await listed()).toBe(3);
    const removed = many(900, (index) => ({ op: 'Remove', path: `members[value eq "${people[index % 2]}"]` }));
    expect((await call('PATCH', `/Groups/${group}`, removed)).status).toBe(200);
    expect(await listed()).toBe(1);
    const both = operations(
      { op: 'add', path: 'members', value: [{ value: people[0] }] },
      { op: 'remove', path: 'members', value: [{ value: people[0] }] },
      { op: 'remove', path: `members[value eq "${people[2]}"]` },
      { op: 'add', path: 'members', value: { value: people[1] } },
    );
    expect((await call('PATCH', `/Groups/${group}`, both)).json['members']).toMatchObject([{ value: people[1] }]);
    expect((await call('PATCH', `/Groups/${group}`, operations({ op: 'remove', path: 'members' }))).status).toBe(200);
    expect(await listed()).toBeUndefined();
  });

  test('a search compares up to a bound as well', async () => {
    const emails = Array.from({ length: 30 }, (_, index) => ({ value: `${'x'.repeat(900)}${index}`, type: 'other' }));
    for (let index = 0; index < 40; index += 1)
      await add(`wide${index}`, { emails: [{ value: emailOf(`wide${index}`), primary: true }, ...emails.slice(1)] });
    const filter = `${'emails.value co "no" or '.repeat(98)}emails.value co "no"`;
    expect(await outcomeOf('POST', '/Users/.search', { filter, count: 1 })).toEqual([400, 'tooMany']);
    expect(await outcomeOf('POST', '/Users/.search', { filter: 'emails.value co "no"', count: 1 })).toBe('done');
  });
});

describe('IAM-02 who is deactivated there', () => {
  test('has no session, key or link here, and gets the role back when active again', async () => {
    const id = await server.seeding.account(acme.scope, emailOf('ann'), 'admin', PASSWORD);
    const session = await bearerOf(id);
    const key = await inject(server, 'POST', '/data_manager/v1/dm/api_keys', {
      as: { sessionId: session },
      body: { name: 'Key', operations: ['devices.list'] },
    });
    const { secret } = key.json;
    const listed = () => inject(server, 'GET', '/data_manager/v1/dm/devices/', { as: { sessionId: secret as string } });
    expect((await listed()).status).toBe(200);
    const path = `/Users/${id}`;
    expect((await call('PATCH', path, deactivate)).json['active']).toBe(false);
    expect(await isSignedIn(session)).toBe(false);
    expect((await listed()).status).toBe(401);
    expect(await rolesOf(id)).toEqual([]);
    const signIn = () =>
      inject(server, 'POST', '/dmp_aa/api/v1/auth/token', { body: { email: emailOf('ann'), password: PASSWORD } });
    expect((await signIn()).status).not.toBe(200);
    // Nothing that it is given here counts while it is inactive.
    expect((await call('PATCH', path, operations({ op: 'replace', path: 'title', value: 'Boss' }))).json['active']).toBe(false);
    expect((await call('PATCH', path, operations({ op: 'Replace', value: { active: true } }))).json['active']).toBe(true);
    expect(await rolesOf(id)).toEqual(['super']);
    // The session is not the one of before.
    expect(await isSignedIn(session)).toBe(false);
    expect((await signIn()).status).toBe(200);
    expect((await listed()).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await listed()).status).toBe(401);
  });

  test('the last admin, and who is excepted from the rules for signing in, stay; this is logged, and mailed once', async () => {
    const { status, json } = await call('PATCH', `/Users/${acme.admin.id}`, deactivate);
    expect([status, json['detail']]).toEqual([
      409,
      'This is the last admin of the organization. Choose another one in Highline first.',
    ]);
    expect((await call('DELETE', `/Users/${acme.admin.id}`)).status).toBe(409);
    expect(await rolesOf(acme.admin.id)).toEqual(['super']);
    expect(await isSignedIn(acme.admin.sessionId)).toBe(true);
    const log = await server.owner.query<{ action: string }>(
      `select action from audit_entries where chain_id = $1 and action like '%not allowed%'`,
      [acme.scope.organizationId],
    );
    expect(log.rows).toHaveLength(2);
    const mails = await server.owner.query('select 1 from mails where recipient = $1 and subject like $2', [
      emailOf('owner'),
      'The directory%',
    ]);
    expect(mails.rows).toHaveLength(1);

    const second = await server.seeding.account(acme.scope, emailOf('second'), 'admin', PASSWORD);
    const policy = {
      needsFactor: false,
      idleMinutes: 720,
      lifetimeHours: 168,
      ranges: ['0.0.0.0/0', '::/0'],
      excepted: [emailOf('second')],
    };
    expect((await inject(server, 'PUT', '/dmp_aa/api/v1/auth/policy', { as: acme.admin, body: policy })).status).toBe(200);
    const excepted = await call('PATCH', `/Users/${second}`, deactivate);
    expect(excepted.status).toBe(409);
    expect(excepted.json['detail']).toContain('excepted');
    expect((await call('PATCH', `/Users/${acme.admin.id}`, deactivate)).status).toBe(200);
  });

  test('nor is their address changed, alone or with the rest; that of others is, and its person and the admins know', async () => {
    const mailed = async (email: string) => (await server.mailsTo(email)).map(({ subject }) => subject);
    const rename = (name: string, more: object = {}) =>
      operations({ op: 'replace', value: { emails: [{ value: emailOf(name), primary: true }], ...more } });
    const last = await call('PATCH', `/Users/${acme.admin.id}`, rename('attacker'));
    expect([last.status, last.json['detail']]).toEqual([
      409,
      'This is the last admin of the organization. Choose another one in Highline first.',
    ]);
    const whole = { userName: emailOf('attacker'), displayName: 'Owner' };
    expect((await call('PUT', `/Users/${acme.admin.id}`, whole)).status).toBe(409);
    expect(await mailed(emailOf('owner'))).toEqual([
      'The directory of your company could not change the address of a Highline account',
    ]);
    const second = await server.seeding.account(acme.scope, emailOf('second'), 'admin', PASSWORD);
    const policy = {
      needsFactor: false,
      idleMinutes: 720,
      lifetimeHours: 168,
      ranges: ['0.0.0.0/0', '::/0'],
      excepted: [emailOf('second')],
    };
    expect((await inject(server, 'PUT', '/dmp_aa/api/v1/auth/policy', { as: acme.admin, body: policy })).status).toBe(200);
    for (const more of [{}, { active: false }])
      expect((await call('PATCH', `/Users/${second}`, rename('renamed', more))).status).toBe(409);
    expect(await rolesOf(second)).toEqual(['super']);
    const forgot = async (name: string) => {
      await inject(server, 'POST', '/dmp_aa/api/v1/auth/password/forgot', { body: { email: emailOf(name) } });
      return mailed(emailOf(name));
    };
    for (const name of ['attacker', 'renamed']) expect(await forgot(name)).toEqual([]);

    expect((await call('PATCH', `/Users/${acme.admin.id}`, rename('boss'))).status).toBe(200);
    for (const name of ['owner', 'second'])
      expect(await mailed(emailOf(name))).toContain('The address of a Highline account was changed');
    const ann = await add('ann');
    expect((await call('PATCH', `/Users/${ann}`, rename('anna'))).status).toBe(200);
    expect(await mailed(emailOf('ann'))).toEqual(['The address of a Highline account was changed']);
    expect(await mailed(emailOf('anna'))).toEqual([]);
  });

  test('mails about vehicles follow an address that is changed, and end with the person', async () => {
    const [ann, as] = [await add('ann'), acme.admin];
    await listEverywhere(server, as, emailOf('ann'));
    const renamed = operations({ op: 'replace', value: { emails: [{ value: emailOf('anna'), primary: true }] } });
    expect((await call('PATCH', `/Users/${ann}`, renamed)).status).toBe(200);
    expect(await readListed(server, as, emailOf('ann'))).toEqual([]);
    expect(await readListed(server, as, emailOf('anna'))).toEqual(EVERYTHING);
    expect((await call('DELETE', `/Users/${ann}`)).status).toBe(204);
    expect(await readListed(server, as, emailOf('anna'))).toEqual([]);
  });

  test('links that were mailed to an address open nothing once it is changed', async () => {
    const AUTH = '/dmp_aa/api/v1';
    const body = { email: emailOf('ann'), name: 'Ann', role: `r.${acme.scope.organizationId}.vendor` };
    const id = (await inject(server, 'POST', `${AUTH}/vendorAccounts/`, { as: acme.admin, body })).json.result.id as string;
    await inject(server, 'POST', `${AUTH}/auth/password/forgot`, { body: { email: emailOf('ann') } });
    const secrets = (await server.mailsTo(emailOf('ann'))).map(({ plain }) => /(?:invitation|reset)=([\w-]+)/u.exec(plain)![1]!);
    expect(secrets).toHaveLength(2);
    const renamed = operations({ op: 'replace', value: { emails: [{ value: emailOf('anna'), primary: true }] } });
    expect((await call('PATCH', `/Users/${id}`, renamed)).status).toBe(200);
    for (const secret of secrets) {
      const set = await inject(server, 'POST', `${AUTH}/auth/password/reset`, { body: { secret, password: PASSWORD } });
      expect(set.json.error.key).toBe('account.link_invalid');
    }
    const { result } = (await inject(server, 'GET', `${AUTH}/accounts/${id}`, { as: acme.admin })).json;
    expect(result).toMatchObject({ email: emailOf('anna'), invitation: { sent: null, expires: null } });
  });

  test('a secret that is revoked in mid-call changes nothing more', async () => {
    const id = await add('ann');
    const blocked = server.owner;
    await blocked.query('begin');
    await blocked.query('select 1 from organizations where id = $1 for no key update', [acme.scope.organizationId]);
    const running = call('PATCH', `/Users/${id}`, deactivate);
    await blocked.query('delete from scim_secrets where organization_id = $1', [acme.scope.organizationId]);
    await blocked.query('commit');
    expect((await running).status).toBe(401);
    expect(await rolesOf(id)).toEqual(['vendor']);
  });
});

describe('IAM-02 a guest whom the directory knows', () => {
  const VISITS = '/dmp_aa/api/v1/visits';
  const invite = async (name: string) => {
    const body = { kind: 'guest', role: 'user', email: emailOf(name), days: 30 };
    const opened = await inject(server, 'POST', VISITS, { as: acme.admin, body });
    expect(opened.status, opened.text).toBe(200);
    const account = await server.owner.query<{ id: string }>('select id from accounts where email = $1', [emailOf(name)]);
    return { id: account.rows[0]!.id, visit: opened.json.result.id as string };
  };
  const end = (visit: string) => inject(server, 'DELETE', `${VISITS}/${visit}`, { as: acme.admin, body: {} });
  const group = async (members: readonly string[]) => {
    const body = { displayName: 'Admins', members: members.map((value) => ({ value })) };
    return (await call('POST', '/Groups', body)).json['id'] as string;
  };

  test('may do what the visit allows, whatever its groups, and comes back where it was inactive meanwhile', async () => {
    const { id } = await invite('gus');
    const admins = await group([id]);
    await saveRoles({ defaultRole: 'none', groups: [{ id: admins, role: 'admin' }] });
    expect(await rolesOf(id)).toEqual(['vendor']);
    await call('PATCH', `/Users/${id}`, operations({ op: 'replace', path: 'displayName', value: 'Gus' }));
    expect(await rolesOf(id)).toEqual(['vendor']);
    const session = await bearerOf(id);
    await call('PATCH', `/Users/${id}`, deactivate);
    expect([await rolesOf(id), await isSignedIn(session)]).toEqual([[], false]);
    await call('PATCH', `/Users/${id}`, operations({ op: 'replace', path: 'active', value: true }));
    expect(await rolesOf(id)).toEqual(['vendor']);
  });

  test('has no role once the visit is over, by no change of a person, a group or the rules, then and later', async () => {
    const [gus, ina] = [await invite('gus'), await invite('ina')];
    await call('PATCH', `/Users/${ina.id}`, deactivate);
    for (const { visit } of [gus, ina]) expect((await end(visit)).status).toBe(200);
    const user = { schemas: [USER], userName: emailOf('gus'), displayName: 'Gus', active: true };
    const everyChange = async () => {
      for (const { id } of [gus, ina]) {
        await call('PATCH', `/Users/${id}`, operations({ op: 'replace', path: 'displayName', value: `Someone ${(count += 1)}` }));
        await call('PATCH', `/Users/${id}`, operations({ op: 'replace', path: 'active', value: true }));
      }
      expect((await call('PUT', `/Users/${gus.id}`, user)).status).toBe(200);
      const id = await group([gus.id, ina.id]);
      await saveRoles({ defaultRole: 'user', groups: [{ id, role: 'admin' }] });
      await call('DELETE', `/Groups/${id}`);
      await saveRoles({ defaultRole: 'user', groups: [] });
      expect([await rolesOf(gus.id), await rolesOf(ina.id)]).toEqual([[], []]);
    };
    await everyChange();
    await purgeVisits(server.database, new Date(clock.now().getTime() + 400 * 86_400_000));
    await everyChange();
  });
});

describe('IAM-02-partial groups', () => {
  test('with many people in them are read in short pages, and those whose people no one reads in long ones', async () => {
    const { organizationId, mainAccountId } = acme.scope;
    await server.owner.query(
      `with p as (insert into accounts (id, main_account_id, organization_id, email, name, roles)
          select gen_random_uuid(), $1, $2, 'many-' || n || '@' || $3 || '.example', 'many', '{}' from generate_series(1, 1500) n returning id),
        g as (insert into scim_groups (id, main_account_id, organization_id, display_name, created_at, updated_at)
          select gen_random_uuid(), $1, $2, 'Group ' || n, now(), now() from generate_series(1, 6) n returning id)
       insert into scim_members (group_id, account_id) select g.id, p.id from g cross join p`,
      [mainAccountId, organizationId, acme.name],
    );
    const list = async (query: string) => {
      const { json } = await call('GET', `/Groups?${query}`);
      const groups = json['Resources'] as { displayName: string; members?: unknown[] }[];
      expect(json['itemsPerPage']).toBe(groups.length);
      return [json['totalResults'], ...groups.map(({ displayName, members }) => `${displayName}: ${members?.length ?? 0}`)];
    };
    const pairs = (numbers: number[], size: number) => numbers.map((number) => `Group ${number}: ${size}`);
    expect(await list('count=200')).toEqual([6, ...pairs([1, 2, 3, 4], 1_500)]);
    expect(await list('count=200&startIndex=5')).toEqual([6, ...pairs([5, 6], 1_500)]);
    expect(await list('count=0')).toEqual([6]);
    const all = [6, ...pairs([1, 2, 3, 4, 5, 6], 0)];
    for (const names of ['excludedAttributes=Members', `excludedAttributes=${GROUP}:members`, 'attributes=displayName'])
      expect(await list(`count=200&${names}`), names).toEqual(all);
    const one = (await server.owner.query<{ id: string }>('select min(id::text) as id from accounts where name = $1', ['many']))
      .rows[0]!;
    const filter = encodeURIComponent(`members.value eq "${one.id}"`);
    expect(await list(`count=200&attributes=displayName&filter=${filter}`)).toEqual(all);
    expect(await list(`count=200&filter=${filter}`)).toEqual([6, ...pairs([1, 2, 3, 4], 1_500)]);
  });

  test('give roles as the admin chose, and members come and go by PATCH', async () => {
    const [ann, ben] = [await add('ann'), await add('ben')];
    expect(await rolesOf(ann)).toEqual(['vendor']);
    const made = await call('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Fleet admins',
      externalId: 'g1',
      members: [{ value: ann }],
    });
    expect(made.json, made.text).toMatchObject({ displayName: 'Fleet admins', members: [{ value: ann, display: 'ann' }] });
    const id = made.json['id'] as string;
    expect((await call('POST', '/Groups', { displayName: 'FLEET ADMINS' })).json['scimType']).toBe('uniqueness');
    expect(await rolesOf(ann)).toEqual(['vendor']);
    const before = await directory();
    expect(before.groups).toMatchObject([{ id, name: 'Fleet admins', role: null, people: 1 }]);
    const saved = await saveRoles({ defaultRole: 'none', groups: [{ id, role: 'admin' }] });
    expect(saved.status, saved.text).toBe(200);
    expect([await rolesOf(ann), await rolesOf(ben)]).toEqual([['super'], []]);
    // Who was invited here, and is unknown to the directory, has the role that was given here.
    expect(await rolesOf(acme.admin.id)).toEqual(['super']);
    const path = `/Groups/${id}`;
    await call('PATCH', path, operations({ op: 'Add', path: 'members', value: [{ value: ben }] }));
    expect(await rolesOf(ben)).toEqual(['super']);
    expect((await call('GET', `/Users/${ben}`)).json['groups']).toMatchObject([{ value: id, display: 'Fleet admins' }]);
    await call('PATCH', path, operations({ op: 'Remove', path: 'members', value: [{ value: ann }] }));
    expect([await rolesOf(ann), await rolesOf(ben)]).toEqual([[], ['super']]);
    // Another name there is the same group here.
    await call('PATCH', path, operations({ op: 'replace', path: 'displayName', value: 'Administrators' }));
    expect((await directory()).groups).toMatchObject([{ id, name: 'Administrators', role: 'admin', people: 1 }]);
    expect(await rolesOf(ben)).toEqual(['super']);
    const listed = await call(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "administrators"')}`,
    );
    expect(listed.json).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect(listed.text).not.toContain('members');
    const filtered = await call(
      'GET',
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`members.value eq "${ben}"`)}`,
    );
    expect(filtered.json['totalResults']).toBe(1);
    const renamed = await call(
      'PUT',
      path,
      { displayName: 'Admins', members: [] },
      { headers: { 'if-match': String(listed.json['Resources'][0].meta.version) } },
    );
    expect(renamed.status, renamed.text).toBe(200);
    expect(await rolesOf(ben)).toEqual([]);
    expect((await call('DELETE', path)).status).toBe(204);
    // No group gives a role any more: roles of before come back.
    expect([await rolesOf(ann), await rolesOf(ben)]).toEqual([['super'], ['super']]);
    for (const displayName of ['Zoo', 'Depot 10', 'Äpfel', 'depot 2']) await call('POST', '/Groups', { displayName });
    const names = (await directory()).groups.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Äpfel', 'depot 2', 'Depot 10', 'Zoo']);
  });

  test('take the role of no last admin', async () => {
    const group = (await call('POST', '/Groups', { displayName: 'Users', members: [{ value: acme.admin.id }] })).json[
      'id'
    ] as string;
    await saveRoles({ defaultRole: 'none', groups: [{ id: group, role: 'user' }] });
    expect(await rolesOf(acme.admin.id)).toEqual(['super']);
  });

  test('an older choice of roles is rejected', async () => {
    await saveRoles({ defaultRole: 'none', groups: [] });
    const { status } = await inject(server, 'PUT', `${CONSOLE}/roles`, {
      as: acme.admin,
      body: { defaultRole: 'user', groups: [] },
      headers: { 'if-match': '"0"' },
    });
    expect(status).toBe(412);
  });
});

test('IAM-02-partial the console shows the last calls that changed something or failed, with the reason', async () => {
  await add('ann');
  await call('GET', '/Users');
  await call('POST', '/Users', { userName: emailOf('ann') });
  const { calls, address } = await directory();
  expect(calls).toMatchObject([
    { method: 'POST', path: '/Users', status: 409, detail: 'This name or address is taken.' },
    { method: 'POST', path: '/Users', status: 201, detail: '' },
  ]);
  expect(address).toMatch(/\/scim\/v2$/u);
  await purgeDirectories(server.database, new Date(clock.now().getTime() + 31 * 86_400_000));
  expect((await directory()).calls).toEqual([]);
});

test('IAM-02-partial an organization that is deleted has no directory', async () => {
  await add('ann');
  const owner = await server.seeding.account(main, `main-${count}@vendor.example`, 'main');
  const deleted = await inject(server, 'DELETE', '/data_manager/v1/dm/org', {
    as: { sessionId: await bearerOf(owner) },
    body: { org: acme.scope.organizationId },
  });
  expect(deleted.status, deleted.text).toBe(200);
  expect((await call('GET', '/Users')).status).toBe(401);
});
