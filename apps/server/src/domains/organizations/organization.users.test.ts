import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { send } from '../../testing/call.ts';
import { openEventStream } from '../../testing/event-stream.ts';
import { EVERYTHING, listEverywhere, readListed } from '../../testing/mail-lists.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

// With sessions and streams of the whole server: the users of an organization, and the effect of its deletion on them.

const password = 'correct horse battery';

let server: TestServer;
let main: MainScope;
let bearer: string;

beforeAll(async () => {
  server = await startTestServer();
  const home = await server.seeding.mainAccount('Home');
  main = home.scope;
  bearer = await server.seeding.bearer(home.actor.accountId);
});
afterAll(() => server.close());

let count = 0;
const freshEmail = () => {
  count += 1;
  return `member-${count}@organization.invalid`;
};
const person = (scope: OrganizationScope, role: 'admin' | 'user', secret?: string) => server.seeding.person(scope, role, secret);

const api = (path: string) => `${server.url}/dmp_aa/api/v1/${path}`;
const dm = (path: string) => `${server.url}/data_manager/v1/dm/${path}`;
const introspect = async (as: string) =>
  (await send(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { method: 'POST', bearer: as })).status;
const signIn = (email: string) => send(api('auth/token'), { body: { email, password } });
async function mailedSecret(email: string): Promise<string> {
  const [mail] = await server.mailsTo(email);
  return /(?:invitation|reset)=([\w-]+)/u.exec(mail!.plain)![1]!;
}

test('ORG-05-partial another contact is invited with role vendor, and listed among the contacts', async () => {
  const own = await server.seeding.organization(main, 'Own');
  const email = freshEmail();
  const body = { email, name: 'Kim', role: `r.${own.organizationId}.vendor`, vendor: main.mainAccountId, serviceContacter: true };
  const made = await send(api('vendorAccounts/'), { bearer, body });
  expect(made.json()).toMatchObject({ result: { email, name: 'Kim', role: 'vendor' } });
  const list = async () =>
    (await send(api(`services/?limit=1&id=${own.organizationId}`), { bearer })).json<{ result: { list: unknown[] } }>().result
      .list;
  expect(await list()).toMatchObject([{ contacter: email, contacts: [{ email, role: 'vendor' }] }]);
  await send(api('auth/password/reset'), { body: { secret: await mailedSecret(email), password } });
  const { vap } = (await signIn(email)).json<{ result: { vap: string } }>().result;
  expect((await send(api(`services/?limit=5`), { bearer: vap })).json()).toMatchObject({ total: 1 });
  expect((await send(dm('org'), { method: 'DELETE', bearer: vap, body: { org: own.organizationId } })).status).toBe(403);
  const taken = await send(api('vendorAccounts/'), { bearer, body });
  expect([taken.status, taken.error().message]).toEqual([409, 'Account already exists']);
  const foreignUser = await server.seeding.organization((await server.seeding.mainAccount('Abroad')).scope, 'Abroad');
  const foreign = { ...body, email: freshEmail(), role: `r.${foreignUser.organizationId}.vendor` };
  expect((await send(api('vendorAccounts/'), { bearer, body: foreign })).status).toBe(404);
  expect((await send(api('vendorAccounts/'), { bearer, body: { ...body, vendor: foreignUser.mainAccountId } })).status).toBe(404);
});

test('ORG-03-partial ORG-05-partial the main account corrects the address of a first admin whose invitation went elsewhere; no other caller may, and never after it was accepted', async () => {
  const own = await server.seeding.organization(main, 'Own');
  const wrong = freshEmail();
  const right = freshEmail();
  const body = { email: wrong, name: 'Ada', role: `r.${own.organizationId}.super`, serviceContacter: true, language: 'zh-TW' };
  const { id } = (await send(api('vendorAccounts/'), { bearer, body })).json<{ result: { id: string } }>().result;
  const misled = await mailedSecret(wrong);
  const correct = (account: string, email: string, as = bearer) =>
    send(api(`accounts/${account}/invitation`), { method: 'PATCH', bearer: as, body: { email } });

  const colleague = await person(own, 'user');
  const manager = await person(own, 'admin');
  expect((await correct(id, right, manager.bearer)).status).toBe(403);
  const foreignUser = await server.seeding.mainAccount('Abroad');
  expect((await correct(id, right, await server.seeding.bearer(foreignUser.actor.accountId))).status).toBe(404);
  for (const none of ['unknown', await server.seeding.account(main, freshEmail(), 'main')])
    expect((await correct(none, right)).status).toBe(404);
  for (const bad of ['', 'ada at home', 'ada@'])
    expect((await correct(id, bad)).error()).toMatchObject({ key: 'request.invalid', field: 'email' });
  const taken = await correct(id, colleague.email.toUpperCase());
  expect([taken.status, taken.error()]).toEqual([409, expect.objectContaining({ key: 'account.exists', field: 'email' })]);
  expect(await mailedSecret(wrong)).toBe(misled);

  await send(api('auth/password/forgot'), { body: { email: wrong } });
  const requested = await mailedSecret(wrong);
  // As if the mail server had been down: both mails are still queued.
  await server.owner.query('update mails set sent_at = null, next_attempt_at = null where recipient = $1', [wrong]);

  await listEverywhere(server, { sessionId: manager.bearer }, wrong);
  const response = await correct(id, ` ${right.toUpperCase()}`);
  expect(await readListed(server, { sessionId: manager.bearer }, wrong)).toEqual([]);
  expect(await readListed(server, { sessionId: manager.bearer }, right)).toEqual(EVERYTHING);
  expect([response.status, response.json()]).toEqual([
    200,
    { result: { sent: expect.any(Number), expires: expect.any(Number) } },
  ]);
  expect(await server.mailsTo(wrong)).toEqual([]);
  // In the language of the first one; the links of an unrelated user open nothing.
  expect((await server.mailsTo(right)).map(({ plain }) => /[\u4e00-\u9fff]/u.test(plain))).toEqual([true]);
  const setPassword = (secret: string) => send(api('auth/password/reset'), { body: { secret, password } });
  for (const link of [misled, requested]) expect((await setPassword(link)).error().key).toBe('account.link_invalid');
  expect((await setPassword(await mailedSecret(right))).status).toBe(200);
  expect((await signIn(wrong)).status).toBe(403);
  const { vap } = (await signIn(right)).json<{ result: { vap: string } }>().result;
  expect((await send(api(`accounts/${id}`), { bearer: vap })).json()).toMatchObject({ result: { email: right, role: 'super' } });
  expect((await correct(id, freshEmail())).error().key).toBe('account.invitation_accepted');

  const { rows } = await server.owner.query<{ action: string; actor_role: string; detail: unknown }>(
    "select action, actor_role, detail from audit_entries where chain_id = $1 and action like 'Corrected %' order by seq",
    [own.organizationId],
  );
  expect(rows).toEqual([
    {
      action: `Corrected the invitation address ${wrong} to ${right}`,
      actor_role: 'main',
      detail: { from: wrong, to: right },
    },
  ]);
});

test('ORG-05-partial of two invitations that are corrected to one address at once, one is', async () => {
  const own = await server.seeding.organization(main, 'Own');
  const invited = await Promise.all(
    ['One', 'Two'].map(async (name) => {
      const body = { email: freshEmail(), name, role: `r.${own.organizationId}.vendor` };
      return (await send(api('vendorAccounts/'), { bearer, body })).json<{ result: { id: string; email: string } }>().result;
    }),
  );
  const email = freshEmail();
  const responses = await Promise.all(
    invited.map(({ id }) => send(api(`accounts/${id}/invitation`), { method: 'PATCH', bearer, body: { email } })),
  );
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const rejected = responses.findIndex(({ status }) => status === 409);
  expect(responses[rejected]!.error().key).toBe('account.exists');
  // The rejected correction changed nothing: the first link still works.
  const first = { secret: await mailedSecret(invited[rejected]!.email), password };
  expect((await send(api('auth/password/reset'), { body: first })).status).toBe(200);
  expect(await server.mailsTo(email)).toHaveLength(1);
});

test('ORG-05-partial an account without organization becomes a contact by its id', async () => {
  const [own, old] = [await server.seeding.organization(main, 'Own'), await server.seeding.organization(main, 'Old')];
  const [free, former, held] = [
    await server.seeding.account(main, freshEmail(), 'none'),
    await person(old, 'admin'),
    await person(own, 'user'),
  ];
  const join = (id: string) =>
    send(api('roles/'), {
      bearer,
      body: { id, role: `r.${own.organizationId}.vendor`, vendor: main.mainAccountId, serviceContacter: true },
    });
  expect((await join(free)).json()).toMatchObject({ result: { id: free, role: 'vendor' } });
  expect((await join(former.id)).status).toBe(409);
  await send(dm('org'), { method: 'DELETE', bearer, body: { org: old.organizationId } });
  expect((await join(former.id)).json()).toMatchObject({ result: { role: 'vendor' } });
  // A user with this role already becomes its contact.
  expect((await join(held.id)).status).toBe(200);
});

test('ORG-02-partial no user of a deleted organization stays or gets in: sessions, streams, passwords and mailed links end at once', async () => {
  const [own, sibling] = [await server.seeding.organization(main, 'Own'), await server.seeding.organization(main, 'Sibling')];
  const [admin, user, stays] = [await person(own, 'admin', password), await person(own, 'user'), await person(sibling, 'admin')];
  const invited = freshEmail();
  const body = { email: invited, name: 'Late', role: `r.${own.organizationId}.vendor` };
  await send(api('vendorAccounts/'), { bearer: admin.bearer, body });
  await send(api('auth/password/forgot'), { body: { email: admin.email } });
  const secrets = [await mailedSecret(invited), await mailedSecret(admin.email)];
  const streams = await Promise.all([admin, user, stays].map((one) => openEventStream(server.url, one.bearer)));
  expect((await send(dm('org'), { method: 'DELETE', bearer, body: { org: own.organizationId } })).status).toBe(200);

  for (const stream of streams.slice(0, 2)) {
    await stream.ended;
    expect(stream.received.at(-1)?.event).toBe('ended');
  }
  expect([await introspect(admin.bearer), await introspect(user.bearer), await introspect(stays.bearer)]).toEqual([
    401, 401, 200,
  ]);
  const rejected = await signIn(admin.email);
  expect([rejected.status, rejected.error().key]).toEqual([403, 'account.no_roles']);
  for (const secret of secrets)
    expect((await send(api('auth/password/reset'), { body: { secret, password } })).error().key).toBe('account.link_invalid');
  expect((await send(api('accounts/?limit=50'), { bearer })).text).not.toContain(admin.email);
  streams[2]!.close();
});

test('OGL-04-partial the open pages of both organizations get the event of a transfer, and a third one does not', async () => {
  const [from, to, third] = [
    await server.seeding.organization(main, 'From'),
    await server.seeding.organization(main, 'To'),
    await server.seeding.organization(main, 'Third'),
  ];
  const router = { serial: 'SEEN01', mac: '00B2D0FFFF01' };
  await server.seeding.routers(main, [router]);
  const [device] = await server.seeding.devices(from, [router]);
  const open = async (scope: OrganizationScope) => openEventStream(server.url, (await person(scope, 'user')).bearer);
  const streams = [await open(from), await open(to), await open(third)] as const;
  const body = { origin: from.organizationId, target: to.organizationId, serials: [router.serial] };
  expect((await send(dm('org/device'), { bearer, body })).status).toBe(200);
  for (const stream of streams.slice(0, 2)) {
    let received = await stream.next();
    while (received.event !== 'devices') received = await stream.next();
    expect(received.data.ids).toEqual([device]);
  }
  // Events arrive in order: if the third one had got the transfer's event, it would have come first.
  await send(api(`services/${third.organizationId}`), { method: 'PUT', bearer, body: { phone: '1' } });
  expect((await streams[2].next()).event).toBe('organizations');
  for (const stream of streams) stream.close();
});

test('API-01-partial ORG-05-partial an organization made by the calls of the specification gets its contact: the first account that the main account makes there, or one that is made it by its role', async () => {
  const opened = await send(api('services/'), { bearer, body: { name: 'Opened' } });
  const org = opened.json<{ result: { id: string } }>().result.id;
  const contacts = async () => {
    const list = (await send(api(`services/?limit=1&id=${org}`), { bearer })).json<{
      result: { list: { contacter: string; contacts: { email: string }[] }[] };
    }>();
    const [row] = list.result.list;
    return [row!.contacter, row!.contacts.map(({ email }) => email)];
  };
  expect(await contacts()).toEqual(['', []]);
  const [first, second, third] = [freshEmail(), freshEmail(), freshEmail()].toSorted() as [string, string, string];
  const make = async (email: string, role: string, more: object = {}) =>
    (await send(api('vendorAccounts/'), { bearer, body: { email, name: 'Kim', role: `r.${org}.${role}`, ...more } })).json<{
      result: { id: string };
    }>().result.id;
  const declined = await make(third, 'vendor', { serviceContacter: false, vendor: org });
  expect(await contacts()).toEqual(['', []]);
  await make(first, 'super', { vendor: org });
  expect(await contacts()).toEqual([first, [first]]);
  const other = await make(second, 'vendor', { vendor: main.mainAccountId });
  expect(await contacts()).toEqual([first, [first]]);

  const give = (id: string, role: string, more: object = { serviceContacter: true }) =>
    send(api('roles/'), { bearer, body: { id, role: `r.${org}.${role}`, vendor: org, ...more } });
  expect([(await give(other, 'vendor')).status, (await give(other, 'vendor')).status]).toEqual([200, 200]);
  expect(await contacts()).toEqual([first, [first, second]]);
  // Another role of the same organization, or the same one without the flag, stays taken.
  expect([(await give(declined, 'super')).status, (await give(declined, 'vendor', {})).status]).toEqual([409, 409]);
  const elsewhere = await server.seeding.organization(main, 'Elsewhere');
  const body = { id: other, role: `r.${elsewhere.organizationId}.vendor`, serviceContacter: true };
  expect((await send(api('roles/'), { bearer, body })).status).toBe(409);
  expect((await send(api('roles/'), { bearer, body: { ...body, vendor: org } })).status).toBe(404);
  const { rows } = await server.owner.query<{ action: string }>(
    "select action from audit_entries where chain_id = $1 and action like 'Made %' order by seq",
    [org],
  );
  expect(rows).toEqual([{ action: `Made ${second} a contact of the organization` }]);
});
