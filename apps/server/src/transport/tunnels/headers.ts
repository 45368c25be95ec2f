import { hash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Identifies a returning browser when new ones are no longer accepted; never sent on. */
export const VISITOR_COOKIE = 'highline_visitor';

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  // Already answered here.
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of a message without hop-by-hop headers, including those that `Connection` names. */
function endToEnd(message: IncomingMessage): Map<string, string[]> {
  const named = new Set((message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept = new Map<string, string[]>();
  for (const [name, values] of Object.entries(message.headersDistinct))
    if (values !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) kept.set(name, values);
  return kept;
}

/** Request headers for the router: without headers of this server, and with the address the browser uses. */
export function requestHeaders(request: IncomingMessage, isSecure: boolean, known: SetCookies): OutgoingHttpHeaders {
  const kept = endToEnd(request);
  for (const name of kept.keys()) if (name.startsWith('x-forwarded-') || name === 'forwarded') kept.delete(name);
  const cookies = known.choose(cookiesOf(request).filter(([name]) => name !== VISITOR_COOKIE));
  kept.delete('cookie');
  if (cookies.length > 0) kept.set('cookie', [cookies.map(([name, value]) => `${name}=${value}`).join('; ')]);
  kept.set('x-forwarded-proto', [isSecure ? 'https' : 'http']);
  return Object.fromEntries(kept);
}

/** Response headers for the browser: those of the router, with cookies limited to this host. */
export function responseHeaders(
  response: IncomingMessage,
  { pass, isSecure, known }: { readonly pass: string; readonly isSecure: boolean; readonly known: SetCookies },
): OutgoingHttpHeaders {
  const kept = endToEnd(response);
  // As a browser reads it: with space around the name.
  const cookies = (kept.get('set-cookie') ?? []).map((cookie) => cookie.replaceAll(/;\s*domain\s*=[^;]*/giu, ''));
  for (const cookie of cookies) known.note(cookie);
  kept.set('set-cookie', [...cookies, visitorCookie(pass, isSecure)]);
  // It would also clear what the console and pages of other routers have under the same site.
  kept.delete('clear-site-data');
  // The address is a secret: keep it from other sites.
  kept.set('referrer-policy', ['no-referrer']);
  return Object.fromEntries(kept);
}

function visitorCookie(pass: string, isSecure: boolean): string {
  return `${VISITOR_COOKIE}=${pass}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** All cookies of a name: a page of another router may have set one for the whole domain, which is sent with ours. */
export function cookiesNamed(request: IncomingMessage, requested: string): readonly string[] {
  return cookiesOf(request).flatMap(([name, value]) => (name === requested ? [value] : []));
}

function cookiesOf({ headers }: IncomingMessage): Cookie[] {
  return (headers.cookie ?? '').split(';').flatMap(readCookie);
}

type Cookie = readonly [name: string, value: string];

function readCookie(text: string): [] | [Cookie] {
  const at = text.indexOf('=');
  return at < 1 ? [] : [[text.slice(0, at).trim(), text.slice(at + 1).trim()]];
}

/** More than browsers keep of a host. */
const MOST_COOKIES = 200;

/**
 * The last cookies that a router set through its page. A page of another router can set cookies for the whole domain by script, and a
 * browser does not say which cookie is whose; their order can be chosen by either.
 */
export class SetCookies {
  readonly #digests = new Set<string>();

  /** @param header a `Set-Cookie` of the router */
  note(header: string): void {
    for (const cookie of readCookie(header.split(';', 1)[0]!)) {
      const digest = digestOf(cookie);
      this.#digests.delete(digest);
      this.#digests.add(digest);
      if (this.#digests.size > MOST_COOKIES) this.#digests.delete(this.#digests.values().next().value!);
    }
  }

  /** Of cookies with one name, those that the router set; all where it set none of them, which scripts of its page may have done. */
  choose(cookies: readonly Cookie[]): readonly Cookie[] {
    const isOwn = (cookie: Cookie) => this.#digests.has(digestOf(cookie));
    const own = new Set(cookies.filter(isOwn).map(([name]) => name));
    return cookies.filter((cookie) => !own.has(cookie[0]) || isOwn(cookie));
  }
}

const digestOf = ([name, value]: Cookie): string => hash('sha256', `${name}=${value}`, 'base64');
