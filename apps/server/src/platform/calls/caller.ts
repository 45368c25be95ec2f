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
 */
export function checkOrigin(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  if (READING.has(request.method)) return;
  const origin = request.headers.origin;
  if (origin !== undefined && (allowed.has(origin) || sameHost(origin, request))) return;
  if (origin === undefined && request.headers['sec-fetch-site'] === 'same-origin') return;
  throw new DomainError('request.origin');
}

function sameHost(origin: string, request: FastifyRequest): boolean {
  return origin === `${request.protocol}://${request.host}`;
}
