import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';

/** Client address of a request, '' once its caller has disconnected: a closed socket has no address. */
export function addressOfCaller(request: FastifyRequest): string {
  const ip: string | undefined = request.ip;
  return ip ?? '';
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Reject a write that a page of another site made with our cookie (same Origin required for writes, DECISIONS). Browsers send the
 * origin with every such request; a request without one did not come from a page.
 * @param own origin of the console (setting PUBLIC_URL); undefined in the demo: the host that the request names
 */
export function checkOrigin(request: FastifyRequest, own: string | undefined): void {
  if (READING.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined ? site === 'same-origin' : origin === (own ?? `${request.protocol}://${request.host}`)) return;
  throw new DomainError('request.origin');
}
