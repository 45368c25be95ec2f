import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';

/**
 * Client address, computed the same way Fastify does, for requests that do not pass through Fastify (sockets).
 * @param trustedProxies addresses, networks or names of networks (setting TRUSTED_PROXIES); none: the socket's own address
 */
export function createAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => {
    if (trustedProxies.length === 0) return request.socket.remoteAddress ?? '';
    dropPorts(request);
    return proxyAddress(request, isTrusted);
  };
}

/**
 * Some proxies (Azure) write `address:port` into X-Forwarded-For. Keep only the address: with the port, each connection would
 * look like another client, and no limit would work.
 */
export function dropPorts({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return;
  headers['x-forwarded-for'] = String(forwarded).split(',').map(withoutPort).join(', ');
}

/** `192.0.2.1:443` and `[2001:db8::1]:443` without the port; any other text is unchanged. */
function withoutPort(text: string): string {
  const entry = text.trim();
  const end = entry.lastIndexOf(':');
  const [address, port] = [entry.slice(0, end), entry.slice(end + 1)];
  if (entry.startsWith('[') && entry.endsWith(']') && isIPv6(entry.slice(1, -1))) return entry.slice(1, -1);
  if (end < 0 || !/^\d{1,5}$/u.test(port)) return entry;
  if (isIPv4(address)) return address;
  const bare = address.slice(1, -1);
  return address.startsWith('[') && address.endsWith(']') && isIPv6(bare) ? bare : entry;
}
