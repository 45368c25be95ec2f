import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** By which a browser that was here is known when nobody new is let in; it goes no further than this server. */
export const VISITOR_COOKIE = 'highline_visitor';

/** Of one connection, and not of the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  // Answered here already.
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

/** Headers of a message without those that concern one hop, and those that `Connection` names. */
function endToEnd(message: IncomingMessage): Map<string, string[]> {
  const named = new Set((message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept = new Map<string, string[]>();
  for (const [name, values] of Object.entries(message.headersDistinct))
    if (values !== undefined && !HOP_BY_HOP.has(name) && !named.has(name)) kept.set(name, values);
  return kept;
}

/** What the router reads of a browser's request: nothing that is this server's own, and where the browser thinks it is. */
export function requestHeaders(request: IncomingMessage, isSecure: boolean): OutgoingHttpHeaders {
  const kept = endToEnd(request);
  for (const name of kept.keys()) if (name.startsWith('x-forwarded-') || name === 'forwarded') kept.delete(name);
  const cookies = cookiesOf(request).filter(([name]) => name !== VISITOR_COOKIE);
  kept.delete('cookie');
  if (cookies.length > 0) kept.set('cookie', [cookies.map(([name, value]) => `${name}=${value}`).join('; ')]);
  kept.set('x-forwarded-proto', [isSecure ? 'https' : 'http']);
  return Object.fromEntries(kept);
}

/** What the browser reads of the router's answer: its own headers, and cookies that stay on this one host. */
export function responseHeaders(answer: IncomingMessage, pass: string, isSecure: boolean): OutgoingHttpHeaders {
  const kept = endToEnd(answer);
  const cookies = (kept.get('set-cookie') ?? []).map((cookie) => cookie.replaceAll(/;\s*domain=[^;]*/giu, ''));
  kept.set('set-cookie', [...cookies, visitorCookie(pass, isSecure)]);
  // The address is the key to the page: no other site is told it.
  kept.set('referrer-policy', ['no-referrer']);
  return Object.fromEntries(kept);
}

function visitorCookie(pass: string, isSecure: boolean): string {
  return `${VISITOR_COOKIE}=${pass}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** The first cookie of a name; undefined without one. */
export function cookieOf(request: IncomingMessage, wanted: string): string | undefined {
  return cookiesOf(request).find(([name]) => name === wanted)?.[1];
}

function cookiesOf({ headers }: IncomingMessage): [name: string, value: string][] {
  return (headers.cookie ?? '').split(';').flatMap((part): [string, string][] => {
    const at = part.indexOf('=');
    return at < 1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
  });
}
