import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { createMovingClock, send, until } from '../../testing/call.ts';
import { decodeMail, type DecodedMail } from '../../testing/mail.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const oldPassword = 'correct horse battery';
const newPassword = 'another horse, another battery';
const clock = createMovingClock();
const folder = mkdtempSync(join(tmpdir(), 'highline-password-'));

let server: TestServer;
let organization: OrganizationScope;

beforeAll(async () => {
  server = await startTestServer({ clock, folder });
  const { scope } = await server.seeding.mainAccount('Home');
  organization = await server.seeding.organization(scope, 'Passwords');
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const post = (path: string, body: unknown) => send(`${server.url}/dmp_aa/api/v1/auth/${path}`, { body });
const forgot = (email: string, language?: string) =>
  post('password/forgot', { email, ...(language === undefined ? {} : { language }) });
const reset = (secret: string, password: string) => post('password/reset', { secret, password });
const signIn = (email: string, password: string) => post('token', { email, password });
const person = (email: string) => server.seeding.account(organization, email, 'user', oldPassword);

function mailsTo(email: string): DecodedMail[] {
  const outbox = join(folder, 'outbox');
  return namesIn(outbox)
    .map((name) => decodeMail(readFileSync(join(outbox, name))))
    .filter((mail) => mail.headers['to'] === email);
}

function namesIn(outbox: string): string[] {
  try {
    return readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  } catch {
    return [];
  }
}

/** The secrets of the links in the mails to a user, oldest first. */
async function secretsFor(email: string): Promise<string[]> {
  const mails = await server.mailsTo(email);
  return mails.reverse().map(({ plain }) => /reset=([A-Za-z0-9_-]+)/u.exec(plain)![1]!);
}

async function secretFor(email: string): Promise<string> {
  const secrets = await secretsFor(email);
  expect(secrets).toHaveLength(1);
  return secrets[0]!;
}

test('a forgotten password is answered alike whether or not the address has an account, and only an account gets a mail', async () => {
  await person('known@highline.invalid');
  const unknown = await forgot('unknown@highline.invalid');
  const known = await forgot('known@highline.invalid');
  expect([known.status, known.text]).toEqual([200, '{"result":{"accepted":true}}']);
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  const { rows } = await server.owner.query('select recipient from mails');
  expect(rows).toEqual([{ recipient: 'known@highline.invalid' }]);
});

test('a mailed link sets a password once, ends every session, and is logged', async () => {
  const id = await person('forgetful@highline.invalid');
  const bearers = [await server.seeding.bearer(id), await server.seeding.bearer(id)];
  const bystander = await server.seeding.bearer(await person('bystander@highline.invalid'));
  await forgot('forgetful@highline.invalid');
  const secret = await secretFor('forgetful@highline.invalid');
  const { rows: links } = await server.owner.query<{ row: string }>(
    'select l::text as row from mailed_links l where account_id = $1',
    [id],
  );
  expect(links[0]!.row).not.toContain(secret);

  const response = await reset(secret, newPassword);
  expect([response.status, response.text]).toEqual([200, '{"result":{"email":"forgetful@highline.invalid"}}']);
  const introspect = (bearer: string) => send(`${server.url}/dmp_aa/api/v2/auth/introspect/`, { method: 'POST', bearer });
  for (const bearer of bearers) expect((await introspect(bearer)).status).toBe(401);
  expect((await introspect(bystander)).status).toBe(200);

  expect((await signIn('forgetful@highline.invalid', oldPassword)).status).toBe(403);
  expect((await signIn('forgetful@highline.invalid', newPassword)).status).toBe(200);
  const again = await reset(secret, 'a third horse and battery');
  expect([again.status, again.error().key]).toEqual([410, 'account.link_invalid']);
  expect((await signIn('forgetful@highline.invalid', newPassword)).status).toBe(200);
  const { rows } = await server.owner.query<{ action: string; detail: unknown }>(
    `select action, detail from audit_entries where actor_id = $1 and action like 'Set a new%'`,
    [id],
  );
  expect(rows).toEqual([{ action: 'Set a new password by email link', detail: { sessions: 2 } }]);
});

test('a link is valid for one hour', async () => {
  await person('late@highline.invalid');
  await forgot('late@highline.invalid');
  const secret = await secretFor('late@highline.invalid');
  clock.advance(3_600_000);
  expect((await reset(secret, newPassword)).error().key).toBe('account.link_invalid');
  expect((await signIn('late@highline.invalid', oldPassword)).status).toBe(200);
});

test('a weak password is rejected and the link stays valid', async () => {
  await person('weak.password@highline.invalid');
  await forgot('weak.password@highline.invalid');
  const secret = await secretFor('weak.password@highline.invalid');
  for (const weak of ['short', 'x'.repeat(201), 'Weak.Password@highline.invalid', 'weak.password', '🚌🚌🚌🚌🚌'])
    expect((await reset(secret, weak)).error().key, weak).toBe('account.weak_password');
  for (const common of ['aaaaaaaaaa', '1234567890', 'qwertyuiop', 'password12', 'iloveyou123', 'abcabcabcabc', 'weak.password1'])
    expect((await reset(secret, common)).error(), common).toMatchObject({ key: 'account.common_password', field: 'password' });
  expect((await reset(secret, '🚌🚃🚁🚢⛵🚲🛵🚜🚚🚛')).status).toBe(200);
});

test('using one link makes every other link of the account worthless', async () => {
  await person('twice@highline.invalid');
  await forgot('twice@highline.invalid');
  clock.advance(1_000);
  await forgot('twice@highline.invalid');
  const [first, second] = await secretsFor('twice@highline.invalid');
  expect((await reset(second!, newPassword)).status).toBe(200);
  expect((await reset(first!, 'a third horse and battery')).error().key).toBe('account.link_invalid');
});

test('two uses of one link at once set one password', async () => {
  await person('racing@highline.invalid');
  await forgot('racing@highline.invalid');
  const secret = await secretFor('racing@highline.invalid');
  const responses = await Promise.all([reset(secret, 'the first of two horses'), reset(secret, 'the second of two horses')]);
  expect(responses.map((response) => response.status).sort((a, b) => a - b)).toEqual([200, 410]);
});

test('the mail is in Chinese on request, and carries the link in both of its forms', async () => {
  await person('chinese@highline.invalid');
  await forgot('chinese@highline.invalid', 'zh-TW');
  const secret = await secretFor('chinese@highline.invalid');
  const mail = await until(() => mailsTo('chinese@highline.invalid')[0]);
  expect(mail.headers['subject']).toBe('設定新的 Highline 密碼');
  expect(mail.plain).toContain(`${server.url}/account.html?reset=${secret}`);
  expect(mail.html).toContain('lang="zh-TW"');
  expect(mail.html).toContain(`href="${server.url}/account.html?reset=${secret}"`);
});

test('one user is sent three mails at most in a quarter of an hour', async () => {
  await person('flooded@highline.invalid');
  clock.advance(3_600_000);
  for (let mails = 0; mails < 3; mails += 1) expect((await forgot('flooded@highline.invalid')).status).toBe(200);
  expect((await forgot('flooded@highline.invalid')).error().key).toBe('account.too_many_tries');
  for (let mails = 0; mails < 3; mails += 1) await forgot('unknown@highline.invalid');
  expect((await forgot('unknown@highline.invalid')).error().key).toBe('account.too_many_tries');
});
