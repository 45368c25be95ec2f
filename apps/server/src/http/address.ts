import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/**
 * Where a request comes from, as Fastify reckons it for calls; for requests that do not pass through Fastify (sockets).
 * @param trustedProxies addresses, networks or names of networks (setting TRUSTED_PROXIES); none: the socket's own address
 */
export function createAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => (trustedProxies.length === 0 ? (request.socket.remoteAddress ?? '') : proxyAddress(request, isTrusted));
}
