import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RemoteHost } from '../host.ts';
import type { Visits } from '../local-service.ts';
import { FRIENDLY_NAME } from '../readings.ts';
import { findFile } from './files.ts';
import type { Html } from './html.ts';
import { logPage, plainPage, settingsPage, signInPage, statusPage } from './pages.ts';
import { cookieOf, isFromHere, readForm, setCookie } from './request.ts';
import type { SignIn, SignIns } from './sign-ins.ts';

export const SESSION_COOKIE = 'highline_session';
const FORM_COOKIE = 'highline_form';
const FORM_SECRET = /^[\w-]{24}$/u;
const WRONG_TRIES = 5;
const WRONG_TRIES_MS = 60_000;

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Answer to the browser. */
type PageResponse = { status: number; headers?: { [name: string]: string }; body?: Html };

/** The pages of the router, for users with one-time credentials. */
export class WebPage {
  readonly #host: RemoteHost;
  readonly #visits: Visits;
  readonly #signIns: SignIns;
  #wrongTries: number[] = [];

  constructor(host: RemoteHost, visits: Visits, signIns: SignIns) {
    this.#host = host;
    this.#visits = visits;
    this.#signIns = signIns;
  }

  /** Answer a request; never throws. */
  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const file = findFile(path);
    if (file) {
      response.writeHead(200, { ...HEADERS, 'Cache-Control': 'private, max-age=600', 'Content-Type': file.type });
      response.end(file.bytes);
      return;
    }
    const { status, headers, body } = await this.#respond(request, path).catch(() => this.#broken());
    response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8', ...headers });
    response.end(body?.html);
  }

  async #respond(request: IncomingMessage, path: string): Promise<PageResponse> {
    if (request.method === 'POST') return await this.#take(request, path);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return { status: 405, headers: { Allow: 'GET, HEAD, POST' }, body: plainPage('Not possible', 'This page cannot do that.') };
    }
    if (path === '/sign-in') return this.#signInForm(request, 200, '');
    const signIn = this.#signedIn(request);
    if (!signIn) return seeOther('/sign-in');
    const frame = { currentPath: path, formSecret: signIn.formSecret };
    if (path === '/') return { status: 200, body: statusPage(this.#host, frame) };
    if (path === '/log') return { status: 200, body: logPage(this.#host, frame) };
    if (path !== '/settings') return { status: 404, body: plainPage('No such page', 'This router has no page here.') };
    const isSaved = request.url?.endsWith('?saved') === true;
    return { status: 200, body: settingsPage(this.#host, frame, isSaved ? { text: 'Saved.', isFault: false } : undefined) };
  }

  async #take(request: IncomingMessage, path: string): Promise<PageResponse> {
    const form = await readForm(request);
    if (!form || !isFromHere(request)) return forbidden();
    if (path === '/sign-in') return this.#signIn(request, form);
    const signIn = this.#signedIn(request);
    if (!signIn) return seeOther('/sign-in');
    if (!isSame(form.get('form'), signIn.formSecret)) return forbidden();
    if (path === '/settings') return this.#save(form, signIn);
    if (path !== '/sign-out') return { status: 404, body: plainPage('No such page', 'This router has no page here.') };
    signIn.end();
    return seeOther('/sign-in', { 'Set-Cookie': setCookie(request, SESSION_COOKIE, '') });
  }

  /** The form is bound to the browser by a cookie, so that no other site can sign a user in. */
  #signInForm(request: IncomingMessage, status: number, fault: string): PageResponse {
    const given = cookieOf(request, FORM_COOKIE) ?? '';
    const formSecret = FORM_SECRET.test(given) ? given : randomBytes(18).toString('base64url');
    const headers = { 'Set-Cookie': setCookie(request, FORM_COOKIE, formSecret) };
    return { status, headers, body: signInPage(this.#host, formSecret, fault) };
  }

  #signIn(request: IncomingMessage, form: URLSearchParams): PageResponse {
    if (!isSame(form.get('form'), cookieOf(request, FORM_COOKIE))) {
      return this.#signInForm(request, 403, 'This page was open for too long. Please try again.');
    }
    if (this.#isThrottled()) return this.#signInForm(request, 429, 'Too many wrong attempts. Wait a minute, then try again.');
    if (!this.#visits.enter((form.get('username') ?? '').trim(), (form.get('password') ?? '').trim())) {
      this.#wrongTries.push(this.#host.scheduler.now());
      return this.#signInForm(request, 401, 'Wrong username or password, or they have expired.');
    }
    return seeOther('/', { 'Set-Cookie': setCookie(request, SESSION_COOKIE, this.#signIns.begin()) });
  }

  #isThrottled(): boolean {
    const since = this.#host.scheduler.now() - WRONG_TRIES_MS;
    this.#wrongTries = this.#wrongTries.filter((at) => at > since);
    return this.#wrongTries.length >= WRONG_TRIES;
  }

  #save(form: URLSearchParams, signIn: SignIn): PageResponse {
    const typed = (form.get('vehicle') ?? '').trim();
    const fault = this.#host.set(FRIENDLY_NAME.path, FRIENDLY_NAME.param, typed);
    if (fault === undefined) {
      this.#host.activityLog.add('settings', 'the vehicle name was changed on the web page');
      return seeOther('/settings?saved');
    }
    const frame = { currentPath: '/settings', formSecret: signIn.formSecret };
    return { status: 422, body: settingsPage(this.#host, frame, { text: `Not saved: ${fault}.`, isFault: true, typed }) };
  }

  #signedIn(request: IncomingMessage): SignIn | undefined {
    const signIn = this.#signIns.find(cookieOf(request, SESSION_COOKIE));
    signIn?.touch();
    return signIn;
  }

  #broken(): PageResponse {
    return { status: 500, body: plainPage('Something went wrong', 'The router could not process the request.') };
  }
}

function seeOther(path: string, headers: { [name: string]: string } = {}): PageResponse {
  return { status: 303, headers: { ...headers, Location: path } };
}

function forbidden(): PageResponse {
  return {
    status: 403,
    body: plainPage('Rejected', 'This request did not come from a page of this router. Open the page and try again.'),
  };
}

function isSame(received: string | null, expected: string | undefined): boolean {
  if (received === null || expected === undefined || expected === '') return false;
  const [a, b] = [Buffer.from(received), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
