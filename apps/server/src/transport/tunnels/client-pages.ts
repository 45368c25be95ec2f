import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { TunnelClient } from '../../platform/ports/tunnels.ts';
import type { PlainPage } from './plain-page.ts';

/** Messages about a client of the vehicle's network instead of the router. */
export const clientPages = {
  full: 'full',
  gone: 'clientGone',
  silent: 'clientSilent',
} as const satisfies Record<string, PlainPage>;

/**
 * A redirect of a client to itself, by its own address, which a browser cannot reach, or by the name of its page: the browser gets its path
 * alone. One to the other of HTTP and HTTPS, which this session does not open, is a message instead.
 * @returns the headers for the browser, or the message
 */
export function withOwnLocation(
  headers: OutgoingHttpHeaders,
  request: Pick<IncomingMessage, 'headers' | 'url'>,
  { address, port, isTls }: TunnelClient,
): OutgoingHttpHeaders | 'wantsHttp' | 'wantsHttps' {
  const [location] = [headers['location']].flat();
  const target = typeof location === 'string' ? URL.parse(location) : null;
  const name = (request.headers.host ?? '').toLowerCase().replace(/:\d*$/u, '');
  const isByAddress = target?.hostname === address;
  if (target === null || (!isByAddress && target.hostname !== name)) return headers;
  const path = `${target.pathname}${target.search}`;
  const isOtherScheme = target.protocol === (isTls ? 'http:' : 'https:');
  // By its name, a device also repeats the scheme that the browser uses; back to the same page it would go on forever.
  if (isOtherScheme && (isByAddress || path === request.url)) return isTls ? 'wantsHttp' : 'wantsHttps';
  const isOtherPort = isByAddress && (Number(target.port) || (isTls ? 443 : 80)) !== port;
  return isOtherPort ? headers : { ...headers, location: `${path}${target.hash}` };
}
