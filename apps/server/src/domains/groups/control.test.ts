import { makeMac } from '@highline/usp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { useTestApp } from '../../testing/test-app.ts';

const GROUPS = '/data_manager/v1/dm/group';

const app = useTestApp();
let main: MainScope;
let own: OrganizationScope;
let admin: Actor;
/** A user of the organization who has an account. */
let user: Actor;
let key: string;
let other: string;
let made = 0;

beforeAll(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
});
beforeEach(async () => {
  own = await app.seeding.organization(main, 'Own');
  admin = app.person(own, 'admin');
  user = await signedIn('user');
  key = await app.seeding.group(own, 'Depot');
  other = await app.seeding.group(own, 'Yard');
  await app.takeOutbox();
});

async function signedIn(role: 'user' | 'admin', scope = own): Promise<Actor> {
  made += 1;
  const email = `${role}-${made}@control.invalid`;
  const person = app.person(scope, role);
  // The actor is looked up by its session at each call, so it stands for the account from now on.
  return Object.assign(person, { accountId: await app.seeding.account(scope, email, role), email });
}

async function device(): Promise<string> {
  made += 1;
  const router = { serial: `CT${made}`, mac: makeMac(made) };
  await app.seeding.routers(main, [router]);
  return (await app.seeding.devices(own, [router]))[0]!;
}

const give = (account: string, control: string, group = key, as = admin) =>
  app.call('PATCH', `${GROUPS}/${group}/accounts`, { as, body: { account, control } });
const save = (body: object, group = key, as = user) => app.call('PATCH', `${GROUPS}/${group}`, { as, body });
const get = (as: Actor, group = key) => app.call('GET', `${GROUPS}/${group}`, { as });

describe('OLD-01-partial Full Control and Only Read of a group', () => {
  test('a user only reads until an admin gives Full Control, and only reads again at the next call after it was removed', async () => {
    expect((await get(user)).json.result.control).toBe('read');
    expect((await save({ description: 'mine' })).json.error.key).toBe('permission.denied');
    expect((await give(user.accountId, 'full')).status).toBe(200);
    expect((await get(user)).json.result).toMatchObject({ control: 'full', fullControl: [user.email] });
    const router = await device();
    expect((await save({ name: 'Depot 2', description: 'mine', add: [router] })).json.result).toMatchObject({
      groupName: 'Depot 2',
      description: 'mine',
      deviceCount: 1,
    });
    expect((await save({ remove: [router] })).json.result.deviceCount).toBe(0);
    expect((await give(user.accountId, 'read')).status).toBe(200);
    expect((await save({ description: 'yours' })).json.error.key).toBe('permission.denied');
    expect((await get(user)).json.result).toMatchObject({ control: 'read', description: 'mine', fullControl: [] });
    expect(await app.logOf(own.organizationId)).toEqual(
      expect.arrayContaining([`Gave ${user.email} Full Control of group Depot`, `Gave ${user.email} Only Read of group Depot 2`]),
    );
  });

  test('Full Control applies to that group alone, and includes no other right of an admin', async () => {
    await give(user.accountId, 'full');
    const rejected = [
      await save({ description: 'x' }, other),
      await app.call('POST', GROUPS, { as: user, body: { name: 'New' } }),
      await app.call('DELETE', GROUPS, { as: user, body: { groups: [key] } }),
      await app.call('DELETE', '/data_manager/v1/binding/group/firmware', { as: user, query: { group: key, mode: 'all' } }),
      await give(user.accountId, 'full', other, user),
      await app.call('GET', `${GROUPS}/${key}/accounts`, { as: user }),
    ];
    expect(rejected.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403]);
  });

  test('who may not save a group by an own role or a limit only reads it, gets no Full Control, and loses the one of before', async () => {
    await give(user.accountId, 'full');
    const dispatcher = async (...rights: string[]) =>
      Object.assign(await signedIn('admin'), { ownRole: { id: newId(), name: 'Dispatcher', rights } });
    const limit = async (person: Actor) => {
      const { accountId } = person;
      await app.owner.query(
        'insert into account_limits (account_id, organization_id, tags, updated_at) values ($1, $2, $3, now())',
        [accountId, own.organizationId, []],
      );
      const { organizationId } = own;
      return Object.assign(person, { limit: { accountId, organizationId, groups: [key], tags: [] } });
    };
    const limited = await signedIn('user');
    await give(limited.accountId, 'full');
    const readers = [await dispatcher('groups.read'), await limit(limited), await limit(await signedIn('admin'))];
    for (const reader of readers) expect((await get(reader)).json.result.control).toBe('read');
    expect((await get(await dispatcher('groups.read', 'groups.write'))).json.result.control).toBe('full');
    const gone = await signedIn('user');
    await app.owner.query(`update accounts set roles = '{}' where id = $1`, [gone.accountId]);
    for (const { accountId } of [limited, gone])
      expect((await give(accountId, 'full')).json.error.key).toBe('group.not_controllable');
    const listed = async () => (await app.call('GET', `${GROUPS}/${key}/accounts`, { as: admin })).json.result;
    const [ofUser, ofLimited] = [user, limited].map(({ accountId: id }) => expect.objectContaining({ id, control: 'full' }));
    expect(await listed()).toEqual([ofUser, ofLimited]);
    expect((await give(limited.accountId, 'read')).status).toBe(200);
    expect(await listed()).toEqual([ofUser]);
  });

  test('a call that changes nothing is not logged; an account that is not a user of the organization, or the default group, is rejected', async () => {
    expect((await give(user.accountId, 'read')).status).toBe(200);
    expect(await app.takeOutbox()).toEqual([]);
    const unrelated = await signedIn('user', await app.seeding.organization(main, 'Sibling'));
    const another = await signedIn('admin');
    for (const id of [unrelated.accountId, newId(), 'nonsense'])
      expect((await give(id, 'full')).json.error.key).toBe('account.not_found');
    expect((await give(another.accountId, 'full')).json.error.key).toBe('group.not_controllable');
    expect((await give(user.accountId, 'full', 'default+group+id')).json.error.key).toBe('group.is_default');
    expect((await give(user.accountId, 'full', newId())).json.error.key).toBe('group.not_found');
  });

  test('users are listed by e-mail with their right, page after page, and the right is deleted with its group', async () => {
    const more = [await signedIn('user'), await signedIn('user')];
    await give(more[0]!.accountId, 'full');
    const page = async (cursor?: string) =>
      (
        await app.call('GET', `${GROUPS}/${key}/accounts`, {
          as: admin,
          query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
        })
      ).json;
    const first = await page();
    const second = await page(first.next);
    const emails = [user, ...more].map(({ email }) => email).sort();
    const rows = [...first.result, ...second.result];
    expect(rows.map(({ email }) => email)).toEqual(emails);
    expect(rows.filter(({ control }) => control === 'full').map(({ email }) => email)).toEqual([more[0]!.email]);
    expect(second.next).toBeNull();
    await app.call('DELETE', GROUPS, { as: admin, body: { groups: [key] } });
    const { rows: left } = await app.owner.query('select 1 from group_controls where group_key = $1', [key]);
    expect(left).toEqual([]);
  });
});
