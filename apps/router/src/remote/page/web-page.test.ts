import { once } from 'node:events';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type TestHost, createTestHost } from '../../testing/remote-host.ts';
import { createGuiService } from '../gui-service.ts';
import { Grant } from '../grant.ts';
import type { LocalService } from '../local-service.ts';
import { createBareRouter } from '../../testing/view.ts';

const CREDENTIALS = { username: 'hl-abc123', password: 'correct horse battery' };
const MINUTE = 60_000;

let host: TestHost;
let service: LocalService;
let grant: Grant;
let inside: number;

beforeEach(() => begin(createTestHost()));
afterEach(() => service.end());

function begin(made: TestHost): void {
  host = made;
  inside = 0;
  grant = new Grant({ ...CREDENTIALS, service: 'GUI', seconds: 300 }, host.scheduler, () => service.shut());
  service = createGuiService(host, {
    scheduler: host.scheduler,
    enter(username, password) {
      const isIn = grant.admits(username, password);
      if (isIn) inside += 1;
      return isIn;
    },
    idleMs: () => 60_000,
    leave() {
      inside -= 1;
    },
  });
  service.open();
}

type Page = { status: number; headers: IncomingHttpHeaders; text: string };

/** A browser, as far as cookies are concerned. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Page> {
    return await this.send('GET', path, headers);
  }

  async post(path: string, fields: { [name: string]: string }, headers: OutgoingHttpHeaders = {}): Promise<Page> {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    return await this.send('POST', path, { ...form, ...headers }, new URLSearchParams(fields).toString());
  }

  /** The form secret of a page. */
  async formOf(path: string): Promise<string> {
    return /name="form" value="([^"]+)"/u.exec((await this.get(path)).text)?.[1] ?? '';
  }

  async signIn(username = CREDENTIALS.username, password = CREDENTIALS.password): Promise<Page> {
    return await this.post('/sign-in', { form: await this.formOf('/sign-in'), username, password });
  }

  get cookies(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send(method: string, path: string, headers: OutgoingHttpHeaders, body = ''): Promise<Page> {
    if (service.port === undefined) await listening();
    const outgoing = request({
      port: service.port,
      host: '127.0.0.1',
      method,
      path,
      headers: { cookie: this.cookies, ...headers },
    });
    outgoing.end(body);
    const [response] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of response) text += String(chunk);
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [name, value] = cookie.split(';')[0].split('=');
      this.#cookies.set(name, value);
    }
    return { status: response.statusCode, headers: response.headers, text };
  }
}

/** A service starts listening asynchronously. */
async function listening(): Promise<void> {
  while (service.port === undefined) await new Promise((resolve) => setImmediate(resolve));
}

describe('signing in at the web page', () => {
  it('RMT-07-partial shows the router to users with the credentials only', async () => {
    const browser = new Browser();
    expect(await browser.get('/')).toMatchObject({ status: 303, headers: { location: '/sign-in' } });
    const wrong = await browser.signIn('hl-abc123', 'wrong');
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('Wrong username or password');
    expect(await browser.signIn()).toMatchObject({ status: 303, headers: { location: '/' } });
    const { status, text } = await browser.get('/');
    expect(status).toBe(200);
    expect(text).toContain('89999990000000000033');
    expect(text).toContain('Bus 12');
    expect((await new Browser().get('/')).status).toBe(303);
    expect(inside).toBe(1);
  });

  it('cookies are for its own pages and not for scripts; over TLS they are for TLS only', async () => {
    const browser = new Browser();
    const form = await browser.formOf('/sign-in');
    const { headers } = await browser.post('/sign-in', { form, ...CREDENTIALS }, { 'x-forwarded-proto': 'https' });
    expect(headers['set-cookie']?.[0]).toMatch(/^highline_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/u);
  });

  it('no part of a page is loaded from elsewhere, runs inline, or can be framed', async () => {
    const { headers, text } = await new Browser().get('/sign-in');
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
    expect(text).not.toMatch(/https?:|<script>|style=| on\w+=/u);
    expect((await new Browser().get('/page.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it('after five wrong attempts even the right credentials wait for a minute', async () => {
    const browser = new Browser();
    for (let tries = 0; tries < 5; tries++) expect((await browser.signIn('someone', 'guess')).status).toBe(401);
    expect((await browser.signIn()).status).toBe(429);
    host.scheduler.advance(MINUTE);
    expect((await browser.signIn()).status).toBe(303);
  });

  it('a form that was not sent from the page is rejected: another site, no cookie, no secret', async () => {
    const browser = new Browser();
    const form = await browser.formOf('/sign-in');
    expect((await browser.post('/sign-in', { form, ...CREDENTIALS }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const old = { 'sec-fetch-site': undefined, origin: 'https://evil.example' } as unknown as OutgoingHttpHeaders;
    delete old['sec-fetch-site'];
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...old };
    expect(
      (await browser.send('POST', '/sign-in', headers, new URLSearchParams({ form, ...CREDENTIALS }).toString())).status,
    ).toBe(403);
    expect((await new Browser().post('/sign-in', { form, ...CREDENTIALS })).status).toBe(403);
    expect((await browser.post('/sign-in', CREDENTIALS)).status).toBe(403);
    expect(inside).toBe(0);
    expect((await browser.post('/sign-in', { form, ...CREDENTIALS })).status).toBe(303);
  });

  it('RMT-02-partial a signed-in user stays after the credentials have expired; no one else can sign in; the port closes when all have left', async () => {
    const browser = new Browser();
    await browser.signIn();
    host.scheduler.advance(5 * MINUTE);
    expect((await browser.get('/')).status).toBe(200);
    expect((await new Browser().signIn()).status).toBe(401);
    const form = await browser.formOf('/settings');
    expect(await browser.post('/sign-out', { form })).toMatchObject({ status: 303, headers: { location: '/sign-in' } });
    expect(service.port).toBeUndefined();
    expect(inside).toBe(0);
  });

  it('credentials that expire unused close the port', async () => {
    await listening();
    host.scheduler.advance(5 * MINUTE);
    expect(service.port).toBeUndefined();
  });

  it('ten minutes without a click sign a browser out', async () => {
    const browser = new Browser();
    await browser.signIn();
    grant = new Grant({ ...CREDENTIALS, service: 'GUI', seconds: 3_600 }, host.scheduler, () => service.shut());
    host.scheduler.advance(9 * MINUTE);
    expect((await browser.get('/')).status).toBe(200);
    host.scheduler.advance(10 * MINUTE);
    expect(inside).toBe(0);
  });
});

describe('the pages', () => {
  it('RMT-07-partial settings are saved by a form, and the name appears escaped', async () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&';
    const named = createBareRouter().view;
    begin(createTestHost({ router: { ...named, row: () => ({ FriendlyName: hostile }) } }));
    const browser = new Browser();
    await browser.signIn();
    const form = await browser.formOf('/settings');
    expect(await browser.post('/settings', { form, vehicle: ' Bus 13 ' })).toMatchObject({ status: 303 });
    expect(host.sets).toEqual(['Device.DeviceInfo.FriendlyName=Bus 13']);
    for (const path of ['/', '/settings', '/log']) expect((await browser.get(path)).text).not.toContain('<img src=x');
    expect((await browser.get('/settings')).text).toContain('value="&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"');
  });

  it('a rejected value is shown again with the error', async () => {
    begin(createTestHost({ set: () => 'FriendlyName: longer than 64 characters' }));
    const browser = new Browser();
    await browser.signIn();
    const { status, text } = await browser.post('/settings', {
      form: await browser.formOf('/settings'),
      vehicle: 'x'.repeat(65),
    });
    expect(status).toBe(422);
    expect(text).toContain('Not saved: FriendlyName: longer than 64 characters.');
    expect(text).toContain(`value="${'x'.repeat(65)}"`);
  });

  it('a form without its secret changes nothing, nor does one of an unrelated client', async () => {
    const browser = new Browser();
    await browser.signIn();
    expect((await browser.post('/settings', { vehicle: 'Bus 13' })).status).toBe(403);
    expect((await browser.post('/settings', { form: 'guess', vehicle: 'Bus 13' })).status).toBe(403);
    expect((await new Browser().post('/settings', { form: await browser.formOf('/settings'), vehicle: 'Bus 13' })).status).toBe(
      303,
    );
    expect(host.sets).toEqual([]);
    expect((await browser.send('DELETE', '/', {})).status).toBe(405);
    expect((await browser.get('/../../etc/passwd')).status).toBe(404);
  });

  it('changing readings are sent by WebSocket to signed-in users, until the sign-out', async () => {
    const browser = new Browser();
    await browser.signIn();
    const url = `ws://127.0.0.1:${service.port}/live`;
    const [rejection] = await once(new WebSocket(url), 'unexpected-response').then(([, response]) => [response]);
    expect(rejection.statusCode).toBe(403);
    const live = new WebSocket(url, { headers: { cookie: browser.cookies } });
    const readings = async () => JSON.parse(String((await once(live, 'message'))[0])).readings;
    expect(await readings()).toContainEqual(['Uptime', '17 s']);
    const next = readings();
    host.scheduler.advance(2_000);
    expect(await next).toContainEqual(['Uptime', '17 s']);
    const closed = once(live, 'close');
    await browser.post('/sign-out', { form: await browser.formOf('/settings') });
    expect((await closed)[0]).toBe(4_001);
  });
});
