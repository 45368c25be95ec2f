import type { FastifyReply } from 'fastify';
import { DomainError } from '../../kernel/failure.ts';
import type { Actor } from '../../kernel/scope.ts';

/** A limit that a call counted for. */
export interface LimitState {
  readonly name: string;
  /** Calls in a window. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  readonly isExceeded: boolean;
}

/** Counts calls by API keys; implemented by the domain api-keys. */
export interface CallCounter {
  readonly windowSeconds: number;
  count(actor: Actor): Promise<readonly LimitState[]>;
}

/**
 * Count a call by an API key, and say in its response what is left (HKS-04): `RateLimit-Policy` and `RateLimit` of the draft
 * draft-ietf-httpapi-ratelimit-headers.
 * @throws DomainError `request.rate_limited` with Retry-After
 */
export async function countCall({ count, windowSeconds }: CallCounter, actor: Actor, reply: FastifyReply): Promise<void> {
  if (actor.key === undefined) return;
  const states = await count(actor);
  reply.header('ratelimit-policy', states.map(({ name, limit }) => `"${name}";q=${limit};w=${windowSeconds}`).join(', '));
  reply.header('ratelimit', states.map(({ name, remaining, reset }) => `"${name}";r=${remaining};t=${reset}`).join(', '));
  const exceeded = states.find(({ isExceeded }) => isExceeded);
  if (exceeded === undefined) return;
  const { name, limit, reset } = exceeded;
  throw new DomainError('request.rate_limited', {
    retryAfter: reset,
    detail: { limit: name, calls: limit, seconds: windowSeconds },
  });
}
