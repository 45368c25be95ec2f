const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Redirects in a row that a router follows. */
export const MOST_REDIRECTS = 5;

/**
 * The target of a redirect. The scheme stays, and only this machine is reached unencrypted: a redirect must not lead a router that
 * verifies certificates to a server without one.
 * @param location header of the response, absolute or relative
 * @param from address that answered
 * @param allowed for `ws:` and `wss:`, `http:` and `https:` mean the same
 * @throws Error that says what is wrong, without the address: it may contain a secret
 */
export function redirectTarget(location: string | null | undefined, from: URL): URL {
  if (location === null || location === undefined || !URL.canParse(location, from.href))
    throw new Error('a redirect without an address');
  const to = new URL(location, from);
  if (from.protocol === 'ws:' || from.protocol === 'wss:') to.protocol = to.protocol.replace(/^http/u, 'ws');
  if (to.protocol !== from.protocol) throw new Error(`a redirect from ${from.protocol} to ${to.protocol}`);
  if (to.username !== '' || to.password !== '') throw new Error('a redirect with credentials');
  const isEncrypted = to.protocol === 'https:' || to.protocol === 'wss:';
  if (!isEncrypted && !(LOOPBACK.has(from.hostname) && LOOPBACK.has(to.hostname)))
    throw new Error(`an unencrypted redirect to ${to.hostname}`);
  return to;
}
