import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MainScope, OrganizationScope } from '../../kernel/scope.ts';
import { createMovingClock, send, type Responded } from '../../testing/call.ts';
import { codeOf, PEOPLES_PASSWORD as password, PEOPLES_SECRET } from '../../testing/second-factor.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { purgeSessions } from './sessions.store.ts';

const clock = createMovingClock();

let server: TestServer;
let main: MainScope;
let organization: OrganizationScope;

beforeAll(async () => {
  server = await startTestServer({ clock });
  main = (await server.seeding.mainAccount('Home')).scope;
  organization = await server.seeding.organization(main, 'Codes');
});
afterAll(() => server.close());

const api = (path: string) => `${server.url}/dmp_aa/api/v1/${path}`;
const signIn = (email: string, otp?: string, secret = password) =>
  send(api('auth/token'), { body: { email, password: secret, ...(otp === undefined ? {} : { otp }) } });
const call = (method: string, path: string, bearer: string, body?: unknown): Promise<Responded> =>
  send(api(path), { method, bearer, ...(body === undefined ? {} : { body }) });
const outcomeOf = (response: Responded) => (response.status === 200 ? 'done' : response.error().key);
/** The code that an app shows now. */
const code = (secret: Buffer | string = PEOPLES_SECRET) => codeOf(secret, clock.now());

let count = 0;
async function person(role: 'main' | 'admin' | 'user' = 'user') {
  count += 1;
  const email = `codes-${count}@highline.invalid`;
  const id = await server.seeding.account(role === 'main' ? main : organization, email, role, password);
  return { id, email, bearer: await server.seeding.bearer(id) };
}
async function personWithFactor(role: 'main' | 'admin' | 'user' = 'user') {
  const made = await person(role);
  await server.seeding.secondFactor(made.id, PEOPLES_SECRET, true);
  return made;
}
/** Turn it on as a user does. @returns the app's secret and the recovery codes */
async function enrol(bearer: string) {
  const begun = await call('POST', 'auth/second-factor', bearer, { password });
  const { secret, uri } = begun.json<{ result: { secret: string; uri: string } }>().result;
  const confirmed = await call('POST', 'auth/second-factor/confirm', bearer, { code: code(secret) });
  return { secret, uri, codes: confirmed.json<{ result: { recoveryCodes: string[] } }>().result.recoveryCodes };
}
const entriesAbout = async (id: string) =>
  (
    await server.owner.query<{ action: string; detail: unknown }>(
      "select action, detail from audit_entries where subject_id = $1 and action <> 'Signed in' order by seq",
      [id],
    )
  ).rows;

describe('turning a second factor on', () => {
  test('takes the password and a first code, shows ten recovery codes, and keeps neither them nor the secret in the clear', async () => {
    const { id, email, bearer } = await person();
    expect(outcomeOf(await call('POST', 'auth/second-factor', bearer, { password: 'not this one' }))).toBe(
      'account.wrong_password',
    );
    const { secret, uri, codes } = await enrol(bearer);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(decodeURIComponent(uri)).toContain(`Highline:${email}`);
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const each of codes) expect(each).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/u);
    const { rows } = await server.owner.query<{ text: string }>(
      `select (select f::text from second_factors f where account_id = $1) ||
        (select string_agg(c::text, '') from recovery_codes c where account_id = $1) as text`,
      [id],
    );
    for (const hidden of [secret, ...codes]) {
      expect(rows[0]!.text).not.toContain(hidden);
      expect(rows[0]!.text).not.toContain(Buffer.from(hidden).toString('hex'));
    }
    const shown = await call('GET', 'auth/second-factor', bearer);
    expect(shown.json()).toMatchObject({ result: { enabled: true, recoveryCodes: 10 } });
    expect(await entriesAbout(id)).toEqual([
      { action: 'Began to set up a second factor', detail: {} },
      { action: 'Turned the second factor on', detail: { recoveryCodes: 10 } },
    ]);
    expect(outcomeOf(await call('POST', 'auth/second-factor', bearer, { password }))).toBe('account.second_factor_on');
    expect(outcomeOf(await call('POST', 'auth/second-factor/confirm', bearer, { code: code(secret) }))).toBe(
      'account.second_factor_on',
    );
  });

  test('that was not finished requires no codes, and is deleted after a day', async () => {
    const { id, email, bearer } = await person();
    expect(outcomeOf(await call('POST', 'auth/second-factor/confirm', bearer, { code: '123456' }))).toBe(
      'account.second_factor_off',
    );
    await call('POST', 'auth/second-factor', bearer, { password });
    for (const wrong of ['', '12345', '1234567', 'abcdef', code(Buffer.from('another 20-byte word'))])
      expect(outcomeOf(await call('POST', 'auth/second-factor/confirm', bearer, { code: wrong })), wrong).toBe(
        'account.otp_wrong',
      );
    expect(outcomeOf(await signIn(email))).toBe('done');
    await server.owner.query("update second_factors set created_at = created_at - interval '25 hours' where account_id = $1", [
      id,
    ]);
    await purgeSessions(server.database, clock.now());
    const { rowCount } = await server.owner.query('select 1 from second_factors where account_id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  test('a guesser with an open console has ten attempts', async () => {
    const { bearer } = await person();
    const begun = await call('POST', 'auth/second-factor', bearer, { password });
    const { secret } = begun.json<{ result: { secret: string } }>().result;
    const tries = [];
    for (let count = 0; count < 11; count += 1)
      tries.push(outcomeOf(await call('POST', 'auth/second-factor/confirm', bearer, { code: 'abcdef' })));
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 'account.otp_wrong'), 'account.too_many_tries']);
    expect(secret).not.toBe('');
    clock.advance(900_000);
    expect(outcomeOf(await call('POST', 'auth/second-factor/confirm', bearer, { code: 'abcdef' }))).toBe('account.otp_wrong');
  });

  test('a secret moved to another account cannot be opened there: that is said plainly, and recovery codes still work', async () => {
    const [one, two] = [await person(), await personWithFactor()];
    const { codes } = await enrol(one.bearer);
    await server.owner.query(
      'update second_factors set sealed_secret = (select sealed_secret from second_factors where account_id = $2) where account_id = $1',
      [one.id, two.id],
    );
    const rejected = await signIn(one.email, code());
    expect([rejected.status, rejected.error()]).toMatchObject([409, { key: 'secret.unreadable', field: 'otp' }]);
    expect(outcomeOf(await signIn(one.email, codes[0]))).toBe('done');
    expect(outcomeOf(await signIn(two.email, code()))).toBe('done');
  });
});

describe('signing in with a second factor', () => {
  test('requires the code only after the right password, and accepts no code of another account', async () => {
    const { email } = await personWithFactor();
    expect(outcomeOf(await signIn(email, undefined, 'not this one'))).toBe('account.wrong_password');
    expect(outcomeOf(await signIn(email, code(), 'not this one'))).toBe('account.wrong_password');
    const challenge = await signIn(email);
    expect([challenge.status, challenge.error()]).toMatchObject([403, { key: 'account.otp_needed', field: 'otp' }]);
    expect(outcomeOf(await signIn(email, codeOf(Buffer.from('another 20-byte word'), clock.now())))).toBe('account.otp_wrong');
    expect(outcomeOf(await signIn(email, ` ${code().slice(0, 3)} ${code().slice(3)} `))).toBe('done');
  });

  test('a TOTP code used twice is rejected, also by two at once and while it is still valid', async () => {
    const { email } = await personWithFactor();
    const shown = code();
    const both = await Promise.all([signIn(email, shown), signIn(email, shown)]);
    expect(both.map(outcomeOf).sort()).toEqual(['account.otp_wrong', 'done']);
    clock.advance(30_000);
    expect(outcomeOf(await signIn(email, shown))).toBe('account.otp_wrong');
    const next = code();
    expect(outcomeOf(await signIn(email, next))).toBe('done');
    // A code of the previous period is older than the accepted one.
    expect(outcomeOf(await signIn(email, codeOf(PEOPLES_SECRET, new Date(clock.now().getTime() - 30_000))))).toBe(
      'account.otp_wrong',
    );
  });

  test('the code that turned it on cannot be used to sign in', async () => {
    const { email, bearer } = await person();
    const { secret } = await enrol(bearer);
    expect(outcomeOf(await signIn(email, code(secret)))).toBe('account.otp_wrong');
    clock.advance(30_000);
    expect(outcomeOf(await signIn(email, code(secret)))).toBe('done');
  });

  test('a clock that is half a minute off is accepted, one that is two minutes off is not', async () => {
    const off = (seconds: number) => codeOf(PEOPLES_SECRET, new Date(clock.now().getTime() + seconds * 1000));
    const { email } = await personWithFactor();
    expect(outcomeOf(await signIn(email, off(-120)))).toBe('account.otp_wrong');
    expect(outcomeOf(await signIn(email, off(120)))).toBe('account.otp_wrong');
    expect(outcomeOf(await signIn(email, off(-30)))).toBe('done');
  });

  test('each recovery code signs in once, however it is typed, and no code of another account does', async () => {
    const { id, email, bearer } = await person();
    const unrelated = await person();
    const { codes } = await enrol(bearer);
    const foreign = (await enrol(unrelated.bearer)).codes[0]!;
    expect(outcomeOf(await signIn(email, foreign))).toBe('account.otp_wrong');
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ');
    const both = await Promise.all([signIn(email, typed), signIn(email, codes[0])]);
    expect(both.map(outcomeOf).sort()).toEqual(['account.otp_wrong', 'done']);
    expect(outcomeOf(await signIn(email, codes[1]))).toBe('done');
    const shown = await call('GET', 'auth/second-factor', bearer);
    expect(shown.json()).toMatchObject({ result: { recoveryCodes: 8 } });
    const { rows } = await server.owner.query(
      "select detail from audit_entries where subject_id = $1 and action = 'Signed in' order by seq",
      [id],
    );
    expect(rows).toEqual([{ detail: { secondFactor: 'recovery code' } }, { detail: { secondFactor: 'recovery code' } }]);
  });

  test('guessing codes is limited: after a few attempts even the right one waits', async () => {
    const { email } = await personWithFactor();
    const outcomes: string[] = [];
    for (let tries = 0; tries < 9; tries += 1) outcomes.push(outcomeOf(await signIn(email, '000000')));
    expect(outcomes).toContain('account.too_many_tries');
    expect(outcomeOf(await signIn(email, code()))).toBe('account.too_many_tries');
    clock.advance(901_000);
    expect(outcomeOf(await signIn(email, code()))).toBe('done');
  });
});

describe('turning it off', () => {
  test('takes the password and a code; an open console alone is not enough', async () => {
    const { id, email, bearer } = await personWithFactor();
    const end = (body: object) => call('DELETE', 'auth/second-factor', bearer, body);
    expect((await end({})).status).toBe(400);
    expect(outcomeOf(await end({ password: 'not this one', code: code() }))).toBe('account.wrong_password');
    expect(outcomeOf(await end({ password, code: '' }))).toBe('account.otp_needed');
    expect(outcomeOf(await end({ password, code: '000000' }))).toBe('account.otp_wrong');
    expect(outcomeOf(await signIn(email))).toBe('account.otp_needed');
    expect(outcomeOf(await end({ password, code: code() }))).toBe('done');
    expect(outcomeOf(await signIn(email))).toBe('done');
    expect(outcomeOf(await end({ password, code: code() }))).toBe('account.second_factor_off');
    expect(await entriesAbout(id)).toEqual([{ action: 'Turned the second factor off', detail: { proof: 'code' } }]);
  });

  test('a colleague who manages may reset it, and no one else: not the user, another user, or another organization', async () => {
    const [admin, user, boss] = [await personWithFactor('admin'), await personWithFactor(), await person('main')];
    const elsewhere = await server.seeding.organization(main, 'Elsewhere');
    const unrelated = await server.seeding.account(elsewhere, 'codes-unrelated@highline.invalid', 'user');
    await server.seeding.secondFactor(unrelated, PEOPLES_SECRET, true);
    const reset = (bearer: string, id: string) => call('DELETE', `accounts/${id}/second-factor`, bearer);
    expect(outcomeOf(await reset(admin.bearer, admin.id))).toBe('account.is_self');
    expect(outcomeOf(await reset(user.bearer, admin.id))).toBe('permission.denied');
    for (const id of [unrelated, boss.id, 'unknown']) expect((await reset(admin.bearer, id)).status).toBe(404);
    const seen = await call('GET', `accounts/${user.id}`, admin.bearer);
    expect(seen.json()).toMatchObject({ result: { secondFactor: true } });
    expect(outcomeOf(await reset(admin.bearer, user.id))).toBe('done');
    // A user who lost the phone may have lost a signed-in console with it: every session ends, and the user gets a mail.
    expect((await call('GET', 'auth/sessions', user.bearer)).status).toBe(401);
    const { rows: mails } = await server.owner.query<{ subject: string; plain: string }>(
      'select subject, plain from mails where recipient = $1',
      [user.email],
    );
    expect(mails).toEqual([
      { subject: 'Your Highline second factor was reset', plain: expect.stringContaining(admin.email) as string },
    ]);
    expect(outcomeOf(await reset(admin.bearer, user.id))).toBe('account.second_factor_off');
    expect(outcomeOf(await signIn(user.email))).toBe('done');
    const admins = () => call('GET', `accounts/?org=${organization.organizationId}&role=admin&limit=100`, boss.bearer);
    const factorOf = (response: Responded) =>
      response.json<{ result: { list: { id: string; secondFactor: boolean }[] } }>().result.list.find(({ id }) => id === admin.id)
        ?.secondFactor;
    expect(factorOf(await admins())).toBe(true);
    expect(outcomeOf(await reset(boss.bearer, admin.id))).toBe('done');
    expect(factorOf(await admins())).toBe(false);
    const colleague = await personWithFactor('main');
    expect(outcomeOf(await reset(boss.bearer, colleague.id))).toBe('done');
    const { rows } = await server.owner.query(
      "select chain_id, actor_email from audit_entries where action like 'Reset the second factor of %'",
    );
    const { organizationId } = organization;
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        { chain_id: organizationId, actor_email: admin.email },
        { chain_id: organizationId, actor_email: boss.email },
        { chain_id: main.mainAccountId, actor_email: boss.email },
      ]),
    );
  });
});

describe('USR-03-partial a password changed on the sign-in page', () => {
  const change = (email: string, more: object = {}) =>
    send(api('auth/password/change'), { body: { email, password, newPassword: 'quite another passphrase', ...more } });

  test('takes the old one, ends every session of the account, and is in the log', async () => {
    const { id, email, bearer } = await person();
    const other = await server.seeding.bearer(id);
    const bystander = await person();
    expect(outcomeOf(await change(email, { password: 'not this one' }))).toBe('account.wrong_password');
    for (const weak of ['short', email])
      expect(outcomeOf(await change(email, { newPassword: weak }))).toBe('account.weak_password');
    expect((await call('GET', 'auth/sessions', bearer)).status).toBe(200);
    expect(outcomeOf(await change(email))).toBe('done');
    for (const ended of [bearer, other]) expect((await call('GET', 'auth/sessions', ended)).status).toBe(401);
    expect((await call('GET', 'auth/sessions', bystander.bearer)).status).toBe(200);
    expect(outcomeOf(await signIn(email))).toBe('account.wrong_password');
    expect(outcomeOf(await signIn(email, undefined, 'quite another passphrase'))).toBe('done');
    expect(await entriesAbout(id)).toEqual([{ action: 'Changed the password', detail: { sessions: 2 } }]);
  });

  test('requires the second factor if it is on, and one code changes one password', async () => {
    const { email } = await personWithFactor();
    expect(outcomeOf(await change(email))).toBe('account.otp_needed');
    expect(outcomeOf(await change(email, { otp: '000000' }))).toBe('account.otp_wrong');
    const otp = code();
    expect(outcomeOf(await change(email, { otp }))).toBe('done');
    expect(outcomeOf(await signIn(email, otp, 'quite another passphrase'))).toBe('account.otp_wrong');
  });

  test('of an unknown account and of an account without a password is rejected like a wrong one, and is rate-limited', async () => {
    const { email } = await person();
    await server.owner.query('update accounts set password_hash = null where email = $1', [email]);
    for (const who of [email, 'unknown@highline.invalid']) expect(outcomeOf(await change(who))).toBe('account.wrong_password');
    const outcomes: string[] = [];
    for (let tries = 0; tries < 9; tries += 1) outcomes.push(outcomeOf(await change(email)));
    expect(outcomes.at(-1)).toBe('account.too_many_tries');
  });
});
