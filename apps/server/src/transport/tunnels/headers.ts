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
export function requestHeaders(request: IncomingMessage, isSecure: boolean): OutgoingHttpHeaders {
  const kept = endToEnd(request);
  for (const name of kept.keys()) if (name.startsWith('x-forwarded-') || name === 'forwarded') kept.delete(name);
  const cookies = cookiesOf(request).filter(([name]) => name !== VISITOR_COOKIE);
  kept.delete('cookie');
  if (cookies.length > 0) kept.set('cookie', [cookies.map(([name, value]) => `${name}=${value}`).join('; ')]);
  kept.set('x-forwarded-proto', [isSecure ? 'https' : 'http']);
  return Object.fromEntries(kept);
}

/** Response headers for the browser: those of the router, with cookies limited to this host. */
export function responseHeaders(response: IncomingMessage, pass: string, isSecure: boolean): OutgoingHttpHeaders {
  const kept = endToEnd(response);
  // As a browser reads it: with space around the name.
  const cookies = (kept.get('set-cookie') ?? []).map((cookie) => cookie.replaceAll(/;\s*domain\s*=[^;]*/giu, ''));
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

function cookiesOf({ headers }: IncomingMessage): [name: string, value: string][] {
  return (headers.cookie ?? '').split(';').flatMap((part): [string, string][] => {
    const at = part.indexOf('=');
    return at < 1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });
}
