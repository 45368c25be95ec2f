import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createAuthenticator, type Authenticator, type Signing } from '../../testing/authenticator.ts';
import { createMovingClock } from '../../testing/call.ts';
import { inject, type Method, type TestCall } from '../../testing/inject.ts';
import { codeOf, PEOPLES_PASSWORD as password, PEOPLES_SECRET } from '../../testing/second-factor.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { purgeSessions } from './sessions.store.ts';

const clock = createMovingClock();
const ORIGIN = 'http://localhost';

let server: TestServer;
let main: MainScope;
let organization: OrganizationScope;

beforeAll(async () => {
  server = await startTestServer({ clock });
  main = (await server.seeding.mainAccount('Home')).scope;
  organization = await server.seeding.organization(main, 'Passkeys');
});
afterAll(() => server.close());

let people = 0;
async function person(role: 'admin' | 'user' = 'user', of = organization) {
  people += 1;
  const email = `passkey-${people}@highline.invalid`;
  const id = await server.seeding.account(of, email, role, password);
  return { id, email, bearer: await server.seeding.bearer(id) };
}
type Person = Awaited<ReturnType<typeof person>>;

const call = (method: Method, path: string, bearer: string | undefined, body?: unknown, more: TestCall = {}) =>
  inject(server, method, `/dmp_aa/api/v1/auth/${path}`, { ...(bearer && { as: { sessionId: bearer } }), body, ...more });
const outcomeOf = ({ status, json }: { readonly status: number; readonly json: { error?: { key: string } } }) =>
  status === 200 ? 'done' : json.error?.key;
const challengeToAdd = async ({ bearer }: Person): Promise<string> =>
  (await call('POST', 'passkeys/begin', bearer, { password })).json.result.challenge;
const challenge = async (): Promise<string> => (await call('POST', 'passkey/begin', undefined, {})).json.result.challenge;
const add = async (owner: Person, key: Authenticator, signing: Signing = {}, sent?: string) =>
  call('POST', 'passkeys', owner.bearer, {
    name: 'My phone',
    credential: key.attest(sent ?? (await challengeToAdd(owner)), signing),
  });
const signIn = async (key: Authenticator, signing: Signing = {}, sent?: string) =>
  call('POST', 'passkey', undefined, { credential: key.assert(sent ?? (await challenge()), signing) });
async function personWithPasskey(role: 'admin' | 'user' = 'user', of = organization) {
  const owner = await person(role, of);
  const key = createAuthenticator(ORIGIN);
  const id: string = (await add(owner, key)).json.result.id;
  return { owner, key, id };
}
const mailsTo = async (email: string) =>
  (await server.owner.query<{ subject: string }>('select subject from mails where recipient = $1 order by created_at', [email]))
    .rows;
const actionsOf = async (id: string) =>
  (
    await server.owner.query<{ action: string }>('select action from audit_entries where subject_id = $1 order by seq', [id])
  ).rows.map(({ action }) => action);

describe('IAM-06-partial a passkey', () => {
  test('is added with the password, signs in without it, and is removed; the log and a mail say so', async () => {
    const owner = await person();
    expect(outcomeOf(await call('POST', 'passkeys/begin', owner.bearer, { password: 'not this one' }))).toBe(
      'account.wrong_password',
    );
    const begun = await call('POST', 'passkeys/begin', owner.bearer, { password });
    expect(begun.json.result).toMatchObject({
      rp: { id: 'localhost', name: 'Highline' },
      user: { name: owner.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const key = createAuthenticator(ORIGIN);
    const added = await add(owner, key);
    expect(added.json.result).toMatchObject({ name: 'My phone', lastUsed: null });
    const session = await signIn(key, { userHandle: owner.id });
    expect(session.json.result.id).toBe(owner.id);
    const { json } = await call('GET', 'sessions', session.json.result.vap);
    const current = json.result.list.find((each: { current: boolean }) => each.current);
    expect(current).toMatchObject({ method: 'passkey' });
    const listed = await call('GET', 'passkeys', owner.bearer);
    expect(listed.json.result.list).toEqual([{ ...added.json.result, lastUsed: expect.any(Number) as number }]);
    expect((await call('DELETE', `passkeys/${added.json.result.id}`, owner.bearer)).json.result).toEqual({ deleted: 1 });
    expect(outcomeOf(await signIn(key))).toBe('passkey.invalid');
    expect(await actionsOf(owner.id)).toEqual(['Added the passkey My phone', 'Signed in', 'Removed the passkey My phone']);
    expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toEqual([
      'A passkey was added to your Highline account',
      'A passkey was removed from your Highline account',
    ]);
  });

  test.each([
    ['another origin', { origin: 'https://highline.example' }],
    ['a page of another site', { crossOrigin: true }],
    ['another port', { origin: 'http://localhost:8081' }],
    ['another host', { rpId: 'example.com' }],
    ['a person who was not verified', { isVerified: false }],
    ['the answer to another kind of options', { type: 'webauthn.create' }],
    ['another owner', { userHandle: 'someone else' }],
  ] as const)('signs no one in with %s', async (_, signing) => {
    const { key } = await personWithPasskey();
    expect(outcomeOf(await signIn(key, signing))).toBe('passkey.invalid');
    expect(outcomeOf(await signIn(key))).toBe('done');
  });

  test.each([
    ['another origin', { origin: 'https://highline.example' }],
    ['a page of another site', { crossOrigin: true }],
    ['another host', { rpId: 'example.com' }],
    ['a person who was not verified', { isVerified: false }],
  ] as const)('is not added from %s', async (_, signing) => {
    expect(outcomeOf(await add(await person(), createAuthenticator(ORIGIN), signing))).toBe('passkey.invalid');
  });

  test('answers a challenge once, within five minutes, and for what it was made', async () => {
    const { owner, key } = await personWithPasskey();
    const sent = await challenge();
    expect(outcomeOf(await signIn(key, {}, sent))).toBe('done');
    expect(outcomeOf(await signIn(key, {}, sent))).toBe('passkey.invalid');
    const both = await challenge();
    const outcomes = await Promise.all([signIn(key, {}, both), signIn(key, {}, both)]);
    expect(new Set(outcomes.map(outcomeOf))).toEqual(new Set(['done', 'passkey.invalid']));
    expect(outcomeOf(await signIn(key, {}, await challengeToAdd(owner)))).toBe('passkey.invalid');
    const late = await challenge();
    clock.advance(5 * 60_000);
    expect(outcomeOf(await signIn(key, {}, late))).toBe('passkey.invalid');
    for (const forged of ['', 'AAAA', Buffer.alloc(36).toString('base64url')])
      expect(outcomeOf(await signIn(key, {}, forged)), forged).toBe('passkey.invalid');
    clock.advance(10 * 60_000);
    await purgeSessions(server.database, clock.now());
    expect((await server.owner.query('select from passkey_challenges')).rowCount).toBe(0);
  });

  test('is added for the person who requested it, once', async () => {
    const owner = await person();
    const other = await person();
    const sent = await challengeToAdd(owner);
    const key = createAuthenticator(ORIGIN);
    expect(outcomeOf(await add(other, key, {}, sent))).toBe('passkey.invalid');
    expect(outcomeOf(await add(owner, key, {}, sent))).toBe('done');
    expect(outcomeOf(await add(owner, createAuthenticator(ORIGIN), {}, sent))).toBe('passkey.invalid');
    expect(outcomeOf(await add(other, key))).toBe('passkey.exists');
  });

  test('whose counter falls was copied: it is rejected, logged, and its owner gets one mail a day', async () => {
    const { owner, key } = await personWithPasskey();
    expect(outcomeOf(await signIn(key, { counter: 7 }))).toBe('done');
    for (const counter of [7, 6, 0])
      expect(outcomeOf(await signIn(key, { counter })), String(counter)).toBe('passkey.counter_fell');
    expect((await actionsOf(owner.id)).filter((action) => action.startsWith('Rejected'))).toHaveLength(3);
    expect((await mailsTo(owner.email)).filter(({ subject }) => subject.includes('copied'))).toHaveLength(1);
    expect(outcomeOf(await signIn(key, { counter: 8 }))).toBe('done');
  });

  test('is one of at most ten, and only its owner removes it', async () => {
    const { owner, id } = await personWithPasskey();
    const other = await person();
    for (let more = 1; more < 10; more += 1) {
      // Passwords may be tried eight times in five minutes.
      clock.advance(60_000);
      expect(outcomeOf(await add(owner, createAuthenticator(ORIGIN)))).toBe('done');
    }
    expect(outcomeOf(await call('POST', 'passkeys/begin', owner.bearer, { password }))).toBe('passkey.too_many');
    for (const wrong of [id, 'x', crypto.randomUUID()])
      expect(outcomeOf(await call('DELETE', `passkeys/${wrong}`, other.bearer))).toBe('passkey.not_found');
  });

  test('needs a host with a name', async () => {
    const { bearer } = await person();
    const headers = { host: '127.0.0.1:8080' };
    expect(outcomeOf(await call('POST', 'passkeys/begin', bearer, { password }, { headers }))).toBe('passkey.no_host');
    expect(outcomeOf(await call('POST', 'passkey/begin', undefined, {}, { headers }))).toBe('passkey.no_host');
  });

  test('of garbage is rejected', async () => {
    const owner = await person();
    const key = createAuthenticator(ORIGIN);
    const good = key.attest(await challengeToAdd(owner));
    const broken = { ...good, response: { ...good.response, attestationObject: 'oWNmbXQ' } };
    expect(outcomeOf(await call('POST', 'passkeys', owner.bearer, { name: 'x', credential: broken }))).toBe('passkey.invalid');
    const huge = { ...good, response: { ...good.response, attestationObject: 'A'.repeat(20_001) } };
    expect(outcomeOf(await call('POST', 'passkeys', owner.bearer, { name: 'x', credential: huge }))).toBe('request.invalid');
  });
});

describe('IAM-06-partial a passkey as second factor', () => {
  const token = (owner: Person, more: object) => call('POST', 'token', undefined, { email: owner.email, password, ...more });

  test('stands for the code after the password, of its own account only', async () => {
    const { owner, key } = await personWithPasskey();
    await server.seeding.secondFactor(owner.id, PEOPLES_SECRET, true);
    expect(outcomeOf(await token(owner, {}))).toBe('account.otp_needed');
    const { key: another } = await personWithPasskey();
    expect(outcomeOf(await token(owner, { passkey: another.assert(await challenge()) }))).toBe('passkey.invalid');
    expect(outcomeOf(await token(owner, { passkey: key.assert(await challenge()) }))).toBe('done');
    expect(outcomeOf(await token(owner, { otp: codeOf(PEOPLES_SECRET, clock.now()) }))).toBe('done');
  });

  test('is required where the company requires a second factor; the last one stays; a reset removes it', async () => {
    const strict = await server.seeding.organization(main, 'Strict');
    const admin = await person('admin', strict);
    const { owner, key, id } = await personWithPasskey('user', strict);
    const policy = { needsFactor: true, idleMinutes: 720, lifetimeHours: 168, ranges: [], excepted: [] };
    expect(outcomeOf(await call('PUT', 'policy', admin.bearer, policy))).toBe('done');
    expect(outcomeOf(await token(owner, {}))).toBe('account.passkey_needed');
    expect(outcomeOf(await call('POST', 'second-factor/sign-in', undefined, { email: owner.email, password }))).toBe(
      'account.second_factor_on',
    );
    expect(outcomeOf(await token(owner, { passkey: key.assert(await challenge()) }))).toBe('done');
    expect(outcomeOf(await call('DELETE', `passkeys/${id}`, owner.bearer))).toBe('account.factor_required');
    const reset = await inject(server, 'DELETE', `/dmp_aa/api/v1/accounts/${owner.id}/second-factor`, {
      as: { sessionId: admin.bearer },
    });
    expect(reset.status).toBe(200);
    expect(outcomeOf(await signIn(key))).toBe('passkey.invalid');
    expect(outcomeOf(await token(owner, {}))).toBe('account.factor_needed');
  });
});

test('USR-03-partial a changed password takes all that a sign-in takes by the rules of the company, and its owner gets a mail', async () => {
  const careful = await server.seeding.organization(main, 'Careful');
  const admin = await person('admin', careful);
  const { owner, key } = await personWithPasskey('user', careful);
  const without = await person('user', careful);
  const policy = { needsFactor: true, idleMinutes: 720, lifetimeHours: 168, ranges: [] as string[], excepted: [admin.email] };
  const change = ({ email }: Person, more: object = {}) =>
    call('POST', 'password/change', undefined, { email, password, newPassword: 'quite another passphrase', ...more });
  const save = (ranges: string[]) => call('PUT', 'policy', admin.bearer, { ...policy, ranges, confirmed: true });
  expect(outcomeOf(await save([]))).toBe('done');
  expect(outcomeOf(await change(without))).toBe('account.factor_needed');
  expect(outcomeOf(await change(owner))).toBe('account.passkey_needed');
  const { key: another } = await personWithPasskey();
  expect(outcomeOf(await change(owner, { passkey: another.assert(await challenge()) }))).toBe('passkey.invalid');
  expect(outcomeOf(await save(['203.0.113.0/24']))).toBe('done');
  expect(outcomeOf(await change(owner, { passkey: key.assert(await challenge()) }))).toBe('account.address_not_allowed');
  expect(outcomeOf(await save([]))).toBe('done');
  const subject = 'The password of your Highline account was changed';
  const subjects = async () => (await mailsTo(owner.email)).map((mail) => mail.subject);
  expect(await subjects()).not.toContain(subject);
  expect(outcomeOf(await change(owner, { passkey: key.assert(await challenge()) }))).toBe('done');
  expect(await subjects()).toContain(subject);
});

test('IAM-06 one policy: a second factor for all, a passkey as first or second factor, times, networks, sessions, and mails about each', async () => {
  const { owner: admin, key: keyOfAdmin } = await personWithPasskey('admin');
  const { owner, key } = await personWithPasskey();
  const without = await person();
  const policy = {
    needsFactor: true,
    idleMinutes: 30,
    lifetimeHours: 2,
    ranges: ['127.0.0.0/8', '::1/128'],
    excepted: [admin.email],
  };
  const save = (more: object) => call('PUT', 'policy', admin.bearer, { ...policy, ...more });
  const byPassword = ({ email }: Person, more: object = {}) => call('POST', 'token', undefined, { email, password, ...more });
  const isSignedIn = async (bearer: string) => (await call('POST', '../../v2/auth/introspect/', bearer)).status === 200;
  expect(outcomeOf(await save({}))).toBe('done');
  // A factor for all: who has none sets one up; who has a passkey needs it after the password, or signs in with it alone.
  expect(outcomeOf(await byPassword(without))).toBe('account.factor_needed');
  expect(outcomeOf(await byPassword(owner))).toBe('account.passkey_needed');
  const second = await byPassword(owner, { passkey: key.assert(await challenge()) });
  const first = await signIn(key);
  expect([outcomeOf(second), outcomeOf(first)]).toEqual(['done', 'done']);
  // Sessions with an end: the admin lists and ends those of the person.
  const { json } = await call('GET', `../accounts/${owner.id}/sessions`, admin.bearer);
  expect(json.result.list.map(({ method }: { method: string }) => method)).toContain('passkey');
  expect(outcomeOf(await call('DELETE', `../accounts/${owner.id}/sessions/all`, admin.bearer))).toBe('done');
  expect(await isSignedIn(first.json.result.vap)).toBe(false);
  // Times.
  const idle = (await signIn(key)).json.result.vap as string;
  clock.advance(31 * 60_000);
  expect(await isSignedIn(idle)).toBe(false);
  // Networks.
  admin.bearer = (await signIn(keyOfAdmin)).json.result.vap;
  const inside = (await signIn(key)).json.result.vap as string;
  expect(await isSignedIn(inside)).toBe(true);
  expect(outcomeOf(await save({ ranges: ['203.0.113.0/24'], confirmed: true }))).toBe('done');
  expect(await isSignedIn(inside)).toBe(false);
  // Whom it concerns.
  expect((await mailsTo(without.email)).length).toBeGreaterThan(0);
  expect((await mailsTo(owner.email)).map(({ subject }) => subject)).toContain('You were signed out of Highline');
});
