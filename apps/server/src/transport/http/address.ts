import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { plainAddress } from '../../kernel/address.ts';
import { DomainError } from '../../kernel/failure.ts';
import { addressOfCaller } from '../../platform/calls/caller.ts';

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
  headers['x-forwarded-for'] = String(forwarded)
    .split(',')
    .map((entry) => plainAddress(entry) ?? entry.trim())
    .join(', ');
}

/**
 * Behind trusted proxies: read client addresses without ports, and reject a request whose proxy names no address. Limits by network
 * and IP ranges of API keys would be worth nothing with it.
 */
export function readForwardedAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    dropPorts(request.raw);
    const address = addressOfCaller(request);
    if (address === '' || plainAddress(address) !== undefined) return;
    throw new DomainError('request.invalid', { message: 'The proxy names no address of the client in X-Forwarded-For.' });
  });
}
