import type { colleagues } from '@highline/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MainScope } from '../../kernel/scope.ts';
import { send } from '../../testing/call.ts';
import { openEventStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const password = 'correct horse battery';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const api = (path: string) => `${server.url}/dmp_aa/api/v1/${path}`;

let count = 0;
const freshEmail = () => {
  count += 1;
  return `colleague-${count}@highline.invalid`;
};

/** A main account with one user, who has set a password and is signed in. */
async function fixture() {
  const { scope } = await server.seeding.mainAccount('Carrier North');
  await server.owner.query('delete from accounts where main_account_id = $1', [scope.mainAccountId]);
  return { scope, ...(await person(scope, 'main')) };
}
async function person(scope: MainScope, role: 'main' | 'none') {
  const email = freshEmail();
  const id = await server.seeding.account(scope, email, role, password);
  return { id, email, bearer: await server.seeding.bearer(id) };
}

const listOf = async (bearer: string, query = 'limit=10') =>
  (await send(api(`colleagues/?${query}`), { bearer })).json<{ result: { list: colleagues.Colleague[] }; total: number }>();
const invite = (bearer: string, email: string, more: object = {}) =>
  send(api('colleagues/'), { bearer, body: { email, name: 'Kim', ...more } });
const remove = (bearer: string, id: string) => send(api(`colleagues/${id}`), { method: 'DELETE', bearer });
const sendAgain = (bearer: string, id: string) => send(api(`accounts/${id}/invitation`), { method: 'POST', bearer });
const signIn = (email: string) => send(api('auth/token'), { body: { email, password } });
const accept = (secret: string) => send(api('auth/password/reset'), { body: { secret, password } });

/** Mails to an address, the newest first. */
async function mailsTo(email: string) {
  const mails = await server.mailsTo(email);
  return mails.map(({ subject, plain }) => ({ subject, plain, secret: /invitation=([\w-]+)/u.exec(plain)![1]! }));
}
const entriesOf = async ({ mainAccountId }: MainScope) =>
  (
    await server.owner.query<{ actor_email: string; action: string; detail: unknown }>(
      "select actor_email, action, detail from audit_entries where chain_id = $1 and action <> 'Signed in' order by seq",
      [mainAccountId],
    )
  ).rows;

test('a colleague is invited by mail, accepts, sees the organizations, and is deleted with every session at once', async () => {
  const home = await fixture();
  const email = freshEmail();
  const made = await invite(home.bearer, ` ${email.toUpperCase()} `, { language: 'zh-TW' });
  expect(made.json()).toMatchObject({ result: { email, name: 'Kim', role: 'vendorSuper', vendor: home.scope.mainAccountId } });
  const { id } = made.json<{ result: { id: string } }>().result;
  const [mail] = await mailsTo(email);
  expect(mail).toMatchObject({ subject: '您受邀使用 Highline', plain: expect.stringContaining('Carrier North') });
  expect((await listOf(home.bearer, 'sort=-name&limit=10')).result.list).toMatchObject([
    { id, invitation: { sent: expect.any(Number), expires: expect.any(Number) }, signedIn: null },
    { id: home.id, invitation: null, signedIn: null, secondFactor: false },
  ]);

  await accept(mail!.secret);
  const before = Math.floor(Date.now() / 1000);
  const { vap } = (await signIn(email)).json<{ result: { vap: string } }>().result;
  const [shown] = (await listOf(home.bearer, 'sort=-signedIn&limit=1')).result.list;
  expect(shown).toMatchObject({ id, invitation: null });
  expect(shown!.signedIn).toBeGreaterThanOrEqual(before);
  await server.seeding.organization(home.scope, 'First customer');
  expect((await send(api('services/?limit=5'), { bearer: vap })).text).toContain('First customer');

  const stream = await openEventStream(server.url, vap);
  expect((await remove(home.bearer, id)).json()).toEqual({ result: { deleted: 1 } });
  await stream.ended;
  expect((await send(api('services/?limit=5'), { bearer: vap })).status).toBe(401);
  expect((await signIn(email)).error().key).toBe('account.wrong_password');
  expect((await listOf(home.bearer)).total).toBe(1);
  expect(await entriesOf(home.scope)).toMatchObject([
    { actor_email: home.email, action: `Invited the colleague ${email}`, detail: { name: 'Kim' } },
    { actor_email: email, action: 'Accepted the invitation' },
    { actor_email: home.email, action: `Deleted the colleague ${email}`, detail: { name: 'Kim' } },
  ]);
});

test('an address that already has an account is rejected at its field, but an account of the main account without organization is added', async () => {
  const [home, foreignUser] = [await fixture(), await fixture()];
  const organization = await server.seeding.organization(home.scope, 'Customer');
  const member = freshEmail();
  await server.seeding.account(organization, member, 'user');
  const elsewhere = await person(foreignUser.scope, 'none');
  for (const email of [home.email, member, foreignUser.email, elsewhere.email]) {
    const response = await invite(home.bearer, email);
    expect([response.status, response.error()], email).toMatchObject([409, { key: 'account.exists', field: 'email' }]);
  }
  for (const bad of [{ email: 'kim at home' }, { email: freshEmail(), name: ' ' }])
    expect((await send(api('colleagues/'), { bearer: home.bearer, body: { name: 'Kim', ...bad } })).status).toBe(400);
  expect((await listOf(home.bearer)).total).toBe(1);
  const free = await person(home.scope, 'none');
  expect((await invite(home.bearer, free.email)).json()).toMatchObject({ result: { id: free.id, role: 'vendorSuper' } });
  // A user who has a password does not wait for the link.
  expect((await listOf(home.bearer, 'field=email&search=' + free.email)).result.list).toMatchObject([{ invitation: null }]);
});

test('the list contains only own users, by name, searched and in pages, and all without a limit', async () => {
  const [home, foreignUser] = [await fixture(), await fixture()];
  const organization = await server.seeding.organization(home.scope, 'Customer');
  await server.seeding.account(organization, freshEmail(), 'admin');
  await person(home.scope, 'none');
  const ids = [];
  for (const name of ['Zoe', 'Ann'])
    ids.push((await invite(home.bearer, freshEmail(), { name })).json<{ result: { id: string } }>().result.id);
  const [zoe, ann] = ids;
  expect((await listOf(home.bearer, 'limit=1&sort=-name')).result.list.map(({ id }) => id)).not.toContain(ann);
  const whole = await listOf(home.bearer, '');
  expect(whole.result.list.map(({ id }) => id)).toHaveLength(3);
  expect(whole.result.list.map(({ name }) => name)).toContain('Zoe');
  expect((await listOf(home.bearer, 'limit=5&search=Zo')).result.list.map(({ id }) => id)).toEqual([zoe]);
  expect(await listOf(home.bearer, 'limit=2&offset=2')).toMatchObject({ total: 3, result: { list: [expect.anything()] } });
  expect((await send(api('colleagues/?limit=5&cursor=x'), { bearer: home.bearer })).status).toBe(400);
  expect((await listOf(foreignUser.bearer)).total).toBe(1);
});

test('a user cannot delete their own account, and of two who delete each other at once one stays', async () => {
  const home = await fixture();
  expect((await remove(home.bearer, home.id)).error().key).toBe('account.is_self');
  const other = await person(home.scope, 'main');
  const outcomes = await Promise.all([remove(home.bearer, other.id), remove(other.bearer, home.id)]);
  const codes = outcomes.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(codes[0]).toBe(200);
  // The slower one is rejected under the lock, or was signed out before the check.
  expect([401, 409]).toContain(codes[1]);
  const { rows } = await server.owner.query('select id from accounts where main_account_id = $1', [home.scope.mainAccountId]);
  expect(rows).toHaveLength(1);
});

test('users of organizations, accounts without organization, and users of another main account are not colleagues: 404, and they stay', async () => {
  const [home, foreignUser] = [await fixture(), await fixture()];
  const organization = await server.seeding.organization(home.scope, 'Customer');
  const member = await server.seeding.account(organization, freshEmail(), 'admin');
  const loose = await person(home.scope, 'none');
  for (const id of [member, loose.id, foreignUser.id, 'unknown']) expect((await remove(home.bearer, id)).status, id).toBe(404);
  const { rows } = await server.owner.query('select id from accounts where id = any ($1)', [[member, loose.id, foreignUser.id]]);
  expect(rows).toHaveLength(3);
});

test('an invitation is sent again in its language: the new link works, the old one does not, and it is logged', async () => {
  const home = await fixture();
  const email = freshEmail();
  const { id } = (await invite(home.bearer, email, { language: 'zh-TW' })).json<{ result: { id: string } }>().result;
  // Long ago: its link has expired and was purged.
  await server.owner.query('delete from mailed_links where account_id = $1', [id]);
  const invitationOf = async () =>
    (await send(api(`accounts/${id}`), { bearer: home.bearer })).json<{ result: colleagues.Colleague }>().result.invitation;
  expect(await invitationOf()).toEqual({ sent: null, expires: null });
  await sendAgain(home.bearer, id);
  const [first] = await mailsTo(email);
  const response = await sendAgain(home.bearer, id);
  const { sent, expires } = response.json<{ result: { sent: number; expires: number } }>().result;
  expect(expires - sent).toBe(7 * 86_400);
  expect(await invitationOf()).toEqual({ sent, expires });
  const [second] = await mailsTo(email);
  expect(second!.subject).toBe('您受邀使用 Highline');
  expect((await accept(first!.secret)).error().key).toBe('account.link_invalid');
  expect((await accept(second!.secret)).status).toBe(200);
  expect(await invitationOf()).toBeNull();
  expect((await sendAgain(home.bearer, id)).error().key).toBe('account.invitation_accepted');
  const again = (await entriesOf(home.scope)).filter(({ action }) => action === `Sent the invitation to ${email} again`);
  expect(again).toHaveLength(2);
});

test('an invitation goes to one address at most three times in a quarter of an hour', async () => {
  const home = await fixture();
  const organization = await server.seeding.organization(home.scope, 'Customer');
  const admin = await server.seeding.account(organization, freshEmail(), 'admin');
  const bearer = await server.seeding.bearer(admin);
  const email = freshEmail();
  const body = { email, name: 'Ann', role: `r.${organization.organizationId}.vendor`, serviceContacter: true };
  const { id } = (await send(api('vendorAccounts/'), { bearer, body })).json<{ result: { id: string } }>().result;
  // Attempts of the main account and of the admin count together.
  for (const by of [bearer, home.bearer, bearer]) expect((await sendAgain(by, id)).status).toBe(200);
  const rejected = await sendAgain(home.bearer, id);
  expect([rejected.status, rejected.error().key]).toEqual([429, 'account.too_many_tries']);
  // An undelivered mail is cancelled when the next one is written.
  const lastSecret = (await mailsTo(email))[0]!.secret;
  const { rows: good } = await server.owner.query('select 1 from mailed_links where account_id = $1 and used_at is null', [id]);
  expect([lastSecret.length, good.length]).toEqual([43, 1]);
  // Contacts are found among the users of an organization.
  const contacts = await send(api(`accounts/?org=${organization.organizationId}&contacts=true&limit=5`), { bearer: home.bearer });
  expect(contacts.json()).toMatchObject({ total: 1, result: { list: [{ id, invitation: { sent: expect.any(Number) } }] } });
  const others = [(await person(home.scope, 'none')).id, (await fixture()).id, 'unknown'];
  for (const unrelated of others) expect((await sendAgain(home.bearer, unrelated)).status).toBe(404);
});
