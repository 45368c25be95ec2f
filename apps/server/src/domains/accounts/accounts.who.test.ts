import type { accounts } from '@highline/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createMovingClock, send } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { hashSecret } from './secret.ts';

const HOUR = 3_600_000;
const password = 'correct horse battery';
const clock = createMovingClock();

let server: TestServer;
let main: MainScope;
let north: OrganizationScope;
let south: OrganizationScope;

beforeAll(async () => {
  server = await startTestServer({ clock });
  main = (await server.seeding.mainAccount('Home')).scope;
  north = await server.seeding.organization(main, 'North');
  south = await server.seeding.organization(main, 'South');
});
afterAll(() => server.close());

let people = 0;
async function person(
  scope: MainScope | OrganizationScope,
  role: 'main' | 'admin' | 'user' | 'none',
): Promise<{ readonly id: string; readonly email: string; readonly bearer: string }> {
  people += 1;
  const email = `person-${people}@highline.invalid`;
  const id = await server.seeding.account(scope, email, role);
  return { id, email, bearer: await server.seeding.bearer(id) };
}

const setRoles = (id: string, roles: readonly string[]) =>
  server.owner.query('update accounts set roles = $1 where id = $2', [roles, id]);
const introspect = (bearer: string) => send(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { method: 'POST', bearer });
const whoIs = async (bearer: string) => (await introspect(bearer)).json<{ result: accounts.Introspection }>().result;

describe('AUTH-07 the role and the organization of an account', () => {
  test('come from its role strings, main account first, and count at the next call', async () => {
    const { id, bearer } = await person(north, 'user');
    const org = north.organizationId;
    const cases: [readonly string[], accounts.Account['role'], string][] = [
      [[`r.${org}.super`], 'super', org],
      [[`r.${org}.vendor`], 'vendor', org],
      [[`r.${org}.vendor`, `r.${org}.super`], 'super', org],
      [['r.kmpService.vendor.super'], 'vendorSuper', org],
      [[`r.${org}.vendor`, 'r.kmpService.vendor.super'], 'vendorSuper', org],
      [['r.kmpService.vendor.super', `r.${org}.vendor`], 'vendorSuper', org],
      [['r.kmpService.vendor'], 'vendor', org],
      [['r.kmpService.vendor', `r.${org}.super`], 'super', org],
    ];
    for (const [roles, role, organization] of cases) {
      await setRoles(id, roles);
      const { role: derived, org: own } = await whoIs(bearer);
      expect([derived, own?.id], roles.join(' ')).toEqual([role, organization]);
    }
  });

  test('are undefined if no role string grants one, or names an organization that the account is not in', async () => {
    const { id, bearer } = await person(north, 'user');
    const worthless = [
      [],
      [''],
      ['super'],
      [`r.${north.organizationId}`],
      [`r.${north.organizationId}.owner`],
      [`r.${north.organizationId}.vendor.super`],
      [`x.${north.organizationId}.super`],
      ['r.kmpService.super'],
      [`r.${south.organizationId}.super`],
      [`r.${south.organizationId}.super`, `r.${north.organizationId}.super`],
    ];
    for (const roles of worthless) {
      await setRoles(id, roles);
      const response = await introspect(bearer);
      expect([response.status, response.error().message], roles.join(' ')).toEqual([401, 'Auth token timeout.']);
    }
    await setRoles(id, [`r.${north.organizationId}.super`]);
    expect((await introspect(bearer)).status).toBe(200);
  });

  test('decide at sign-in too: a role in a foreign organization does not count', async () => {
    const id = await server.seeding.account(north, 'stray@highline.invalid', 'admin', password);
    const signIn = () => send(`${server.url}/dmp_aa/api/v1/auth/token`, { body: { email: 'stray@highline.invalid', password } });
    expect((await signIn()).status).toBe(200);
    await setRoles(id, [`r.${south.organizationId}.super`]);
    expect((await signIn()).error().key).toBe('account.no_roles');
  });

  test('are returned with their permissions: the first scope of the main account lets it create organizations', async () => {
    const above = await whoIs((await person(main, 'main')).bearer);
    expect(above.scopes[0]).toMatchObject({
      service: 'kmpService',
      permissions: expect.arrayContaining(['create.theSameVendor']),
    });
    expect([above.org, above.vendor, above.vendorName]).toEqual([null, main.mainAccountId, 'Home']);
    const admin = await whoIs((await person(north, 'admin')).bearer);
    expect(admin.scopes).toEqual([{ service: north.organizationId, permissions: ['create', 'read', 'update', 'delete'] }]);
    expect([admin.org, admin.vendorName]).toEqual([{ id: north.organizationId, name: 'North' }, 'Home']);
    const user = await whoIs((await person(north, 'user')).bearer);
    expect(user.scopes).toEqual([{ service: north.organizationId, permissions: ['read'] }]);
    expect(JSON.stringify(user)).not.toMatch(/password|hash/iu);
  });
});

test('the use of a session is written at most once a minute, however many calls come at once', async () => {
  const { id, bearer } = await person(north, 'user');
  const usedAt = async () =>
    (
      await server.owner.query<{ last_used_at: Date; xmin: string }>(
        'select last_used_at, xmin::text from sessions where account_id = $1',
        [id],
      )
    ).rows[0]!;
  await server.owner.query('update sessions set last_used_at = $1 where account_id = $2', [clock.now(), id]);
  clock.advance(61_000);
  await introspect(bearer);
  const first = await usedAt();
  expect(first.last_used_at).toEqual(clock.now());
  clock.advance(59_000);
  await Promise.all(Array.from({ length: 5 }, () => introspect(bearer)));
  expect(await usedAt()).toEqual(first);
  clock.advance(2_000);
  await Promise.all(Array.from({ length: 5 }, () => introspect(bearer)));
  expect((await usedAt()).last_used_at).toEqual(clock.now());
});

test('an account has a hundred sessions at most; a new one replaces the longest unused one', async () => {
  const id = await server.seeding.account(north, 'program@highline.invalid', 'user', password);
  const oldest = await server.seeding.bearer(id);
  clock.advance(1_000);
  for (let count = 0; count < 99; count += 1) await server.seeding.bearer(id);
  await server.owner.query(`update sessions set last_used_at = last_used_at - interval '1 hour' where bearer_hash = $1`, [
    hashSecret(oldest),
  ]);
  const other = await person(north, 'user');
  const response = await send(`${server.url}/dmp_aa/api/v1/auth/token`, {
    body: { email: 'program@highline.invalid', password },
  });
  expect((await introspect(response.json<{ result: { vap: string } }>().result.vap)).status).toBe(200);
  expect((await introspect(oldest)).status).toBe(401);
  expect((await introspect(other.bearer)).status).toBe(200);
  const { rows } = await server.owner.query<{ count: number }>('select count(*)::int from sessions where account_id = $1', [id]);
  expect(rows[0]!.count).toBe(100);
});

describe('an account', () => {
  const read = async (bearer: string, id: string) => {
    const response = await send(`${server.url}/dmp_aa/api/v1/accounts/${id}`, { bearer });
    return response.status === 200 ? response.json<{ result: accounts.Account }>().result.email : response.error().key;
  };

  test('is shown to itself, to the admins of its organization and to its main account', async () => {
    const user = await person(north, 'user');
    const readers = [user, await person(north, 'admin'), await person(main, 'main')];
    for (const { bearer } of readers) expect(await read(bearer, user.id)).toBe(user.email);
  });

  test('does not exist for any other account, and neither does an unknown one', async () => {
    const user = await person(north, 'user');
    const foreignUser = (await server.seeding.mainAccount('Abroad')).scope;
    const unrelatedUsers = [await person(north, 'user'), await person(south, 'admin'), await person(foreignUser, 'main')];
    for (const { bearer } of unrelatedUsers) expect(await read(bearer, user.id)).toBe('not_found');
    const admin = await person(north, 'admin');
    const above = await person(main, 'main');
    expect(await read(admin.bearer, above.id)).toBe('not_found');
    for (const id of [newId(), 'x', '%00', '..%2f', 'default+group+id']) expect(await read(above.bearer, id)).toBe('not_found');
  });
});

test('OVW-06-partial a user who used a session within the last 15 minutes is counted as online, once, in the own organization', async () => {
  const scope = await server.seeding.organization(main, 'Counted');
  const admin = await person(scope, 'admin');
  const away = await person(scope, 'user');
  const twice = await person(scope, 'user');
  await server.seeding.account(scope, 'never@highline.invalid', 'user');
  const status = async () =>
    (await send(`${server.url}/dmp_aa/api/v1/login/status/${scope.organizationId}`, { bearer: admin.bearer })).json<{
      result: unknown;
    }>().result;
  const second = await server.seeding.bearer(twice.id);
  await server.owner.query('update sessions set last_used_at = $1', [clock.now()]);
  expect(await status()).toEqual({ allUserNum: 4, onlineUserNum: 3, offlineUserNum: 1 });
  clock.advance(10 * 60_000);
  await introspect(second);
  clock.advance(5 * 60_000);
  expect(await status()).toEqual({ allUserNum: 4, onlineUserNum: 2, offlineUserNum: 2 });
  await send(`${server.url}/dmp_aa/api/v1/auth/allTokenLogout`, { method: 'POST', bearer: second });
  expect(await status()).toEqual({ allUserNum: 4, onlineUserNum: 1, offlineUserNum: 3 });
  expect((await introspect(away.bearer)).status).toBe(200);
  expect(await status()).toEqual({ allUserNum: 4, onlineUserNum: 2, offlineUserNum: 2 });
});

// Last, because it moves the clock by a week, and the database decides when sessions made by tests begin.
test('a session reports its end after 12 idle hours, but never after its seventh day', async () => {
  await server.seeding.account(north, 'lasting@highline.invalid', 'user', password);
  const response = await send(`${server.url}/dmp_aa/api/v1/auth/token`, {
    body: { email: 'lasting@highline.invalid', password },
  });
  const { vap } = response.json<{ result: { vap: string } }>().result;
  const begun = clock.now().getTime();
  expect((await whoIs(vap)).idleUntil).toBe(Math.floor((begun + 12 * HOUR) / 1000));
  for (let hours = 10; hours <= 160; hours += 10) {
    clock.advance(10 * HOUR);
    expect((await introspect(vap)).status).toBe(200);
  }
  expect((await whoIs(vap)).idleUntil).toBe(Math.floor((begun + 7 * 24 * HOUR) / 1000));
});
