import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMovingClock } from '../../testing/call.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

// A console of a few lines replaces the built one: how files are served does not depend on their content. One folder in its path
// is named like the one whose files are cached forever.
const folder = mkdtempSync(join(tmpdir(), 'highline-console-'));
const built = join(folder, 'assets', 'dist');
const script = 'console.log(1);\n'.repeat(200);
const clock = createMovingClock();

interface Person {
  readonly id: string;
  readonly email: string;
  readonly vap: string;
}

let server: TestServer;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  mkdirSync(join(built, 'assets'), { recursive: true });
  for (const name of ['index.html', 'account.html', 'error_acc_invalid.html'])
    writeFileSync(join(built, name), `<!doctype html><title>${name}</title>`);
  writeFileSync(join(built, 'before-paint.js'), '');
  writeFileSync(join(built, 'assets', 'app-1a2b.js'), script);
  writeFileSync(join(built, 'assets', 'app-1a2b.js.gz'), gzipSync(script));
  writeFileSync(join(folder, 'secret.json'), '{}');
  server = await startTestServer({ clock, consoleFolder: built });
  const { scope } = await server.seeding.mainAccount('Home');
  const organization = await server.seeding.organization(scope, 'Console');
  const person = async (name: string): Promise<Person> => {
    const email = `${name}@highline.invalid`;
    const id = await server.seeding.account(organization, email, 'user');
    return { id, email, vap: await server.seeding.bearer(id) };
  };
  alice = await person('alice');
  bob = await person("bob'<b>");
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Visit {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** By name, with attributes as a browser reads them. */
  readonly cookies: Readonly<Record<string, { readonly value: string; readonly attributes: readonly string[] }>>;
  readonly text: string;
}

/** Send exactly this request line, as a navigating browser by default. */
function visit(
  path: string,
  options: { cookie?: string; accept?: string; method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<Visit> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        hostname,
        port,
        path,
        method: options.method ?? 'GET',
        headers: {
          accept: options.accept ?? 'text/html,*/*;q=0.8',
          connection: 'close',
          ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
          ...(options.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...options.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            cookies: cookiesOf(response.headers['set-cookie'] ?? []),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}

function cookiesOf(lines: readonly string[]): Visit['cookies'] {
  return Object.fromEntries(
    lines.map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      const name = pair.slice(0, pair.indexOf('='));
      return [name, { value: pair.slice(name.length + 1), attributes: attributes.sort() }];
    }),
  );
}

const cookieOf = ({ id, vap }: Person) => `id=${id}; vap=${vap}`;
const handedOver = ({ id, vap }: Person) => `id=${id}&vap=${vap}`;

describe('AUTH-01-partial a session handed over by address', () => {
  test('is stored in cookies and answered with the same address without it', async () => {
    const response = await visit(`/devices/list?page=2&${handedOver(alice)}&name=a%26b`);
    expect([response.status, response.headers.location]).toEqual([303, '/devices/list?page=2&name=a%26b']);
    expect(response.cookies['id']).toEqual({ value: alice.id, attributes: ['Max-Age=604800', 'Path=/', 'SameSite=Lax'] });
    expect(response.cookies['vap']).toEqual({
      value: alice.vap,
      attributes: ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'],
    });
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(response.text).not.toContain(alice.vap);
    const root = await visit(`/?${handedOver(alice)}`);
    expect([root.status, root.headers.location]).toEqual([303, '/']);
  });

  test('is rejected when its bearer is wrong, another account’s, doubled or without an account', async () => {
    const rejected = [
      `id=${alice.id}&vap=${'x'.repeat(43)}`,
      `id=${alice.id}&vap=${bob.vap}`,
      `${handedOver(alice)}&vap=${alice.vap}`,
      `${handedOver(alice)}&id=${bob.id}`,
      `vap=${alice.vap}`,
      `id=&vap=`,
    ];
    for (const query of rejected) {
      const response = await visit(`/devices/list?${query}`);
      expect([response.status, response.headers.location, Object.keys(response.cookies)], query).toEqual([303, '/login', []]);
    }
  });

  test('never leads to another site', async () => {
    for (const path of [
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/..//evil.example',
      '///evil.example/x',
      '/\\\\[x',
      '/%zz'.slice(0, 1),
    ]) {
      const response = await visit(`${path}?${handedOver(alice)}`);
      expect(response.status, path).toBe(303);
      expect(new URL(response.headers.location!, server.url).origin, path).toBe(server.url);
      expect(response.headers.location, path).not.toMatch(/^[/\\]{2}/u);
    }
  });

  test('keeps script in the query as text', async () => {
    const response = await visit(`/?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E%0d%0aSet-Cookie:x=1&${handedOver(alice)}`);
    expect(response.status).toBe(303);
    expect(response.headers.location).not.toMatch(/[<>\r\n]/u);
    expect(Object.keys(response.cookies).sort()).toEqual(['id', 'logout', 'vap']);
  });

  test('is not accepted by a call, and not by a request that is not a navigation', async () => {
    const program = await visit(`/devices/list?${handedOver(alice)}`, { accept: 'application/json' });
    expect([program.status, program.cookies]).toEqual([404, {}]);
    const call = await visit(`/dmp_aa/api/v1/accounts/${alice.id}?${handedOver(alice)}`);
    expect([call.status, call.cookies]).toEqual([401, {}]);
  });

  test('of the same account is accepted without confirmation', async () => {
    const again: Person = { ...alice, vap: await server.seeding.bearer(alice.id) };
    const response = await visit(`/?${handedOver(again)}`, { cookie: cookieOf(alice) });
    expect([response.status, response.cookies['vap']?.value]).toEqual([303, again.vap]);
  });
});

describe('AUTH-01-partial a session of another account', () => {
  const post = (fields: Record<string, string>, options: { cookie?: string; origin?: string } = {}) =>
    visit('/console/handover', {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { origin: options.origin ?? server.url },
      ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
    });

  async function ask(language = 'en'): Promise<{ page: Visit; nonce: string }> {
    const headers = { 'accept-language': language };
    const offer = await visit(`/organizations?view=a&${handedOver(bob)}`, { cookie: cookieOf(alice), headers });
    expect([offer.status, offer.cookies]).toEqual([303, {}]);
    expect(offer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(offer.headers.location).not.toContain(bob.vap);
    const page = await visit(offer.headers.location!, { cookie: cookieOf(alice), headers });
    return { page, nonce: /name="nonce" value="([^"]+)"/u.exec(page.text)![1]! };
  }

  test('replaces the signed-in one only after confirmation, whose page contains names as text and no bearer', async () => {
    const { page, nonce } = await ask();
    expect([page.status, page.cookies]).toEqual([200, {}]);
    expect(page.text).toContain('bob&#39;&lt;b&gt;@highline.invalid instead of alice@highline.invalid?');
    expect(page.text).not.toContain('<script');
    expect(page.text).not.toContain(bob.vap);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const yes = await post({ nonce, answer: 'yes' }, { cookie: cookieOf(alice) });
    expect([yes.status, yes.headers.location]).toEqual([303, '/organizations?view=a']);
    expect([yes.cookies['id']?.value, yes.cookies['vap']?.value]).toEqual([bob.id, bob.vap]);
  });

  test('leaves everything as it was after a No', async () => {
    const { nonce } = await ask();
    const no = await post({ nonce, answer: 'no' }, { cookie: cookieOf(alice) });
    expect([no.status, no.headers.location, no.cookies]).toEqual([303, '/', {}]);
    const late = await post({ nonce, answer: 'yes' }, { cookie: cookieOf(alice) });
    expect([late.headers.location, late.cookies]).toEqual(['/', {}]);
  });

  test('is confirmed in Chinese if the browser prefers it', async () => {
    expect((await ask('zh-TW,zh;q=0.9')).page.text).toContain('切換帳號？');
  });

  test('is accepted once, by the account it was for, from our own page', async () => {
    const { nonce } = await ask();
    expect((await post({ nonce, answer: 'yes' }, { cookie: cookieOf(alice), origin: 'http://evil.example' })).status).toBe(403);
    const first = await post({ nonce, answer: 'yes' }, { cookie: cookieOf(alice) });
    expect(first.cookies['vap']?.value).toBe(bob.vap);
    expect((await post({ nonce, answer: 'yes' }, { cookie: cookieOf(alice) })).cookies).toEqual({});

    for (const cookie of [undefined, cookieOf(bob), `id=${alice.id}`, `id=${alice.id}; vap=${bob.vap}`]) {
      const { nonce: other } = await ask();
      const stolen = await post({ nonce: other, answer: 'yes' }, cookie === undefined ? {} : { cookie });
      expect([stolen.headers.location, stolen.cookies], cookie).toEqual(['/', {}]);
    }
    const { nonce: unasked } = await ask();
    for (const cookie of [undefined, cookieOf(bob), `id=${alice.id}`]) {
      const page = await visit(`/console/handover?ask=${unasked}`, cookie === undefined ? {} : { cookie });
      expect([page.status, page.headers.location]).toEqual([303, '/']);
    }
    expect((await post({ nonce: 'x', answer: 'yes' }, { cookie: cookieOf(alice) })).cookies).toEqual({});
  });
});

describe('SEC-F16 a session that a page of another site hands over', () => {
  test.each(['cross-site', 'same-site'])(
    'is accepted only after confirmation, also when no account is signed in (%s)',
    async (site) => {
      const fromElsewhere = { 'sec-fetch-site': site };
      const offer = await visit(`/devices/list?${handedOver(bob)}`, { headers: fromElsewhere });
      expect([offer.status, offer.cookies]).toEqual([303, {}]);
      expect(offer.headers.location).toMatch(/^\/console\/handover\?ask=[\w-]+$/u);
      const page = await visit(offer.headers.location!, { headers: fromElsewhere });
      expect(page.text).toContain('wants to sign you in as bob&#39;&lt;b&gt;@highline.invalid');
      const nonce = /name="nonce" value="([^"]+)"/u.exec(page.text)![1]!;
      const respond = (origin: string) =>
        visit('/console/handover', { method: 'POST', body: `nonce=${nonce}&answer=yes`, headers: { origin } });
      expect((await respond('http://evil.example')).status).toBe(403);
      const yes = await respond(server.url);
      expect([yes.headers.location, yes.cookies['vap']?.value]).toEqual(['/devices/list', bob.vap]);
    },
  );

  test.each(['none', 'same-origin'])('is accepted at once when the browser sends %s', async (site) => {
    const response = await visit(`/?${handedOver(bob)}`, { headers: { 'sec-fetch-site': site } });
    expect(response.cookies['vap']?.value).toBe(bob.vap);
  });
});

describe('AUTH-05-partial the flag that /logout leaves', () => {
  const expired = (response: Visit) =>
    Object.entries(response.cookies)
      .filter(([, cookie]) => cookie.value === '' && cookie.attributes.includes('Expires=Thu, 01 Jan 1970 00:00:00 GMT'))
      .map(([name]) => name)
      .sort();

  test('erases the session at the next load of a page, and at nothing else', async () => {
    const cookie = `${cookieOf(alice)}; logout=1`;
    expect(expired(await visit('/devices/list', { cookie }))).toEqual(['id', 'logout', 'vap']);
    expect((await visit('/before-paint.js', { cookie, accept: '*/*' })).cookies).toEqual({});
    expect((await visit('/devices/list', { cookie: cookieOf(alice) })).cookies).toEqual({});
  });

  test('allows another account without confirmation', async () => {
    const response = await visit(`/?${handedOver(bob)}`, { cookie: `${cookieOf(alice)}; logout=1` });
    expect([response.status, response.cookies['vap']?.value]).toEqual([303, bob.vap]);
    expect(expired(response)).toEqual(['logout']);
  });
});

describe('AUTH-03-partial the console keeps a bearer', () => {
  const open = (body: unknown, headers: Record<string, string>) =>
    visit('/console/session', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  test('that is valid, only from a page of its own origin', async () => {
    const good = await open({ id: alice.id, vap: alice.vap }, { origin: server.url });
    expect([good.status, good.text]).toEqual([200, JSON.stringify({ result: { id: alice.id } })]);
    expect(good.cookies['vap']).toEqual({
      value: alice.vap,
      attributes: ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'],
    });
    for (const headers of [{ origin: 'http://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }, {}]) {
      const foreign = await open({ id: alice.id, vap: alice.vap }, headers);
      expect([foreign.status, foreign.cookies]).toEqual([403, {}]);
      expect(foreign.text).toContain('"request.origin"');
    }
    for (const body of [
      { id: alice.id, vap: bob.vap },
      { id: alice.id, vap: 'x' },
    ]) {
      const bad = await open(body, { origin: server.url });
      expect([bad.status, bad.cookies]).toEqual([401, {}]);
    }
  });

  test('and a write with that cookie requires the same origin, while Authorization does not', async () => {
    const introspect = (headers: Record<string, string>) => visit('/dmp_aa/api/v2/auth/introspect/', { method: 'POST', headers });
    const cookie = cookieOf(alice);
    expect((await introspect({ cookie })).status).toBe(403);
    expect((await introspect({ cookie, origin: 'http://evil.example' })).status).toBe(403);
    expect((await introspect({ cookie, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await introspect({ cookie, origin: server.url })).status).toBe(200);
    expect((await introspect({ cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await introspect({ authorization: `Bearer ${alice.vap}` })).status).toBe(200);
    expect((await introspect({ authorization: `Bearer ${alice.vap}`, origin: 'http://evil.example' })).status).toBe(200);
    expect((await visit(`/dmp_aa/api/v1/accounts/${alice.id}`, { cookie })).status).toBe(200);
  });
});

describe('the console', () => {
  test('is one page at all of its addresses', async () => {
    for (const path of ['/', '/devices/list', '/organizations?page=2', '/login', '/no/such/screen']) {
      const response = await visit(path);
      expect([response.status, response.headers['cache-control']], path).toEqual([200, 'no-cache']);
      expect(response.text).toContain('<!doctype html>');
      expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(response.headers['content-security-policy']).toContain("script-src 'self';");
    }
  });

  test('never answers a call or a missing file with a page', async () => {
    const paths = [
      '/dmp_aa/x',
      '/data_manager',
      '/data_manager/v1/dm/x',
      '/vega_lite_manager/x',
      '/console/x',
      '/usp/x',
      '/assets/none.js',
    ];
    for (const path of paths) {
      const response = await visit(path);
      expect([response.status, response.headers['content-type']], path).toEqual([404, 'application/json; charset=utf-8']);
    }
    expect((await visit('/devices/list', { method: 'POST' })).status).toBe(404);
    expect((await visit('/none.js', { accept: '*/*' })).status).toBe(404);
  });

  test('lets files with a content hash in their name be cached forever, and compresses them', async () => {
    const response = await visit('/assets/app-1a2b.js', { accept: '*/*', headers: { 'accept-encoding': 'gzip' } });
    expect([response.status, response.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(response.headers['content-encoding']).toBe('gzip');
    expect(response.headers['content-type']).toContain('javascript');
  });

  test('serves nothing from outside its folder', async () => {
    const paths = [
      '/../../secret.json',
      '/..%2f..%2fsecret.json',
      '/assets/..%2f..%2f..%2fsecret.json',
      '/.%00./secret.json',
      '/%2e%2e/%2e%2e/secret.json',
    ];
    for (const path of paths) {
      const response = await visit(path, { accept: '*/*' });
      expect(response.status, path).toBeGreaterThanOrEqual(400);
      expect(response.status, path).toBeLessThan(500);
    }
  });

  test('AUTH-02-partial allows only the sign-in page in a frame, and only in ours', async () => {
    const page = await visit('/account.html?reset=x');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(page.headers['content-security-policy']).not.toContain("frame-ancestors 'none'");
    expect((await visit('/error_acc_invalid.html')).headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });
});

test('a request with two Host headers is rejected', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.end('GET /livez HTTP/1.1\r\nHost: one.example\r\nHost: two.example\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*names more than one host/u);
});
