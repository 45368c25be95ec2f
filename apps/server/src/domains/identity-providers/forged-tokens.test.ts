import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestAuthority } from '../../testing/certificates.ts';
import { inject, type TestResponse } from '../../testing/inject.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startCallReceiver, type ReceivedCall, type CallReceiver } from '../../testing/call-receiver.ts';

// A provider that says whatever a test wants: what a real one never does.

const CLIENT = 'highline';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let receiver: CallReceiver;
let server: TestServer;
let issuer: string;
let provider: string;
let admin: { sessionId: string };
let fields: Record<string, unknown>;
/** What the provider answers next, by the end of the path. */
type Answer = { status?: number; type?: string; body: string; delayMs?: number };
let answers: Record<string, (call: ReceivedCall) => Answer | Promise<Answer>>;

beforeAll(async () => {
  const authority = await createTestAuthority('Identity');
  receiver = await startCallReceiver({ tls: await authority.issue({ isServer: true }), host: 'localhost' });
  issuer = new URL(receiver.url).origin;
  receiver.respond(async (response, call) => {
    const {
      status = 200,
      type = 'application/json',
      body,
      delayMs = 0,
    } = await answers[new URL(call.path, issuer).pathname]!(call);
    setTimeout(() => response.writeHead(status, { 'content-type': type }).end(body), delayMs);
  });
  server = await startTestServer({
    webhooks: { ca: authority.cert, timeoutMs: 1_500 },
    environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1' },
  });
  const { scope: main } = await server.seeding.mainAccount('Vendor');
  const scope = await server.seeding.organization(main, 'acme');
  admin = { sessionId: await server.seeding.bearer(await server.seeding.account(scope, 'owner@acme.example', 'admin')) };
  fields = { name: 'ID', issuer, clientId: CLIENT, clientSecret: 'secret', defaultRole: 'user', domains: ['acme.example'] };
  const created = await inject(server, 'POST', '/dmp_aa/api/v1/identityProviders', { as: admin, body: fields });
  provider = created.json.result.id as string;
  await server.owner.query("update identity_domains set confirmed = 'dns', confirmed_at = now()");
  behave();
});
afterAll(async () => {
  await server.close();
  await receiver.close();
});

const metadata = () => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  // It claims to sign with anything.
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  backchannel_logout_supported: true,
});
const keysOf = (key: KeyObject) =>
  JSON.stringify({ keys: [{ ...key.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] });

/** Every answer is right again, but for some. */
function behave(more: typeof answers = {}): void {
  answers = {
    '/.well-known/openid-configuration': () => ({ body: JSON.stringify(metadata()) }),
    '/keys': () => ({ body: keysOf(publicKey) }),
    '/authorize': () => ({ body: '<form>', type: 'text/html' }),
    ...more,
  };
}

const now = () => Math.floor(Date.now() / 1_000);
const claimsFor = (nonce: string) => ({
  iss: issuer,
  aud: CLIENT,
  sub: 'ann',
  nonce,
  iat: now(),
  exp: now() + 300,
  email: 'ann@acme.example',
  email_verified: true,
});
const sign = (claims: object, key: KeyObject = privateKey, header: object = {}) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Sign in; the provider answers the code with what `token` makes of the claims that would be right. @returns where it leads */
async function signIn(
  token: (claims: ReturnType<typeof claimsFor>) => string | Promise<string>,
  meanwhile?: () => Promise<unknown>,
): Promise<unknown> {
  const begun = await inject(server, 'POST', '/dmp_aa/api/v1/auth/provider', { body: { email: 'ann@acme.example' } });
  expect(begun.status, begun.text).toBe(200);
  const { searchParams } = new URL(begun.json.result.url as string);
  expect(searchParams.get('code_challenge_method')).toBe('S256');
  const idToken = await token(claimsFor(searchParams.get('nonce')!));
  answers['/token'] = async () => {
    await meanwhile?.();
    return { body: JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token: idToken }) };
  };
  return (await comeBack(begun, `?code=c&state=${searchParams.get('state')}`)).headers['location'];
}

function comeBack(begun: TestResponse, query: string): Promise<TestResponse> {
  const cookie = /^idp=[^;]+/u.exec([begun.headers['set-cookie']].flat().join())?.[0] ?? '';
  return inject(server, 'GET', `/console/oidc/callback${query}`, { headers: { cookie } });
}

const INVALID = '/account.html?failed=provider.token_invalid';

describe('an ID token', () => {
  test('IAM-01-partial that is right signs in, and proves the client and the verifier', async () => {
    expect(await signIn((claims) => sign(claims))).toBe('/');
    const call = receiver.calls.findLast(({ path }) => path === '/token')!;
    expect(call.headers['authorization']).toBe(`Basic ${Buffer.from(`${CLIENT}:secret`).toString('base64')}`);
    expect(new URLSearchParams(call.body).get('code_verifier')).toMatch(/^[\w-]{43}$/u);
  });

  test.each<[string, (claims: ReturnType<typeof claimsFor>) => string | Promise<string>]>([
    ['of another issuer', (claims) => sign({ ...claims, iss: 'https://other.example' })],
    ['for another audience', (claims) => sign({ ...claims, aud: 'another' })],
    ['for several audiences, without saying for whom', (claims) => sign({ ...claims, aud: ['another', CLIENT] })],
    ['with another nonce', (claims) => sign({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...claims }) => sign(claims)],
    ['without a subject', ({ sub: _, ...claims }) => sign(claims)],
    ['that expired 30 seconds ago', (claims) => sign({ ...claims, iat: now() - 330, exp: now() - 30 })],
    ['by a clock that is ten minutes behind', (claims) => sign({ ...claims, iat: now() - 600, exp: now() - 300 })],
    ['that is valid in ten minutes', (claims) => sign({ ...claims, iat: now() + 600, nbf: now() + 600, exp: now() + 900 })],
    ['by another key', (claims) => sign(claims, other.privateKey)],
    ['by a key that is not published', (claims) => sign(claims, other.privateKey, { kid: 'two' })],
    [
      'that was changed',
      async (claims) => {
        const [header, , signature] = (await sign(claims)).split('.');
        return [header, part({ ...claims, email: 'owner@acme.example' }), signature].join('.');
      },
    ],
    ['with alg none', (claims) => `${part({ alg: 'none' })}.${part(claims)}.`],
    [
      'with HS256 by the public key',
      (claims) => {
        const text = `${part({ alg: 'HS256', kid: 'one' })}.${part(claims)}`;
        const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
        return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`;
      },
    ],
    ['with NUL in its subject', (claims) => sign({ ...claims, sub: 'ann\0' })],
    ['with a subject of half a character', (claims) => sign({ ...claims, sub: 'ann\ud800' })],
    ['with a subject of 256 characters', (claims) => sign({ ...claims, sub: 'a'.repeat(256) })],
    ['with NUL in its session', (claims) => sign({ ...claims, sid: 's\0' })],
    ['of 1 MB', (claims) => sign({ ...claims, padding: 'x'.repeat(1_000_000) })],
    ['that is none', () => 'none'],
    ['that is empty', () => ''],
  ])('IAM-01-partial %s is rejected', async (_, token) => {
    expect(await signIn(token)).toBe(INVALID);
  });

  test('IAM-01-partial a token endpoint that rejects, is slow, or answers HTML is said plainly', async () => {
    const outcomes: unknown[] = [];
    for (const body of [
      { status: 400, body: '{"error":"invalid_grant"}' },
      { type: 'text/html', body: '<html>' },
      { body: '{}', delayMs: 3_000 },
      { status: 500, body: '' },
    ]) {
      const begun = await inject(server, 'POST', '/dmp_aa/api/v1/auth/provider', { body: { email: 'ann@acme.example' } });
      answers['/token'] = () => body;
      const state = new URL(begun.json.result.url as string).searchParams.get('state');
      outcomes.push((await comeBack(begun, `?code=c&state=${state}`)).headers['location']);
    }
    expect(outcomes).toEqual([INVALID, INVALID, '/account.html?failed=provider.unreachable', INVALID]);
  });
});

test('IAM-01-partial a provider that is down, or answers HTML, is said plainly when a sign-in begins, and later it works again', async () => {
  const begin = async (at: string) => {
    await server.owner.query('update identity_providers set issuer = $1', [at]);
    const { status, json } = await inject(server, 'POST', '/dmp_aa/api/v1/auth/provider', {
      body: { email: 'ann@acme.example' },
    });
    return status === 200 ? 'begun' : [status, json.error.key];
  };
  answers['/html/.well-known/openid-configuration'] = () => ({ body: '<html>', type: 'text/html' });
  expect(await begin('https://localhost:9')).toEqual([503, 'provider.unreachable']);
  expect(await begin(`${issuer}/html`)).toEqual([403, 'provider.token_invalid']);
  expect(await begin(issuer)).toBe('begun');
});

describe('a logout token', () => {
  const logout = (token: string) =>
    inject(server, 'POST', `/dmp_aa/api/v1/auth/provider/${provider}/logout`, {
      body: new URLSearchParams({ logout_token: token }),
    });
  const right = () => ({ iss: issuer, aud: CLIENT, sub: 'ann', iat: now(), exp: now() + 120, jti: 'j', events: LOGOUT });

  test.each<[string, () => string | Promise<string>]>([
    ['of another issuer', () => sign({ ...right(), iss: 'https://other.example' })],
    ['for another client', () => sign({ ...right(), aud: 'another' })],
    ['without the event', () => sign({ ...right(), events: {} })],
    ['that is an ID token', () => sign({ ...right(), nonce: 'n' })],
    ['of no one', () => sign({ ...right(), sub: undefined })],
    ['with NUL in its subject', () => sign({ ...right(), sub: 'ann\0' })],
    ['with NUL in its session', () => sign({ ...right(), sid: 's\0' })],
    ['that is old', () => sign({ ...right(), iat: now() - 400 })],
    ['by another key', () => sign(right(), other.privateKey)],
    ['with alg none', () => `${part({ alg: 'none' })}.${part(right())}.`],
    ['that is none', () => 'x'],
  ])('IAM-01-partial %s ends nothing', async (_, token) => {
    expect(await signIn((claims) => sign(claims))).toBe('/');
    const response = await logout(await token());
    expect([response.status, response.json.error.key]).toEqual([400, 'provider.logout_invalid']);
    expect((await server.owner.query('select 1 from identity_sessions')).rows).not.toEqual([]);
  });

  test('IAM-01-partial by name of a person ends all of its sessions; sent again it ends none that began after it', async () => {
    await signIn((claims) => sign(claims));
    const token = await sign({ ...right(), iat: now() - 60 });
    expect((await logout(token)).json.result.ended).toBe(0);
    expect((await logout(await sign(right()))).json.result.ended).toBeGreaterThan(0);
    expect((await server.owner.query('select 1 from identity_sessions')).rows).toEqual([]);
    const unknown = await inject(server, 'POST', '/dmp_aa/api/v1/auth/provider/x/logout', {
      body: new URLSearchParams({ logout_token: 'x' }),
    });
    expect(unknown.status).toBe(404);
  });
});

describe('the test of a connection', () => {
  const steps = async (more?: typeof answers) => {
    behave(more);
    const { json, text } = await inject(server, 'POST', `/dmp_aa/api/v1/identityProviders/${provider}/test`, { as: admin });
    expect(json.result, text).toBeDefined();
    return Object.fromEntries(
      (json.result as { step: string; reason: string; detail: string }[]).map(({ step, reason, detail }) => [
        step,
        detail === '' ? reason : `${reason} ${detail}`,
      ]),
    );
  };
  const rejectsCode = { '/token': () => ({ status: 400, body: '{"error":"invalid_grant"}' }) };
  const discovery = (answer: { status?: number; type?: string; body: string }) => ({
    '/.well-known/openid-configuration': () => answer,
  });

  test('IAM-01-partial of a provider that works', async () => {
    expect(await steps(rejectsCode)).toMatchObject({
      discovery: 'ok',
      issuer: `ok ${issuer}`,
      clock: 'ok',
      endpoints: 'ok',
      keys: 'ok 1',
      credentials: 'ok',
      logout: 'ok',
    });
  });

  test.each([
    ['HTML', discovery({ type: 'text/html', body: '<!doctype html>' }), { discovery: 'html text/html' }],
    ['a status', discovery({ status: 404, body: '{}' }), { discovery: 'status 404' }],
    ['no JSON', discovery({ body: 'hello' }), { discovery: 'not_json application/json' }],
    [
      'an endless answer',
      discovery({ body: 'x'.repeat(600_000) }),
      { discovery: 'too_long The answer is longer than 524288 bytes.' },
    ],
    [
      'rejected credentials',
      { '/token': () => ({ status: 401, body: '{"error":"invalid_client"}' }) },
      { credentials: 'client_rejected invalid_client' },
    ],
    ['no keys', { ...rejectsCode, '/keys': () => ({ body: '{"keys":[]}' }) }, { keys: 'no_keys' }],
    [
      'a rejected redirect URI',
      { ...rejectsCode, '/authorize': () => ({ status: 400, body: '' }) },
      { redirect: expect.stringMatching(/^rejected http.*\/console\/oidc\/callback$/u) },
    ],
  ])('IAM-01-partial says %s', async (_, more, found) => {
    expect(await steps(more)).toMatchObject(found);
  });

  test('IAM-01-partial says that the issuer differs, what is missing, and what the guard does not call', async () => {
    const changed = (part: object) => discovery({ body: JSON.stringify({ ...metadata(), ...part }) });
    expect(await steps(changed({ issuer: 'https://other.example' }))).toMatchObject({ issuer: 'differs https://other.example' });
    expect(await steps(changed({ token_endpoint: undefined }))).toMatchObject({ endpoints: 'missing token_endpoint' });
    expect((await steps(changed({ token_endpoint: 'https://10.0.0.1/token' })))['endpoints']).toMatch(
      /^unreachable 10\.0\.0\.1 is not/u,
    );
  });

  test.each([
    'http://id.example.com',
    'https://10.0.0.1',
    'https://user@id.example.com',
    'https://id.example.com/?a=b',
    'id',
    'ftp://x',
  ])('IAM-01-partial the issuer %s is not saved', async (address) => {
    const body = { name: 'ID', issuer: address, clientId: 'x' };
    const response = await inject(server, 'POST', '/dmp_aa/api/v1/identityProviders', { as: admin, body });
    expect([response.status, response.json.error.key, response.json.error.field]).toEqual([
      400,
      'provider.issuer_invalid',
      'issuer',
    ]);
  });
});

test('IAM-01-partial a client secret is sent only to the issuer for which it was typed', async () => {
  const other = `${issuer}/other`;
  const rejects = () => ({ status: 400, body: '{"error":"invalid_grant"}' });
  const otherMetadata = () => ({ body: JSON.stringify({ ...metadata(), issuer: other, token_endpoint: `${other}/token` }) });
  behave({ '/other/.well-known/openid-configuration': otherMetadata, '/other/token': rejects });
  const path = `/dmp_aa/api/v1/identityProviders/${provider}`;
  const save = (more: object) => {
    const { clientSecret: _, ...rest } = fields;
    return inject(server, 'PUT', path, { as: admin, body: { ...rest, ...more } });
  };
  const secretSent = async () => {
    await inject(server, 'POST', `${path}/test`, { as: admin });
    const { headers } = receiver.calls.findLast((call) => call.path === '/other/token')!;
    return Buffer.from((headers['authorization'] ?? '').replace('Basic ', ''), 'base64').toString();
  };
  expect((await save({ name: 'Renamed' })).status).toBe(200);
  const rejected = await save({ issuer: other });
  expect([rejected.status, rejected.json.error]).toMatchObject([400, { key: 'provider.secret_missing', field: 'clientSecret' }]);
  expect((await save({ issuer: other, clientSecret: 'of the other' })).status).toBe(200);
  expect(await secretSent()).toBe(`${CLIENT}:${encodeURIComponent('of the other').replaceAll('%20', '+')}`);
  // A public client has none.
  expect((await save({ issuer: other, clientSecret: '' })).status).toBe(200);
  expect((await save({})).status).toBe(200);
  expect((await save({ clientSecret: 'secret' })).status).toBe(200);
});

describe('a provider that changes while its answer is on its way', () => {
  const PATH = '/dmp_aa/api/v1/identityProviders';
  const save = (more: Record<string, unknown>) =>
    inject(server, 'PUT', `${PATH}/${provider}`, { as: admin, body: { ...fields, ...more } });
  const sessions = async () => (await server.owner.query('select 1 from sessions s where s.method = $1', ['provider'])).rows;

  test.each<[string, () => Promise<TestResponse>]>([
    ['disabled', () => save({ enabled: false })],
    ['given other rules', () => save({ rules: [{ claim: 'groups', value: 'fleet', role: 'user' }], defaultRole: 'none' })],
    ['deleted', () => inject(server, 'DELETE', `${PATH}/${provider}`, { as: admin })],
  ])('IAM-01-partial and is %s signs no one in any more', async (_, change) => {
    behave();
    expect((await save({})).status).toBe(200);
    await server.owner.query('delete from sessions where method = $1', ['provider']);
    const location = await signIn(
      (claims) => sign(claims),
      async () => expect((await change()).status).toBe(200),
    );
    expect(location).toBe('/account.html?failed=provider.none');
    expect(await sessions()).toEqual([]);
  });
});
